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
export function fields(
  description: string,
  required: readonly string[],
  properties: Readonly<Record<string, object>>,
) {
  return { type: 'object', required, properties, additionalProperties: false, description };
}

export function list(description: string, items: object) {
  return { type: 'array', items, description };
}
