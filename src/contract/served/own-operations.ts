/**
 * Operations that are made from declarations (of AI features, of agents) out of a general one: in the generator for what
 * is built in, and in a server's documents for what its operator has declared.
 */
import { type Document, type Operation, operationsOf, type Parameter, resolve } from './document.ts';

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

export function operationIdsIn(document: Document): Set<string> {
  return new Set(operationsOf(document).map(({ id }) => id));
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
