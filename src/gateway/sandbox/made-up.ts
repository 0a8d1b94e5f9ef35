import { ServiceError } from '../../contract/errors.ts';
import { valueAt } from '../../lib/json-patch.ts';
import { validatorOf } from '../../lib/json-schema.ts';

type Schema = Readonly<Record<string, unknown>>;

const sample = 'made up by the sandbox';
/** Maximum length of a schema that is followed, in characters of JSON, and of values that are made up from it. */
const maxSchemaLength = 64 * 1024;
const maxValues = 1000;
const maxTextLength = 10_000;
/** Below this depth only what a schema requires is made up, which ends recursion where it can end. */
const fullDepth = 3;
const deepest = 32;

/**
 * Some value that fits the schema, always the same one. Throws `invalid_request` where none is found: for a `pattern`,
 * for a schema that is not valid or too large, and for what contradicts itself.
 */
export async function madeUpInstance(asked: Schema): Promise<unknown> {
  const text = JSON.stringify(asked);
  if (text.length > maxSchemaLength) throw impossible('it is larger than 64 KiB');
  // The maker refuses patterns; those of a hostile schema must not run.
  const anything = Object.assign(() => ({ test: () => true }), { code: 'null' });
  // Its numbers may be kept by their text.
  const { ajv, schema } = await validatorOf(JSON.parse(text) as Schema, {
    strict: false,
    validateFormats: false,
    logger: false,
    code: { regExp: anything },
  });
  const value = new Maker(schema).make(schema, 0);
  let fits: boolean;
  try {
    fits = ajv.validate(schema, value) as boolean;
  } catch (error) {
    throw impossible('it is not a valid schema', error);
  }
  if (!fits) throw impossible(`${ajv.errorsText(ajv.errors, { dataVar: 'the answer' }).slice(0, 300)}`);
  return value;
}

/** Arguments for a function with these parameters: the required ones, with `text` as the first text. */
export function madeUpArguments(parameters: Schema | undefined, text: string): Record<string, unknown> {
  const required = Array.isArray(parameters?.['required']) ? parameters['required'].map(String) : [];
  const properties = (parameters?.['properties'] ?? {}) as Readonly<Record<string, Schema>>;
  const maker = new Maker(parameters ?? {});
  let given = text === '';
  const entries = required.map((name): [string, unknown] => {
    const property = Object.hasOwn(properties, name) ? (properties[name] ?? {}) : {};
    if (!given && property['type'] === 'string' && !property['enum'] && !property['format']) {
      given = true;
      return [name, text];
    }
    return [name, maker.make(property, fullDepth)];
  });
  return Object.fromEntries(entries);
}

class Maker {
  readonly #root: Schema;
  #made = 0;

  constructor(root: Schema) {
    this.#root = root;
  }

  make(received: unknown, depth: number): unknown {
    this.#made += 1;
    if (this.#made > maxValues || depth > deepest) throw impossible('it asks for too much');
    const schema = this.#resolved(received, 0);
    if ('const' in schema) return schema['const'];
    if (Array.isArray(schema['enum'])) return schema['enum'][0];
    for (const keyword of ['anyOf', 'oneOf']) {
      const branches = schema[keyword];
      if (Array.isArray(branches) && branches.length > 0) {
        const { [keyword]: _, ...rest } = schema;
        return this.make(merged([rest, this.#resolved(branches[0], 0)]), depth + 1);
      }
    }
    switch (typeOf(schema)) {
      case 'object':
        return this.#object(schema, depth);
      case 'array':
        return this.#array(schema, depth);
      case 'string':
        return textFor(schema);
      case 'integer':
      case 'number':
        return numberFor(schema);
      case 'boolean':
        return true;
      default:
        return null;
    }
  }

  /** With its references followed and its `allOf` merged. */
  #resolved(received: unknown, hops: number): Schema {
    if (typeof received !== 'object' || received === null) return {};
    const schema = received as Schema;
    const reference = schema['$ref'];
    if (typeof reference === 'string') {
      if (hops > deepest) throw impossible('its references go round in a circle');
      const { $ref: _, ...rest } = schema;
      return this.#resolved(merged([this.#find(reference), rest]), hops + 1);
    }
    if (!Array.isArray(schema['allOf'])) return schema;
    const { allOf, ...rest } = schema;
    return merged([rest, ...(allOf as unknown[]).map((part) => this.#resolved(part, hops + 1))]);
  }

  #find(reference: string): Schema {
    const found = /^#(?:\/|$)/.test(reference) ? valueAt(this.#root, reference) : null;
    if (typeof found !== 'object' || found === null)
      throw impossible(`there is nothing at ${reference.slice(0, 100)}`);
    return found as Schema;
  }

  #object(schema: Schema, depth: number): Record<string, unknown> {
    const properties = (schema['properties'] ?? {}) as Readonly<Record<string, unknown>>;
    const required = Array.isArray(schema['required']) ? schema['required'].map(String) : [];
    const names = depth < fullDepth ? [...Object.keys(properties), ...required] : required;
    const entries = [...new Set(names)].map((name): [string, unknown] => [
      name,
      this.make(Object.hasOwn(properties, name) ? properties[name] : { type: 'string' }, depth + 1),
    ]);
    return Object.fromEntries(entries);
  }

  #array(schema: Schema, depth: number): unknown[] {
    const min = numberOf(schema['minItems']) ?? (depth < fullDepth ? 1 : 0);
    const count = Math.min(min, numberOf(schema['maxItems']) ?? min);
    // Before 2020-12 `items` could be the list of the first ones.
    const listed = [schema['prefixItems'], schema['items']].find(Array.isArray);
    const first: readonly unknown[] = listed ?? [];
    const others = Array.isArray(schema['items']) ? schema['additionalItems'] : schema['items'];
    return Array.from({ length: Math.min(count, maxValues) }, (_, index) =>
      this.make(first[index] ?? others, depth + 1),
    );
  }
}

function merged(schemas: readonly Schema[]): Schema {
  const result: Record<string, unknown> = {};
  for (const schema of schemas) {
    for (const [keyword, value] of Object.entries(schema)) {
      const known = result[keyword];
      if (keyword === 'properties' && known) result[keyword] = { ...known, ...(value as object) };
      else if (keyword === 'required' && Array.isArray(known) && Array.isArray(value))
        result[keyword] = [...known, ...value];
      else result[keyword] = value;
    }
  }
  return result;
}

function typeOf(schema: Schema): string {
  const types = [schema['type']].flat().filter((type) => typeof type === 'string');
  const named = types.find((type) => type !== 'null') ?? types[0];
  if (named) return named;
  if ('properties' in schema || 'required' in schema) return 'object';
  return 'items' in schema ? 'array' : 'string';
}

const byFormat: Readonly<Record<string, string>> = {
  'date-time': '2026-01-01T00:00:00Z',
  date: '2026-01-01',
  time: '00:00:00Z',
  duration: 'P1D',
  email: 'made-up@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/made-up',
  uuid: '00000000-0000-4000-8000-000000000000',
};

function textFor(schema: Schema): string {
  if (typeof schema['pattern'] === 'string') throw impossible('it has a text with a pattern');
  const format = schema['format'];
  if (typeof format === 'string' && Object.hasOwn(byFormat, format)) return byFormat[format] ?? sample;
  const min = numberOf(schema['minLength']) ?? 0;
  if (min > maxTextLength) throw impossible('it asks for too much');
  return sample.padEnd(min, '.').slice(0, Math.max(min, numberOf(schema['maxLength']) ?? sample.length));
}

function numberFor(schema: Schema): number {
  const step = numberOf(schema['multipleOf']) ?? (typeOf(schema) === 'integer' ? 1 : 0);
  const above = numberOf(schema['exclusiveMinimum']);
  const below = numberOf(schema['exclusiveMaximum']);
  const min = numberOf(schema['minimum']) ?? (above === null ? null : above + (step || 0.5));
  const max = numberOf(schema['maximum']) ?? (below === null ? null : below - (step || 0.5));
  const wanted = Math.min(Math.max(0, min ?? 0), max ?? Number.POSITIVE_INFINITY);
  return step > 0 ? Math.ceil(wanted / step) * step : wanted;
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

function impossible(why: string, cause?: unknown): ServiceError {
  const message = `The sandbox cannot make up an answer that fits the schema: ${why}.`;
  return new ServiceError('invalid_request', message, { param: 'response_format.json_schema.schema', cause });
}
