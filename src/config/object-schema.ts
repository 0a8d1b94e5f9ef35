import { inlineSchema, type SchemaLimits } from '../lib/inline-schema.ts';
import {
  type CompiledSchema,
  checkSchema,
  compileSchema,
  type JsonSchema,
  SchemaError,
} from '../lib/json-schema.ts';

/** The operator is trusted, so this only catches what is a mistake: all of JSON Schema but obvious mistakes. */
const limits: SchemaLimits = {
  subschemas: 5000,
  depth: 32,
  vocabulary: {
    keywords: new Set([
      ...['type', 'enum', 'const', 'properties', 'required', 'additionalProperties', 'patternProperties'],
      ...['propertyNames', 'minProperties', 'maxProperties', 'dependentRequired', 'dependentSchemas'],
      ...[
        'items',
        'prefixItems',
        'contains',
        'minContains',
        'maxContains',
        'minItems',
        'maxItems',
        'uniqueItems',
      ],
      ...[
        'anyOf',
        'oneOf',
        'allOf',
        'not',
        'if',
        'then',
        'else',
        'unevaluatedProperties',
        'unevaluatedItems',
      ],
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

/** The schema of an object as the operator wrote it, with its references followed. Throws `SchemaError`. */
export async function readObjectSchema(
  written: JsonSchema,
): Promise<{ schema: JsonSchema; validate: CompiledSchema }> {
  await checkSchema(written);
  const schema = inlineSchema(written, limits);
  if (schema['type'] !== 'object') throw new SchemaError(['type'], 'expected `object`');
  return { schema, validate: await compileSchema(schema) };
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

/** What fits a schema, as far as its keywords are used here. */
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
