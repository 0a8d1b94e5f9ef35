import { isObject } from './json-pointer.ts';

export interface Field {
  /** Of the property; empty for the whole input, where the schema lists no properties. */
  readonly name: string;
  /** `lines`: a text a line. */
  readonly kind: 'text' | 'long' | 'choice' | 'number' | 'boolean' | 'lines' | 'choices' | 'json';
  readonly description: string;
  readonly required: boolean;
  readonly options: readonly unknown[];
  readonly byDefault: unknown;
  readonly whole: boolean;
  readonly min: number | null;
  readonly max: number | null;
}

/** Texts that may be longer than this get a box of several lines. */
const longText = 300;

export function fieldsOf(schema: Readonly<Record<string, unknown>>): readonly Field[] {
  const { properties, required } = schema;
  if (!isObject(properties) || 'oneOf' in schema || 'anyOf' in schema) return [fieldOf('', schema, true)];
  const needed = new Set(Array.isArray(required) ? required : []);
  const fields = Object.entries(properties).map(([name, property]) =>
    fieldOf(name, isObject(property) ? property : {}, needed.has(name)),
  );
  return [...fields.filter((field) => field.required), ...fields.filter((field) => !field.required)];
}

function fieldOf(name: string, schema: Readonly<Record<string, unknown>>, required: boolean): Field {
  const { description, minimum, maximum } = schema;
  return {
    name,
    kind: name === '' ? 'json' : kindOf(schema),
    description: typeof description === 'string' ? description : '',
    required,
    options: optionsOf(schema) ?? (isObject(schema['items']) ? optionsOf(schema['items']) : null) ?? [],
    byDefault: schema['default'],
    whole: schema['type'] === 'integer',
    min: typeof minimum === 'number' ? minimum : null,
    max: typeof maximum === 'number' ? maximum : null,
  };
}

function kindOf(schema: Readonly<Record<string, unknown>>): Field['kind'] {
  const { type, items, maxLength } = schema;
  if (optionsOf(schema) !== null) return 'choice';
  switch (type) {
    case 'string':
      return typeof maxLength === 'number' && maxLength <= longText ? 'text' : 'long';
    case 'number':
    case 'integer':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'array':
      if (!isObject(items) || items['type'] !== 'string') return 'json';
      return optionsOf(items) === null ? 'lines' : 'choices';
    default:
      return 'json';
  }
}

function optionsOf(schema: Readonly<Record<string, unknown>>) {
  const options = schema['enum'];
  return Array.isArray(options) ? options : null;
}

/**
 * The value that was entered in a field.
 * @param entered the text, or what is ticked
 * @returns null when nothing was entered
 */
export function readField(
  field: Field,
  entered: readonly string[],
): { value: unknown } | { problem: string } | null {
  const [text = ''] = entered;
  if (field.kind === 'choices') return entered.length > 0 ? { value: entered } : null;
  if (text.trim() === '') return field.required ? { problem: 'is needed' } : null;
  switch (field.kind) {
    case 'choice':
      return { value: field.options[Number(text)] };
    case 'number':
      return numberOf(field, Number(text));
    case 'boolean':
      return { value: text === 'true' };
    case 'lines':
      return { value: text.split('\n').flatMap((line) => line.trim() || []) };
    case 'json':
      return jsonOf(text);
    default:
      return { value: text };
  }
}

function numberOf({ whole, min, max }: Field, value: number) {
  if (!Number.isFinite(value)) return { problem: 'must be a number' };
  if (whole && !Number.isInteger(value)) return { problem: 'must be a whole number' };
  if (min !== null && value < min) return { problem: `must be at least ${min}` };
  if (max !== null && value > max) return { problem: `must be at most ${max}` };
  return { value };
}

export function jsonOf(text: string): { value: unknown } | { problem: string } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { problem: `is no valid JSON: ${error instanceof Error ? error.message : ''}` };
  }
}
