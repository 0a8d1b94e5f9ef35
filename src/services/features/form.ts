import type { ResponseFormat } from '../../../generated/types.gen.ts';
import type { JsonSchema } from '../../lib/json-schema.ts';

/** Keywords that every vendor with structured output takes; the others stand in the prompt and are checked here. */
const kept = new Set(['type', 'enum', 'const', 'description', 'title']);

/**
 * What asks a vendor for an answer in this form; undefined for a schema that some vendors cannot be held to, such as
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
