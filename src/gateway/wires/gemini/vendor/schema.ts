import { isObject } from '../../../../lib/json.ts';

type Schema = Readonly<Record<string, unknown>>;

/**
 * A JSON schema as the fields for JSON schemas (`parametersJsonSchema`, `responseJsonSchema`) take it. Of JSON Schema they
 * know a part and skip the rest, so what they would skip is said in the words that they know: `const` as an `enum` of one
 * value, `definitions` as `$defs`, `allOf` of one as that one, an exclusive bound of integers as an inclusive one. Beside
 * `$ref` they refuse every other keyword (https://ai.google.dev/api/generate-content, `responseJsonSchema`).
 */
export function geminiSchema(given: unknown): Schema {
  if (!isSchema(given)) return given as Schema;
  let schema: Record<string, unknown> = { ...given };
  if ('definitions' in schema && !('$defs' in schema)) {
    schema['$defs'] = schema['definitions'];
    delete schema['definitions'];
  }
  for (const key of schemas) if (isSchema(schema[key])) schema[key] = geminiSchema(schema[key]);
  for (const key of listsOfSchemas) {
    const list = schema[key];
    if (Array.isArray(list)) schema[key] = list.map(geminiSchema);
  }
  for (const key of mapsOfSchemas) {
    const map = schema[key];
    if (isSchema(map))
      schema[key] = Object.fromEntries(
        Object.entries(map).map(([name, value]) => [name, geminiSchema(value)]),
      );
  }
  schema = withoutSingleAllOf(schema);
  constAsEnum(schema);
  inclusive(schema, 'exclusiveMinimum', 'minimum', 1);
  inclusive(schema, 'exclusiveMaximum', 'maximum', -1);
  return withReferenceAlone(schema);
}

const schemas = ['items', 'additionalProperties', 'not', 'contains', 'propertyNames'] as const;
const listsOfSchemas = ['anyOf', 'oneOf', 'allOf', 'prefixItems'] as const;
const mapsOfSchemas = ['properties', '$defs', 'patternProperties'] as const;

const isSchema = isObject as (value: unknown) => value is Record<string, unknown>;

/** Of texts and numbers only: for others there is no `enum` here. */
function constAsEnum(schema: Record<string, unknown>): void {
  const value = schema['const'];
  if (typeof value !== 'string' && typeof value !== 'number') return;
  delete schema['const'];
  schema['enum'] ??= [value];
  schema['type'] ??= typeof value === 'string' ? 'string' : Number.isInteger(value) ? 'integer' : 'number';
}

function inclusive(schema: Record<string, unknown>, from: string, to: string, step: 1 | -1): void {
  const bound = schema[from];
  if (schema['type'] !== 'integer' || typeof bound !== 'number' || !Number.isInteger(bound)) return;
  if (typeof schema[to] === 'number') return;
  delete schema[from];
  schema[to] = bound + step;
}

function withoutSingleAllOf(schema: Record<string, unknown>): Record<string, unknown> {
  const { allOf, ...rest } = schema;
  if (!Array.isArray(allOf) || allOf.length !== 1 || !isSchema(allOf[0])) return schema;
  const only: Record<string, unknown> = allOf[0];
  const clash = Object.keys(only).some((key) => key in rest && key !== 'description' && key !== 'title');
  return clash ? schema : { ...only, ...rest };
}

/** `$ref` with other keywords beside it becomes the only choice of an `anyOf`, beside which they may stand. */
function withReferenceAlone(schema: Record<string, unknown>): Record<string, unknown> {
  const { $ref, ...rest } = schema;
  if (typeof $ref !== 'string') return schema;
  const reference = $ref.replace(/^#\/definitions\//, '#/$defs/');
  const beside = Object.keys(rest).filter((key) => !key.startsWith('$'));
  if (beside.length === 0 || 'anyOf' in rest)
    return {
      ...Object.fromEntries(Object.entries(rest).filter(([key]) => key.startsWith('$'))),
      $ref: reference,
    };
  return { ...rest, anyOf: [{ $ref: reference }] };
}
