/**
 * A field of a form for one property of a JSON Schema.
 * @typedef {object} Field
 * @property {string} name of the property; empty for the whole input, where the schema lists no properties
 * @property {'text' | 'long' | 'choice' | 'number' | 'boolean' | 'lines' | 'choices' | 'json'} kind `lines`: a text a line
 * @property {string} description
 * @property {boolean} required
 * @property {readonly unknown[]} options of a choice
 * @property {unknown} byDefault
 * @property {boolean} whole whether a number has to be an integer
 * @property {number | null} min
 * @property {number | null} max
 */

/** Texts that may be longer than this get a box of several lines. */
const longText = 300;

/**
 * @param {Readonly<Record<string, unknown>>} schema
 * @returns {readonly Field[]}
 */
export function fieldsOf(schema) {
  const { properties, required } = schema;
  if (!isObject(properties) || 'oneOf' in schema || 'anyOf' in schema) return [fieldOf('', schema, true)];
  const needed = new Set(Array.isArray(required) ? required : []);
  const fields = Object.entries(properties).map(([name, property]) =>
    fieldOf(name, isObject(property) ? property : {}, needed.has(name)),
  );
  return [...fields.filter((field) => field.required), ...fields.filter((field) => !field.required)];
}

/**
 * @param {string} name
 * @param {Readonly<Record<string, unknown>>} schema
 * @param {boolean} required
 * @returns {Field}
 */
function fieldOf(name, schema, required) {
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

/**
 * @param {Readonly<Record<string, unknown>>} schema
 * @returns {Field['kind']}
 */
function kindOf(schema) {
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

/** @param {Readonly<Record<string, unknown>>} schema */
function optionsOf(schema) {
  const options = schema['enum'];
  return Array.isArray(options) ? options : null;
}

/**
 * @param {unknown} value
 * @returns {value is Readonly<Record<string, unknown>>}
 */
function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The value that was entered in a field.
 * @param {Field} field
 * @param {readonly string[]} entered the text, or what is ticked
 * @returns {{ value: unknown } | { problem: string } | null} null when nothing was entered
 */
export function readField(field, entered) {
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

/**
 * @param {Field} field
 * @param {number} value
 */
function numberOf({ whole, min, max }, value) {
  if (!Number.isFinite(value)) return { problem: 'must be a number' };
  if (whole && !Number.isInteger(value)) return { problem: 'must be a whole number' };
  if (min !== null && value < min) return { problem: `must be at least ${min}` };
  if (max !== null && value > max) return { problem: `must be at most ${max}` };
  return { value };
}

/**
 * JSON that the user types.
 * @param {string} text
 * @returns {{ value: unknown } | { problem: string }}
 */
export function jsonOf(text) {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { problem: `is no valid JSON: ${error instanceof Error ? error.message : ''}` };
  }
}
