/** How models are asked for the JSON of the built-in features, where that is more than their output schema says. */

import { createHash } from 'node:crypto';
import type { SchemaProblem, Validator } from '../../contract/built.ts';
import { fieldError, type ServiceError } from '../../contract/errors.ts';
import { join } from '../../contract/problems.ts';
import { inlineSchema, type SchemaLimits } from '../../lib/inline-schema.ts';
import { type CompiledSchema, compileSchema, type JsonSchema, SchemaError } from '../../lib/json-schema.ts';
import type { FeatureDeclaration } from './declaration.ts';
import { verdictOf } from './model-engine.ts';
import type { Fields, JsonShape } from './task.ts';

/** Throws `ServiceError` for an input that is wrong in a way that its schema cannot say. */
type MakeShape = (input: Fields, declared: JsonShape) => JsonShape | Promise<JsonShape>;

/** A schema whose answer is the output as it is. */
export function plainShape({ output: schema }: FeatureDeclaration, validate: Validator): JsonShape {
  return {
    schema,
    check: (value) => problemsOf(validate, value),
    output: (answer) => answer,
  };
}

function problemsOf(validate: Validator, value: unknown): readonly SchemaProblem[] {
  return validate(value) ? [] : (validate.errors ?? []);
}

/** By the id of the feature. */
export const shapes: Readonly<Record<string, MakeShape>> = {
  async extract(input) {
    const { schema, validate } = await callerSchema(input['schema'] as JsonSchema, 'input.schema');
    return { schema, check: (value) => problemsOf(validate, value), output: (data) => ({ data }) };
  },

  classify(input, declared) {
    const labels = (input['labels'] as readonly { readonly name: string }[]).map(({ name }) => name);
    const multiple = input['multiple'] === true;
    const list = { type: 'array', items: { type: 'string', enum: labels } };
    const schema = withProperty(declared.schema, 'labels', {
      ...list,
      ...(multiple ? { maxItems: labels.length } : { minItems: 1, maxItems: 1 }),
    });
    const check = (value: unknown) => {
      const problems = declared.check(value);
      if (problems.length > 0) return problems;
      return labelProblems((value as Record<'labels', readonly string[]>).labels, labels, multiple);
    };
    return { schema, check, output: (answer) => answer };
  },

  moderate(input, declared) {
    const asked = input['categories'] as readonly string[];
    const { flagged: _, ...properties } = declared.schema['properties'] as Readonly<
      Record<string, JsonSchema>
    >;
    const schema = { ...declared.schema, required: ['categories'], properties };
    const check = (value: unknown) => {
      const problems = declared.check({ ...(value as Fields), flagged: false });
      return problems.length > 0 ? problems : categoryProblems((value as CategoryAnswer).categories, asked);
    };
    return {
      schema,
      check,
      output: (answer) => ({
        ...answer,
        flagged: (answer as unknown as CategoryAnswer).categories.some(({ flagged }) => flagged),
      }),
    };
  },

  compare(_input, declared) {
    const { verdict: _, ...properties } = declared.schema['properties'] as Readonly<
      Record<string, JsonSchema>
    >;
    const required = Object.keys(properties);
    return {
      schema: { ...declared.schema, required, properties },
      check: (value) => declared.check({ ...(value as Fields), verdict: 'different' }),
      output: ({ similarity, ...lists }) => ({
        similarity,
        verdict: verdictOf(similarity as number),
        ...lists,
      }),
    };
  },

  keywords(input, declared) {
    const max = input['limit'] as number;
    type Found = { readonly keyword: string; readonly score: number };
    return {
      ...declared,
      output: ({ keywords }) => ({
        keywords: [...(keywords as readonly Found[])]
          .sort((one, other) => other.score - one.score)
          .slice(0, max),
      }),
    };
  },
};

interface CategoryAnswer {
  readonly categories: readonly { readonly category: string; readonly flagged: boolean }[];
}

function labelProblems(
  given: readonly string[],
  allowedValues: readonly string[],
  multiple: boolean,
): SchemaProblem[] {
  const problems: SchemaProblem[] = given.flatMap((label, index) =>
    allowedValues.includes(label)
      ? []
      : [{ instancePath: `/labels/${index}`, keyword: 'enum', params: { allowedValues } }],
  );
  if (new Set(given).size < given.length) problems.push(problem('/labels', 'must not repeat a label'));
  if (!multiple && given.length !== 1) problems.push(problem('/labels', 'must have exactly one label'));
  return problems;
}

function categoryProblems(
  given: readonly { readonly category: string }[],
  asked: readonly string[],
): SchemaProblem[] {
  const found = given.map(({ category }) => category);
  const fits = found.length === asked.length && asked.every((category) => found.includes(category));
  return fits ? [] : [problem('/categories', `must have each of ${asked.join(', ')} exactly once`)];
}

function problem(instancePath: string, message: string): SchemaProblem {
  return { instancePath, keyword: 'answer', params: {}, message };
}

function withProperty(schema: JsonSchema, name: string, property: JsonSchema): JsonSchema {
  return { ...schema, properties: { ...(schema['properties'] as object), [name]: property } };
}

/** A schema that a caller brought, ready for use. */
interface CallerSchema {
  /** With its references followed. */
  readonly schema: JsonSchema;
  readonly validate: CompiledSchema;
}

const maxBytes = 32 * 1024;
const maxKept = 64;

/**
 * The limits of a caller's schema. Nothing in it runs code of the caller: `pattern` and `patternProperties` are left out,
 * as a regular expression can take for ever, and `uniqueItems`, which takes the square of a list's length.
 */
const limits: SchemaLimits = {
  subschemas: 500,
  depth: 12,
  vocabulary: {
    keywords: new Set([
      ...[
        'type',
        'properties',
        'required',
        'additionalProperties',
        'items',
        'enum',
        'const',
        'anyOf',
        'oneOf',
      ],
      ...['title', 'description', 'default', 'examples', 'deprecated', 'format', '$schema', '$comment'],
      ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
      ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'],
    ]),
    formats: new Set([
      ...['date', 'time', 'date-time', 'duration', 'email', 'uri', 'uuid', 'hostname', 'ipv4', 'ipv6'],
    ]),
  },
};

/** The latest schemas by their hash: the same one usually comes with many texts. */
const kept = new Map<string, CallerSchema>();

/**
 * Compiles the schema that a caller brought, or finds it among the latest. Throws `invalid_request` with the place
 * inside the schema that is wrong.
 * @param at path of the schema in the request
 */
export async function callerSchema(given: JsonSchema, at: string): Promise<CallerSchema> {
  const text = JSON.stringify(given);
  if (Buffer.byteLength(text) > maxBytes) throw invalid(at, `must have at most ${maxBytes} bytes`);
  const key = createHash('sha256').update(text).digest('base64');
  const known = kept.get(key) ?? (await compiled(given, at));
  kept.delete(key);
  kept.set(key, known);
  if (kept.size > maxKept) for (const [oldest] of [...kept].slice(0, 1)) kept.delete(oldest);
  return known;
}

async function compiled(given: JsonSchema, at: string): Promise<CallerSchema> {
  try {
    const { $schema: _, ...inlined } = inlineSchema(given, limits);
    if (inlined['type'] !== 'object') throw new SchemaError(['type'], 'must be "object"');
    return { schema: inlined, validate: await compileSchema(inlined) };
  } catch (error) {
    if (error instanceof SchemaError) throw invalid(error.path.reduce(join, at), error.message);
    throw error;
  }
}

function invalid(path: string, message: string): ServiceError {
  return fieldError(path, 'schema', message);
}
