import { inlineSchema, type SchemaLimits } from '../lib/inline-schema.ts';
import { stepsOf } from '../lib/json.ts';
import { checkSchema, compileSchema, type JsonSchema, SchemaError } from '../lib/json-schema.ts';

/** The operator is trusted, so this only catches what is a mistake: all of JSON Schema but obvious mistakes. */
const limits: SchemaLimits = {
  subschemas: 5000,
  depth: 32,
  vocabulary: {
    keywords: new Set([
      ...['type', 'enum', 'const', 'properties', 'required', 'additionalProperties', 'patternProperties'],
      ...['propertyNames', 'minProperties', 'maxProperties', 'dependentRequired', 'dependentSchemas'],
      ...['items', 'prefixItems', 'contains', 'minContains', 'maxContains'],
      ...['minItems', 'maxItems', 'uniqueItems', 'unevaluatedProperties', 'unevaluatedItems'],
      ...['anyOf', 'oneOf', 'allOf', 'not', 'if', 'then', 'else'],
      ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
      ...['minLength', 'maxLength', 'pattern', 'format'],
      ...['title', 'description', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly', '$comment'],
    ]),
    formats: new Set([
      ...['date', 'time', 'date-time', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid', 'regex'],
      ...['uri', 'uri-reference', 'uri-template', 'url', 'json-pointer', 'relative-json-pointer', 'byte'],
    ]),
  },
};

/**
 * The schema of an object as the operator wrote it, with its references followed, and examples held against it: those that are given, or
 * else its own. Errors are reported.
 */
export async function checkedSchema(
  written: JsonSchema,
  report: (path: readonly string[], text: string) => void,
  given?: { readonly part: string; readonly examples: readonly unknown[] },
): Promise<JsonSchema> {
  const part = given ? [given.part] : [];
  try {
    await checkSchema(written);
    const schema = inlineSchema(written, limits);
    if (schema['type'] !== 'object') throw new SchemaError(['type'], 'expected `object`');
    const validate = await compileSchema(schema);
    const { examples = [] } = given ?? (schema as { examples?: readonly unknown[] });
    for (const [n, example] of examples.entries()) {
      // A copy, as the check fills defaults in.
      if (validate(structuredClone(example))) continue;
      const [problem] = validate.errors ?? [];
      const at = ['examples', String(n), ...part, ...stepsOf(problem?.instancePath ?? '')];
      report(at, `${problem?.message}, by the schema ${given ? `of the ${given.part}` : 'itself'}.`);
    }
    return schema;
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    report([...part, ...error.path], `no valid JSON Schema: ${error.message}.`);
    return { type: 'object' };
  }
}

/** A map with some keys and no others. */
export function fields<const Required extends string, const Properties>(
  description: string,
  required: readonly Required[],
  properties: Properties,
) {
  return { type: 'object', required, properties, additionalProperties: false, description } as const;
}

export function list<const Items>(description: string, items: Items) {
  return { type: 'array', items, description } as const;
}

/** A map from names to values that are all alike. */
export function mapOf<const Values, const Names = undefined>(
  description: string,
  additionalProperties: Values,
  propertyNames?: Names,
) {
  return {
    type: 'object',
    ...(propertyNames && { propertyNames }),
    additionalProperties,
    description,
  } as const;
}

export function anyText(description: string) {
  return { type: 'string', description } as const;
}

/** A text of one of the formats in `parse-file.ts`. */
export function formatted(format: string, description: string) {
  return { type: 'string', format, description } as const;
}

/** A text of a form. */
export function pattern(form: string, description: string) {
  return { type: 'string', pattern: form, description } as const;
}

export function oneOf<const Values extends readonly string[]>(...values: Values) {
  const names = values.map((value) => `\`${value}\``);
  const description = `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
  return { enum: values, description } as const;
}

/** A whole number from 1. */
export function count(maximum: number) {
  return {
    type: 'integer',
    minimum: 1,
    maximum,
    description: `a whole number from 1 to ${maximum}`,
  } as const;
}

export const flag = { type: 'boolean', description: 'true or false' } as const;

interface Types {
  string: string;
  integer: number;
  number: number;
  boolean: boolean;
  null: null;
}

/** The type of values that fit a schema, as far as its keywords are used here. */
export type FromSchema<S> = S extends { readonly const: infer Value }
  ? Value
  : S extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : S extends { readonly then: infer Then; readonly else: infer Else }
      ? FromSchema<Then> | FromSchema<Else>
      : S extends { readonly type: 'array'; readonly items: infer Item }
        ? readonly FromSchema<Item>[]
        : S extends { readonly properties: infer P; readonly required: readonly (infer Required)[] }
          ? { readonly [Name in keyof P & Required]: FromSchema<P[Name]> } & {
              readonly [Name in Exclude<keyof P, Required>]?: FromSchema<P[Name]>;
            }
          : S extends { readonly type: 'object'; readonly additionalProperties: infer Value }
            ? Readonly<Record<string, FromSchema<Value>>>
            : S extends { readonly type: 'object' }
              ? Readonly<Record<string, unknown>>
              : S extends { readonly type: infer Type }
                ? Types[(Type extends readonly (infer One)[] ? One : Type) & keyof Types]
                : never;
