/**
 * Operations that are made from declarations (of AI features, of agents) out of a general one: in the generator for what
 * is built in, and in a server's documents for what its operator has declared.
 */

import type { JsonSchema } from '../../lib/json-schema.ts';
import { type Document, type Operation, operationsOf, type Parameter, resolve } from './document.ts';

/** An AI feature, as far as the contract says it. */
export interface DeclaredFeature {
  /** Its name in the path: lower-case letters, digits and `-`. */
  readonly id: string;
  /** Its summary in at most eight words. */
  readonly summary: string;
  /** Its description, in Markdown. */
  readonly description: string;
  /** Its engines, the preferred one first. */
  readonly engines: readonly ('model' | 'local')[];
  /** JSON Schema without `$ref` of the object that it takes. */
  readonly input: JsonSchema;
  /** JSON Schema without `$ref` of the object that it gives. */
  readonly output: JsonSchema;
  /** The one field of the output, where that is a text, which can be streamed. */
  readonly textOutput: string | null;
  readonly examples: readonly FeatureExample[];
}

interface FeatureExample {
  /** Its name in the contract. */
  readonly id: string;
  readonly summary: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly output: Readonly<Record<string, unknown>>;
}

/** An agent, as far as the contract says it. */
export interface DeclaredAgent {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** The model's instructions before the input. `{{name}}` stands for a variable of the run. */
  readonly instructions: string;
  /** Maximum number of calls of the model. */
  readonly maxSteps: number;
  /** Maximum number of tokens of all calls of the model together. */
  readonly maxTokens: number;
  readonly maxSeconds: number;
  /** The schema of `input`; null for text and messages. */
  readonly inputSchema: JsonSchema | null;
  readonly examples: readonly AgentExample[];
}

export interface AgentExample {
  /** Its name in the contract. */
  readonly id: string;
  readonly summary: string;
  readonly input: unknown;
  readonly output: string;
}

/** A copy of the general operation for one whose path names `id` in place of its parameter, and so finds it. */
export function copyOfGeneral(document: Document, path: string, id: string): Operation {
  const general = document.paths[path]?.['post'];
  if (!general) throw new Error(`the contract has no operation POST ${path}`);
  const operation = structuredClone(general);
  const rest = (operation.parameters ?? []).filter(
    (parameter) => resolve<Parameter>(document, parameter).in !== 'path',
  );
  if (rest.length > 0) operation.parameters = rest;
  else delete operation.parameters;
  delete operation['x-codeSamples'];
  delete operation.responses['404'];
  const names = operation['x-also-known-as'];
  if (names) operation['x-also-known-as'] = names.map((name) => name.replace(/\{\w+\}/, id));
  return operation;
}

/** Adds an operation for each that is declared, and gives their ids, the names in their order where free. */
export function addDeclared<Declared extends { readonly id: string }>(
  contract: Document,
  declared: readonly Declared[],
  names: readonly string[],
  suffix: string,
  add: (contract: Document, one: Declared, operationId: string) => void,
): string[] {
  const ids = freeNames(names, new Set(operationsOf(contract).map(({ id }) => id)), suffix);
  for (const [n, one] of declared.entries()) add(contract, one, ids[n] ?? one.id);
  return ids;
}

/** The names in their order, each with the suffix as often as it takes to be free. */
export function freeNames(names: readonly string[], others: Iterable<string>, suffix: string): string[] {
  const taken = new Set(others);
  return names.map((name) => {
    const free = freeName(name, (one) => taken.has(one), suffix);
    taken.add(free);
    return free;
  });
}

/** The name, or one like it that nothing else has. */
export function freeName(name: string, isTaken: (name: string) => boolean, suffix: string): string {
  let free = name;
  while (isTaken(free)) free += suffix;
  return free;
}

/** `detect-language` -> `detectLanguage` */
export function camelCase(id: string): string {
  return id.replaceAll(/[-_]+([a-z0-9]?)/g, (_, letter: string) => letter.toUpperCase());
}

export function capitalised(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
