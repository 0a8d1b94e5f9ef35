import { deepestJson, isDeeperThan } from '../../../../lib/json.ts';
import { wrong } from './fields.ts';

type Schema = Record<string, unknown>;

/** Names of fields as Google's schemas have them, where clients may also write them in snake_case. */
const spelling: Readonly<Record<string, string>> = {
  any_of: 'anyOf',
  max_items: 'maxItems',
  min_items: 'minItems',
  max_length: 'maxLength',
  min_length: 'minLength',
  max_properties: 'maxProperties',
  min_properties: 'minProperties',
  property_ordering: 'propertyOrdering',
};

/** Fields that hold 64-bit integers, which come as text. */
const counts: ReadonlySet<string> = new Set([
  'maxItems',
  'minItems',
  'maxLength',
  'minLength',
  'maxProperties',
  'minProperties',
]);

/**
 * A schema in Google's form (https://ai.google.dev/api/caching#Schema) as JSON Schema: types in lower case, `nullable` as a
 * type, properties in the order that `propertyOrdering` names.
 */
export function jsonSchema(schema: unknown, path: string): Schema {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema))
    throw wrong(path, 'type', 'must be an object');
  if (isDeeperThan(schema, deepestJson)) throw wrong(path, 'depth', 'is nested too deeply');
  return converted(schema as Schema);
}

function converted(given: Schema): Schema {
  const schema: Schema = {};
  for (const [key, value] of Object.entries(given)) {
    const name = spelling[key] ?? key;
    if (value !== null && name !== 'nullable') schema[name] = convertedField(name, value);
  }
  if (Array.isArray(schema['propertyOrdering'])) order(schema);
  delete schema['propertyOrdering'];
  // An enum of texts says so in its format, which JSON Schema does not know.
  if (schema['format'] === 'enum') delete schema['format'];
  if (given['nullable'] === true) makeNullable(schema);
  return schema;
}

function convertedField(name: string, value: unknown): unknown {
  if (name === 'type' && typeof value === 'string') return value.toLowerCase();
  if (counts.has(name) && typeof value === 'string') return Number(value);
  if (name === 'items' && isSchema(value)) return converted(value);
  if (name === 'anyOf' && Array.isArray(value))
    return value.map((entry) => (isSchema(entry) ? converted(entry) : entry));
  if (name !== 'properties' || !isSchema(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [key, isSchema(entry) ? converted(entry) : entry]),
  );
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function order(schema: Schema): void {
  const { properties, propertyOrdering } = schema;
  if (!isSchema(properties)) return;
  const names = (propertyOrdering as unknown[]).filter(
    (name) => typeof name === 'string' && name in properties,
  );
  const first = Object.fromEntries((names as string[]).map((name) => [name, properties[name]]));
  schema['properties'] = { ...first, ...properties };
}

function makeNullable(schema: Schema): void {
  const { type } = schema;
  if (typeof type !== 'string') return;
  schema['type'] = [type, 'null'];
  if (Array.isArray(schema['enum'])) schema['enum'] = [...schema['enum'], null];
}
