import { isObject } from './json.ts';
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
  return new Inliner(schema, limits).run();
}

class Inliner {
  readonly #root: JsonSchema;
  readonly #limits: SchemaLimits;
  #subschemas = 0;

  constructor(root: JsonSchema, limits: SchemaLimits) {
    this.#root = root;
    this.#limits = limits;
  }

  run(): JsonSchema {
    return this.#visit(this.#root, [], [], 1) as JsonSchema;
  }

  #visit(schema: unknown, path: readonly string[], through: readonly string[], depth: number): unknown {
    this.#subschemas += 1;
    const { subschemas, depth: deepest } = this.#limits;
    if (this.#subschemas > subschemas) {
      throw new SchemaError(path, `more than ${subschemas} subschemas, references followed`);
    }
    if (depth > deepest) throw new SchemaError(path, `more than ${deepest} levels of subschemas`);
    if (typeof schema === 'boolean') return schema;
    if (!isObject(schema)) throw new SchemaError(path, 'must be a schema, that is an object');
    if (schema['$ref'] !== undefined) return this.#follow(schema, path, through, depth);
    const visit = (value: unknown, ...steps: string[]) =>
      this.#visit(value, [...path, ...steps], through, depth + 1);

    const whole: Record<string, unknown> = {};
    for (const [keyword, value] of Object.entries(schema)) {
      if (keyword === '$defs') continue;
      this.#checkKeyword(keyword, value, path);
      whole[keyword] = nested(keyword, value, path, visit);
    }
    return whole;
  }

  #follow(schema: JsonSchema, path: readonly string[], through: readonly string[], depth: number): unknown {
    const { $ref: reference, ...others } = schema;
    const at = [...path, '$ref'];
    const name = typeof reference === 'string' ? /^#\/\$defs\/([^/]+)$/.exec(reference)?.[1] : undefined;
    if (name === undefined)
      throw new SchemaError(at, 'must name a definition of this schema, as in `#/$defs/name`');
    const definitions = this.#root['$defs'];
    const key = name.replaceAll('~1', '/').replaceAll('~0', '~');
    if (!isObject(definitions) || !Object.hasOwn(definitions, key)) {
      throw new SchemaError(at, `names \`${key}\`, which is not in \`$defs\``);
    }
    if (through.includes(key))
      throw new SchemaError(at, `\`${key}\` refers to itself, which is not supported`);
    const target = this.#visit(definitions[key], ['$defs', key], [...through, key], depth);
    const described = Object.keys(others).every((keyword) => annotations.has(keyword));
    if (!described) throw new SchemaError(path, '`$ref` may stand beside descriptions only');
    return isObject(target) ? { ...target, ...others } : target;
  }

  #checkKeyword(keyword: string, value: unknown, path: readonly string[]): void {
    const { vocabulary } = this.#limits;
    if (keyword === '$dynamicRef' || keyword === '$id' || keyword === '$anchor') {
      throw new SchemaError([...path, keyword], 'is not supported');
    }
    if (vocabulary === null) return;
    const { keywords, formats } = vocabulary;
    if (!keywords.has(keyword))
      throw new SchemaError([...path, keyword], 'is a keyword that is not supported');
    if (keyword === 'format' && !formats.has(String(value))) {
      throw new SchemaError([...path, keyword], `must be one of ${[...formats].join(', ')}`);
    }
  }
}

const annotations = new Set(['title', 'description', 'default', 'examples', 'deprecated']);

function nested(
  keyword: string,
  value: unknown,
  path: readonly string[],
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
