import { backslash, quote } from './string-bytes.ts';

/**
 * Levels of objects and lists that JSON from elsewhere may have. Recursive functions (`JSON.stringify`, validators) run out
 * of stack at some thousands; `JSON.parse` does not.
 */
export const deepestJson = 500;

const openingList = 0x5b;
const closingList = 0x5d;
const openingObject = 0x7b;
const closingObject = 0x7d;

/** A number as its text, which `JSON.stringify` writes as it is (https://github.com/tc39/proposal-json-parse-with-source). */
interface RawNumber {
  readonly rawJSON: string;
}

interface ExactJson {
  rawJSON(text: string): RawNumber;
  isRawJSON(value: unknown): value is RawNumber;
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): unknown;
}

const exact = JSON as unknown as ExactJson;

/** Numbers that a program may not hold exactly: sixteen digits or more, or a large exponent. */
const mayLose = /\d\.?\d{15}|\d[eE]\+?\d{3}/;

/** Whether a value that was parsed stands for a number by its text. */
export function isRawNumber(value: unknown): boolean {
  return exact.isRawJSON(value);
}

/**
 * The value of a JSON text that is only passed on: numbers that JavaScript would round, such as ids beyond 2^53, keep their
 * digits when it is written again. Throws `SyntaxError`.
 */
export function parseExactly(text: string): unknown {
  if (!mayLose.test(text) || isTooDeep(text)) return JSON.parse(text);
  return exact.parse(text, kept);
}

function kept(_key: string, value: unknown, { source }: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || source === undefined || String(value) === source) return value;
  return Number.isFinite(value) && source.replace(/[eE].*$/, '').replaceAll(/\D/g, '').length < 16
    ? value
    : exact.rawJSON(source);
}

/** Members whose objects belong to tools, and are only passed on. */
const ofCalls = ['input', 'args', 'arguments', 'extra_content'] as const;
const ofRequests = [
  ...ofCalls,
  'response',
  'parameters',
  'input_schema',
  'schema',
  'parametersJsonSchema',
  'parameters_json_schema',
  'responseSchema',
  'response_schema',
  'responseJsonSchema',
  'response_json_schema',
] as const;

/**
 * Reads a message of which only some is passed on: arguments and results of tools, and schemas. Their numbers keep their
 * digits, all others are numbers. Throws `SyntaxError`.
 */
export type ParseMessage = (text: string) => unknown;

/** Of a request for a model. */
export const parseRequest: ParseMessage = parsing(ofRequests);

/** Parses a vendor's answer. */
export const parseAnswer: ParseMessage = parsing(ofCalls);

function parsing(names: readonly string[]): ParseMessage {
  const passedOn = new Set(names);
  const begins = new RegExp(`"(?:${names.join('|')})"\\s*:\\s*\\{`);
  return (text) => {
    // Nearly every text is answered here; of vectors and probabilities most numbers are long.
    if (!begins.test(text) || !mayLose.test(text)) return JSON.parse(text);
    return numbersIn(parseExactly(text), passedOn);
  };
}

/** With numbers for all that is not in a member of these names. */
function numbersIn(value: unknown, passedOn: ReadonlySet<string>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (exact.isRawJSON(value)) return Number(value.rawJSON);
  if (Array.isArray(value)) return value.map((entry: unknown) => numbersIn(entry, passedOn));
  for (const [name, entry] of Object.entries(value)) {
    if (typeof entry !== 'object' || entry === null) continue;
    if (passedOn.has(name) && !Array.isArray(entry) && !exact.isRawJSON(entry)) continue;
    Object.defineProperty(value, name, { value: numbersIn(entry, passedOn) });
  }
  return value;
}

/** Whether a value that was parsed is an object, which is neither null nor a list, nor a number that is kept by its text. */
export function isObject(value: unknown): value is { readonly [field: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value);
}

type Given<Fields> = {
  [Name in keyof Fields as undefined extends Fields[Name] ? never : Name]: Fields[Name];
} & {
  [Name in keyof Fields as undefined extends Fields[Name] ? Name : never]?: Exclude<Fields[Name], undefined>;
};

/** The members of an object that are not undefined. */
export function given<Fields extends object>(fields: Fields): Given<Fields> {
  const kept: Partial<Fields> = {};
  for (const name in fields) if (fields[name] !== undefined) kept[name] = fields[name];
  return kept as unknown as Given<Fields>;
}

/** Whether a JSON value has more than so many levels of objects and lists in each other. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((entry) => isDeeperThan(entry, levels - 1));
}

/**
 * Whether a JSON text has more levels than `deepestJson`. To be asked before it is parsed: the value could not be handled
 * safely. Nearly every text is answered by counting its brackets, in strings or not, of which few have that many.
 */
export function isTooDeep(text: string): boolean {
  return count(text, '[') + count(text, '{') > deepestJson && depthOf(text) > deepestJson;
}

/**
 * The object that a JSON text says; null for any other text, and for what is nested too deeply.
 * @param parse `parseExactly` where numbers have to keep their digits
 */
export function objectIn(
  text: string,
  parse: (text: string) => unknown = JSON.parse,
): Readonly<Record<string, unknown>> | null {
  if (isTooDeep(text)) return null;
  try {
    const value = parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** At most one more than the limit. */
function count(text: string, bracket: string): number {
  let found = 0;
  if (text.length <= deepestJson) return found;
  for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) {
    found += 1;
    if (found > deepestJson) break;
  }
  return found;
}

/** The maximum number of levels at a time, also of a text that is no JSON. */
function depthOf(text: string): number {
  let deepest = 0;
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === backslash) at += 1;
      else if (code === quote) inString = false;
    } else if (code === quote) inString = true;
    else if (code === openingList || code === openingObject) {
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (code === closingList || code === closingObject) depth -= 1;
  }
  return deepest;
}

/** One value over another: objects are merged member by member, all else is replaced. Neither is changed. */
export function merged(below: unknown, above: unknown): unknown {
  if (!isObject(below) || !isObject(above)) return above;
  const overlaid = Object.entries(above).map(([name, value]) => [
    name,
    Object.hasOwn(below, name) ? merged(below[name], value) : value,
  ]);
  // Defined rather than assigned, so that no name means anything, `__proto__` included.
  return Object.fromEntries([...Object.entries(below), ...overlaid]);
}

/** A value after a JSON merge patch (RFC 7396): as `merged`, but that null deletes. */
export function patched(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const result = new Map(Object.entries(isObject(target) ? target : {}));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) result.delete(name);
    else result.set(name, patched(result.get(name), value));
  }
  return Object.fromEntries(result);
}

/** An escape in JSON, of a surrogate pair both halves. */
const escapes =
  /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[dD][89a-fA-F][\da-fA-F]{2}|.)/gs;
const loneLength = '\\ud800'.length;

/**
 * JSON in which the escape of half a surrogate pair has become a replacement character, as texts that were cut in the middle of a
 * character have it: strict readers refuse the whole of it (https://github.com/anthropics/claude-code/issues/60394).
 */
export function withWholeCharacters(json: string): string {
  if (!json.includes('\\ud') && !json.includes('\\uD')) return json;
  return json.replace(escapes, (seen) => (seen.length === loneLength ? '\\ufffd' : seen));
}

/** The steps of a JSON Pointer (RFC 6901), also as a fragment. */
export function stepsOf(pointer: string): string[] {
  const [, ...steps] = pointer.split('/');
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The keywords of JSON Schema whose value is a schema, a list of schemas, or has schemas by names. */
export const schemaKeywords = {
  one: new Set('items additionalProperties not contains propertyNames if then else'.split(' ')),
  list: new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']),
  byName: new Set(['properties', '$defs', 'definitions', 'patternProperties', 'dependentSchemas']),
};

/** A JSON Schema with the schemas right within it changed; the same object where none is. */
export function withSubschemas(
  schema: Readonly<Record<string, unknown>>,
  change: (subschema: unknown, keyword: string) => unknown,
): Readonly<Record<string, unknown>> {
  const { one, list, byName } = schemaKeywords;
  // Made when there is one: most schemas stay, and requests of agents have hundreds of nodes.
  let changed: Record<string, unknown> | null = null;
  for (const key of Object.keys(schema)) {
    const value = schema[key];
    let now = value;
    if (one.has(key)) now = change(value, key);
    else if (list.has(key) && Array.isArray(value)) {
      const all = value.map((entry: unknown) => change(entry, key));
      if (all.some((entry, index) => entry !== value[index])) now = all;
    } else if (byName.has(key) && isObject(value)) {
      let members: Record<string, unknown> | null = null;
      for (const name of Object.keys(value)) {
        const entry = change(value[name], key);
        if (entry === value[name]) continue;
        members ??= { ...value };
        members[name] = entry;
      }
      now = members ?? value;
    }
    if (now !== value) {
      changed ??= { ...schema };
      changed[key] = now;
    }
  }
  return changed ?? schema;
}
