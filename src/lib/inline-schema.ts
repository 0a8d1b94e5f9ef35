import { isObject, stepsOf } from './json.ts';
import { type JsonSchema, SchemaError } from './json-schema.ts';

/** How large a schema may be. */
export interface SchemaLimits {
  /** Subschemas, those behind references counted wherever they stand. */
  readonly subschemas: number;
  /** Levels of subschemas in each other. */
  readonly depth: number;
  /** The only keywords and formats that it may have; null: any. */
  readonly vocabulary: {
    readonly keywords: ReadonlySet<string>;
    readonly formats: ReadonlySet<string>;
  } | null;
}

/** Keywords that hold one schema, a list of schemas, a map of schemas. */
const single = new Set([
  'items',
  'additionalProperties',
  'contains',
  'not',
  'if',
  'then',
  'else',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
]);
const lists = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
const maps = new Set(['properties', 'patternProperties', 'dependentSchemas']);

/**
 * The schema with its references to its own `$defs` replaced by what they name, so that it is a tree: the time a check
 * takes then grows with the size of schema and data and no faster. Throws `SchemaError`: a reference that leads
 * elsewhere or to itself, a limit that is passed, a keyword that is not allowed.
 */
export function inlineSchema(schema: JsonSchema, limits: SchemaLimits): JsonSchema {
  let seen = 0;
  return visit(schema, [], [], 1) as JsonSchema;

  function visit(given: unknown, path: Steps, through: Steps, depth: number): unknown {
    seen += 1;
    if (seen > limits.subschemas)
      throw new SchemaError(path, `more than ${limits.subschemas} subschemas, references followed`);
    if (depth > limits.depth) throw new SchemaError(path, `more than ${limits.depth} levels of subschemas`);
    if (typeof given === 'boolean') return given;
    if (!isObject(given)) throw new SchemaError(path, 'must be a schema, that is an object');
    if (given['$ref'] !== undefined) return follow(given, path, through, depth);
    const within = (value: unknown, ...steps: string[]) =>
      visit(value, [...path, ...steps], through, depth + 1);
    const whole: Record<string, unknown> = {};
    for (const [keyword, value] of Object.entries(given)) {
      if (keyword === '$defs') continue;
      checkKeyword(keyword, value, path, limits.vocabulary);
      whole[keyword] = nested(keyword, value, path, within);
    }
    return whole;
  }

  function follow(given: JsonSchema, path: Steps, through: Steps, depth: number): unknown {
    const { $ref: reference, ...others } = given;
    const at = [...path, '$ref'];
    const name = typeof reference === 'string' ? /^#\/\$defs\/[^/]+$/.exec(reference)?.[0] : undefined;
    const [, key] = stepsOf(name ?? '');
    if (key === undefined)
      throw new SchemaError(at, 'must name a definition of this schema, as in `#/$defs/name`');
    const definitions = schema['$defs'];
    if (!isObject(definitions) || !Object.hasOwn(definitions, key))
      throw new SchemaError(at, `names \`${key}\`, which is not in \`$defs\``);
    if (through.includes(key))
      throw new SchemaError(at, `\`${key}\` refers to itself, which is not supported`);
    const target = visit(definitions[key], ['$defs', key], [...through, key], depth);
    const described = Object.keys(others).every((keyword) => annotations.has(keyword));
    if (!described) throw new SchemaError(path, '`$ref` may stand beside descriptions only');
    return isObject(target) ? { ...target, ...others } : target;
  }
}

type Steps = readonly string[];

function checkKeyword(
  keyword: string,
  value: unknown,
  path: Steps,
  vocabulary: SchemaLimits['vocabulary'],
): void {
  const at = [...path, keyword];
  if (keyword === '$dynamicRef' || keyword === '$id' || keyword === '$anchor')
    throw new SchemaError(at, 'is not supported');
  if (vocabulary === null) return;
  const { keywords, formats } = vocabulary;
  if (!keywords.has(keyword)) throw new SchemaError(at, 'is a keyword that is not supported');
  if (keyword === 'format' && !formats.has(String(value)))
    throw new SchemaError(at, `must be one of ${[...formats].join(', ')}`);
}

const annotations = new Set(['title', 'description', 'default', 'examples', 'deprecated']);

function nested(
  keyword: string,
  value: unknown,
  path: Steps,
  visit: (value: unknown, ...steps: string[]) => unknown,
): unknown {
  if (single.has(keyword)) return visit(value, keyword);
  if (lists.has(keyword)) {
    if (!Array.isArray(value)) throw new SchemaError([...path, keyword], 'must be a list of schemas');
    return value.map((entry, index) => visit(entry, keyword, String(index)));
  }
  if (maps.has(keyword)) {
    if (!isObject(value)) throw new SchemaError([...path, keyword], 'must be a map of schemas');
    const entries = Object.entries(value).map(([name, entry]) => {
      if (name === '__proto__')
        throw new SchemaError([...path, keyword, name], 'is a name that is not supported');
      return [name, visit(entry, keyword, name)];
    });
    return Object.fromEntries(entries);
  }
  return value;
}
