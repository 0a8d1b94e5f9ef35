import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { ResponseFormat } from '../../../generated/types.gen.ts';
import type { SchemaProblem, Validator } from '../../contract/built.ts';
import { isDeeperThan } from '../../lib/json.ts';
import type { JsonSchema } from '../../lib/json-schema.ts';
import type { FeatureDeclaration } from './declaration.ts';

import { parseTemplate, type Template } from './declaration.ts';

/** Keywords that every vendor with structured output takes; the others stand in the prompt and are checked here. */
const kept = new Set(['type', 'enum', 'const', 'description', 'title']);

export type Fields = Readonly<Record<string, unknown>>;

/** The prompt of one call of a feature, and how its answer becomes the output. */
export interface Task {
  readonly system: string;
  readonly user: string;
  /** Asks the vendor for the form of the answer; undefined for plain text, and where no vendor could be asked. */
  readonly form: ResponseFormat | undefined;
  /** Throws `Misfit`. */
  read(answer: string): Fields;
}

/** An answer that does not fit the request, with its problems, a sentence each. */
export class Misfit extends Error {
  override readonly name = 'Misfit';
  readonly problems: readonly SchemaProblem[];

  constructor(problems: readonly SchemaProblem[]) {
    super('the answer does not fit');
    this.problems = problems;
  }

  static because(message: string): Misfit {
    return new Misfit([{ instancePath: '', keyword: 'answer', params: {}, message }]);
  }
}

/** How the answer of a model is asked for as JSON, checked and brought to the output of the feature. */
export interface JsonShape {
  readonly schema: JsonSchema;
  /** The problems of a value; empty: it fits. */
  check(value: unknown): readonly SchemaProblem[];
  /** The output that the answer stands for. It may still be refused by the output schema. */
  output(answer: Fields): Fields;
}

/** Levels of objects and lists in each other. */
const deepestAnswer = 64;

const prompts = new Map<string, Promise<string>>();

/** One of the prompt files, read once. */
export function promptFile(name: string): Promise<string> {
  const known =
    prompts.get(name) ?? readFile(path.join(import.meta.dirname, 'prompts', `${name}.md`), 'utf8');
  prompts.set(name, known);
  return known;
}

const templates = new Map<string, Promise<Template>>();

export function builtInTemplate({ id, input }: FeatureDeclaration): Promise<Template> {
  const known = templates.get(id) ?? promptFile(id).then((text) => parseTemplate(text, input));
  templates.set(id, known);
  return known;
}

/** A task whose answer is plain text: the model's text is the one field of the output, whatever it says. */
export async function textTask(
  field: string,
  template: Template,
  input: Fields,
  validate: Validator,
): Promise<Task> {
  return {
    system: await promptFile('system-text'),
    user: template(input),
    form: undefined,
    read(answer) {
      const text = answer.trim();
      if (text === '') throw Misfit.because('is empty');
      const output = { [field]: text };
      if (!validate(output)) throw new Misfit(validate.errors ?? []);
      return output;
    },
  };
}

export async function jsonTask(
  id: string,
  template: Template,
  input: Fields,
  { schema, check, output }: JsonShape,
): Promise<Task> {
  return {
    system: `${await promptFile('system-json')}\n${JSON.stringify(schema)}\n`,
    user: template(input),
    form: formOf(id, schema),
    read(answer) {
      const value = parseObject(answer);
      const problems = check(value);
      if (problems.length > 0) throw new Misfit(problems);
      return output(value);
    },
  };
}

/** The JSON object of an answer, without the code fence or the words that some models put around it. */
function parseObject(answer: string): Fields {
  const from = answer.indexOf('{');
  const to = answer.lastIndexOf('}');
  if (from < 0 || to < from) throw Misfit.because('is not a JSON object');
  let value: Fields;
  try {
    value = JSON.parse(answer.slice(from, to + 1)) as Fields;
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 200) : '';
    throw Misfit.because(`is not valid JSON (${reason})`);
  }
  if (isDeeperThan(value, deepestAnswer)) throw Misfit.because('is nested too deeply');
  return value;
}

/**
 * The setting that asks a vendor for an answer in this form; undefined for a schema that some vendors cannot be held to, such as
 * one with properties of any name. Vendors take only a part of JSON Schema, Anthropic the smallest
 * (https://platform.claude.com/docs/en/build-with-claude/structured-outputs).
 */
export function formOf(name: string, schema: JsonSchema): ResponseFormat | undefined {
  const plain = plainSchema(schema);
  if (plain === null) return undefined;
  return { type: 'json_schema', json_schema: { name: name.replaceAll('-', '_'), schema: plain } };
}

function plainSchema(schema: unknown): Record<string, unknown> | null {
  if (typeof schema !== 'object' || schema === null) return null;
  const given = schema as JsonSchema;
  const plain: Record<string, unknown> = Object.fromEntries(
    Object.entries(given).filter(([keyword]) => kept.has(keyword)),
  );
  const choices = given['anyOf'] ?? given['oneOf'];
  if (Array.isArray(choices)) {
    const all = choices.map(plainSchema);
    if (all.includes(null)) return null;
    return { ...plain, anyOf: all };
  }
  if (types(given).includes('object')) {
    const open = given['additionalProperties'];
    const properties = given['properties'] as Readonly<Record<string, unknown>> | undefined;
    if (properties === undefined || (open !== false && open !== undefined)) return null;
    const all = Object.entries(properties).map(([name, property]) => [name, plainSchema(property)] as const);
    if (all.some(([, property]) => property === null)) return null;
    const required = given['required'] ?? [];
    return { ...plain, properties: Object.fromEntries(all), required, additionalProperties: false };
  }
  if (types(given).includes('array')) {
    const items = plainSchema(given['items']);
    return items === null ? null : { ...plain, items };
  }
  return types(given).length > 0 || 'enum' in given || 'const' in given ? plain : null;
}

function types(schema: JsonSchema): unknown[] {
  return schema['type'] === undefined ? [] : [schema['type']].flat();
}
