/**
 * Writes an OpenAPI 3.1 document in OpenAPI 3.0.3. Parts that 3.0 cannot express are left out, so that the result lets
 * through a little more and never less. Our own, as the kept libraries leave unions with null and types of several names as
 * they are (`@apiture/openapi-down-convert` 0.14 does, and brings a whole TypeScript compiler).
 */

type Json = Readonly<Record<string, unknown>>;

/** Keywords of JSON Schema 2020-12 that 3.0 does not have and that only narrow what fits. */
const unknownKeywords = new Set([
  ...['$schema', '$id', '$anchor', '$dynamicAnchor', '$dynamicRef', '$vocabulary', '$comment', '$defs'],
  ...[
    'if',
    'then',
    'else',
    'dependentSchemas',
    'dependentRequired',
    'prefixItems',
    'contains',
    'minContains',
  ],
  ...['maxContains', 'patternProperties', 'propertyNames', 'unevaluatedItems', 'unevaluatedProperties'],
  ...['contentEncoding', 'contentMediaType', 'contentSchema'],
]);

/** @param document a valid OpenAPI 3.1 document without webhooks, whose references are all local; it is not changed */
export function downConverted(document: Json): Json {
  return new Conversion(withNullInside(document)).result();
}

/** The kind of a value, as far as it is written in another way: a schema, a map of schemas by name, or anything else. */
type Position = 'schema' | 'schemas' | 'other';

class Conversion {
  readonly #document: Json;

  constructor(document: Json) {
    this.#document = document;
  }

  result(): Json {
    const { jsonSchemaDialect: _, ...rest } = this.#document;
    const { summary: __, ...info } = rest['info'] as Json;
    const { identifier: ___, ...license } = (info['license'] ?? {}) as Json;
    return {
      ...(this.#visit(rest, 'other') as Json),
      openapi: '3.0.3',
      info: { ...info, ...(info['license'] !== undefined && { license }) },
    };
  }

  #visit(value: unknown, position: Position): unknown {
    if (Array.isArray(value)) return value.map((member) => this.#visit(member, position));
    if (typeof value !== 'object' || value === null)
      return position === 'schema' && value === true ? {} : value;
    if (position === 'schema') return this.#schemaOf(value as Json);
    if (position === 'schemas') return mapped(value as Json, (member) => this.#visit(member, 'schema'));
    // A reference has nothing beside it outside of schemas.
    const { $ref } = value as Json;
    if (typeof $ref === 'string') return { $ref };
    return mapped(value as Json, (member, name) => {
      switch (name) {
        case 'schema':
          return this.#visit(member, 'schema');
        case 'schemas':
          return this.#visit(member, 'schemas');
        case 'security':
          return (member as Json[]).map((requirement) => mapped(requirement, () => []));
        case 'example':
        case 'examples':
          return member;
        default:
          return this.#visit(member, 'other');
      }
    });
  }

  #schemaOf(schema: Json): Json {
    const { $ref, ...siblings } = schema;
    if (typeof $ref === 'string') {
      return Object.keys(siblings).length === 0
        ? { $ref }
        : { ...this.#schemaOf(siblings), allOf: [{ $ref }] };
    }
    const result: Record<string, unknown> = {};
    for (const [keyword, value] of Object.entries(schema)) {
      if (!unknownKeywords.has(keyword)) Object.assign(result, this.#keywordOf(keyword, value));
    }
    withBinary(result, schema);
    return withTypes(this.#withoutNullBranch(result), schema['type']);
  }

  #keywordOf(keyword: string, value: unknown): Json {
    switch (keyword) {
      case 'const':
        return { enum: [value] };
      case 'examples':
        return { example: (value as unknown[])[0] };
      case 'default':
        // Ogen 1.14 gives up at a default that is a list.
        return Array.isArray(value) ? {} : { default: value };
      case 'exclusiveMinimum':
        return { minimum: value, exclusiveMinimum: true };
      case 'exclusiveMaximum':
        return { maximum: value, exclusiveMaximum: true };
      case 'properties':
        return { properties: this.#visit(possible(value as Json), 'schemas') };
      case 'items':
      case 'not':
      case 'oneOf':
      case 'anyOf':
      case 'allOf':
      case 'x-event-schema':
        return { [keyword]: this.#visit(value, 'schema') };
      case 'additionalProperties':
        return { [keyword]: typeof value === 'boolean' ? value : this.#visit(value, 'schema') };
      default:
        return { [keyword]: value };
    }
  }

  /** `nullable` in place of a branch that is null, beside the type, without which it says nothing. */
  #withoutNullBranch(schema: Json): Json {
    const union = (['oneOf', 'anyOf'] as const).find((name) =>
      (schema[name] as Json[] | undefined)?.some(isNull),
    );
    if (!union) return schema;
    const { [union]: all, ...rest } = schema;
    const branches = (all as Json[]).filter((branch) => !isNull(branch));
    const [only] = branches;
    if (branches.length === 1 && only && !('$ref' in only)) {
      return { ...only, ...rest, ...withNullAmong(only['enum']), nullable: true };
    }
    const types = new Set(branches.map((branch) => this.#typeOf(branch)));
    const type = types.size === 1 ? { type: [...types][0] } : {};
    return { ...rest, ...type, [branches.length === 1 ? 'allOf' : union]: branches, nullable: true };
  }

  #typeOf({ $ref, type }: Json): unknown {
    if (typeof $ref !== 'string') return type;
    const { schemas } = this.#document['components'] as { schemas: Readonly<Record<string, Json>> };
    return schemas[$ref.split('/').at(-1) ?? '']?.['type'];
  }
}

/** The properties without those whose bounds nothing fits, which say that they are not there; ogen gives up at them. */
function possible(properties: Json): Json {
  const isPossible = (schema: Json) =>
    Number(schema['minLength'] ?? 0) <= Number(schema['maxLength'] ?? Infinity) &&
    Number(schema['minimum'] ?? -Infinity) <= Number(schema['maximum'] ?? Infinity);
  return Object.fromEntries(Object.entries(properties).filter(([, schema]) => isPossible(schema as Json)));
}

function withBinary(result: Record<string, unknown>, schema: Json): void {
  if (schema['contentEncoding'] === 'base64') result['format'] = 'byte';
  else if (schema['contentMediaType'] === 'application/octet-stream') result['format'] = 'binary';
}

/** The 3.0 form of `type: 'null'`. */
function isNull({ enum: values, nullable }: Json): boolean {
  return nullable === true && Array.isArray(values) && values.length === 1 && values[0] === null;
}

/** One type, or a union of schemas of one type each; null is no type but a flag. */
function withTypes(schema: Json, type: unknown): Json {
  const types = [type ?? []].flat() as string[];
  if (types.length === 1 && types[0] === 'null')
    return { ...without(schema, 'type'), enum: [null], nullable: true };
  const names = types.filter((name) => name !== 'null');
  const nullable = names.length < types.length && { ...withNullAmong(schema['enum']), nullable: true };
  const [name] = names;
  if (names.length < 2) return { ...schema, ...(name !== undefined && { type: name }), ...nullable };
  const { description, ...rest } = without(schema, 'type');
  // Beside the type, without which `nullable` says nothing.
  const anyOf = names.map((one, n) => ({ ...keywordsFor(rest, one), type: one, ...(n === 0 && nullable) }));
  return { ...(description !== undefined && { description }), anyOf };
}

const keywordsOfOneType: Readonly<Record<string, readonly string[]>> = {
  string: ['minLength', 'maxLength', 'pattern', 'format'],
  array: ['items', 'minItems', 'maxItems', 'uniqueItems'],
  object: ['properties', 'required', 'additionalProperties', 'minProperties', 'maxProperties'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
};

/** The keywords without those that are about other types. */
function keywordsFor(schema: Json, type: string): Json {
  const own = type === 'integer' ? 'number' : type;
  const foreign = Object.entries(keywordsOfOneType).flatMap(([of, names]) => (of === own ? [] : names));
  return Object.fromEntries(Object.entries(schema).filter(([name]) => !foreign.includes(name)));
}

/** A value that may be null has to stand among those that are listed. */
function withNullAmong(values: unknown): Json {
  return Array.isArray(values) && !values.includes(null) ? { enum: [...values, null] } : {};
}

function without(schema: Json, keyword: string): Json {
  const { [keyword]: _, ...rest } = schema;
  return rest;
}

function mapped(value: Json, change: (member: unknown, name: string) => unknown): Json {
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, change(member, name)]));
}

const prefix = '#/components/schemas/';

/**
 * A document of OpenAPI 3.1 in which no reference stands beside null: 3.0 has no exact form for it that generators take. A schema
 * that is referred to in no other way may be null itself; of any other there is a second one that may, `UsageOrNull` of `Usage`.
 */
function withNullInside(document: Json): Json {
  const components = document['components'] as { readonly schemas: Readonly<Record<string, Json>> };
  const found = new Map<string, { readonly beside: number; readonly plain: number }>();
  countReferences(document, found);
  const names = new Map(
    [...found].flatMap(([name, { beside, plain }]) =>
      beside > 0 && components.schemas[name]?.['type'] !== undefined
        ? [[name, plain > 0 ? `${name}OrNull` : name] as const]
        : [],
    ),
  );
  const nullable = [...names].map(([name, own]) => [own, orNull(components.schemas[name] ?? {})] as const);
  const schemas = { ...components.schemas, ...Object.fromEntries(nullable) };
  return replacedBesideNull({ ...document, components: { ...components, schemas } }, names) as Json;
}

/** The name of the schema that is referred to beside null and nothing else. */
function besideNull(value: Json): string | null {
  const union = value['anyOf'] ?? value['oneOf'];
  if (!Array.isArray(union) || union.length !== 2) return null;
  const reference = union.find((branch) => typeof branch.$ref === 'string')?.$ref as string | undefined;
  if (!reference?.startsWith(prefix) || !union.some((branch) => branch.type === 'null')) return null;
  return reference.slice(prefix.length);
}

function countReferences(value: unknown, found: Map<string, { beside: number; plain: number }>): void {
  if (typeof value !== 'object' || value === null) return;
  const add = (name: string, kind: 'beside' | 'plain') => {
    const counts = found.get(name) ?? { beside: 0, plain: 0 };
    found.set(name, { ...counts, [kind]: counts[kind] + 1 });
  };
  const name = besideNull(value as Json);
  if (name !== null) {
    add(name, 'beside');
    return;
  }
  const { $ref } = value as Json;
  if (typeof $ref === 'string' && $ref.startsWith(prefix)) add($ref.slice(prefix.length), 'plain');
  for (const member of Object.values(value)) countReferences(member, found);
}

function orNull(schema: Json): Json {
  const values = schema['enum'] as unknown[] | undefined;
  return { ...schema, type: [schema['type'], 'null'].flat(), ...(values && { enum: [...values, null] }) };
}

function replacedBesideNull(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((member) => replacedBesideNull(member, names));
  if (typeof value !== 'object' || value === null) return value;
  const name = names.get(besideNull(value as Json) ?? '');
  const { anyOf: _, oneOf: __, ...rest } = value as Json;
  const changed = name === undefined ? value : { ...rest, $ref: prefix + name };
  return Object.fromEntries(
    Object.entries(changed).map(([key, member]) => [key, replacedBesideNull(member, names)]),
  );
}
