import { isObject, schemaKeywords, withSubschemas } from '../../lib/json.ts';
import type { NameRule, SchemaRule } from './rules.ts';

export type Schema = Readonly<Record<string, unknown>>;

/** The schema as the rule has it; the same object where nothing has to change. */
export function fittedSchema(schema: Schema, rule: SchemaRule): Schema {
  const merged = rule.unions === 'merged' ? withoutUnion(schema) : schema;
  const top = rule.object && merged['type'] !== 'object' ? { ...merged, type: 'object' } : merged;
  return fitted(top, rule) as Schema;
}

function fitted(given: unknown, rule: SchemaRule): unknown {
  if (typeof given === 'boolean' && rule.booleans === false) return given ? {} : { not: {} };
  if (!isObject(given)) return given;
  const node = rule.types ? withTypesInBranches(given) : given;
  // `additionalProperties` may be true or false wherever there are objects.
  let changed = withSubschemas(node, (one, key) =>
    typeof one === 'boolean' && key !== 'items' && schemaKeywords.one.has(key) ? one : fitted(one, rule),
  );
  const change = (fields: Schema) => {
    changed = { ...changed, ...fields };
  };
  const isObjects = isOf(node, 'object');
  if (rule.properties && isObjects && !isObject(node['properties'])) change({ properties: {} });
  if (rule.items && isOf(node, 'array') && !('items' in node) && !('prefixItems' in node))
    change({ items: {} });
  if (rule.closed && (isObjects || isObject(node['properties'])) && node['additionalProperties'] !== false)
    change({ additionalProperties: false });
  if (rule.one_of && Array.isArray(node['oneOf']) && !('anyOf' in node))
    change({ oneOf: undefined, anyOf: changed['oneOf'] });
  const left = rule.without?.filter((key) => key in node && !isTaken(key, node[key])) ?? [];
  if (rule.patterns && typeof node['pattern'] === 'string' && !simple.test(node['pattern']))
    left.push('pattern');
  if (left.length === 0) return changed;
  const kept = Object.entries(changed).filter(([key]) => !left.includes(key));
  const said = `(${left.map((key) => `${key}: ${JSON.stringify(node[key])}`).join(', ')})`;
  const { description } = node;
  return {
    ...Object.fromEntries(kept),
    description: typeof description === 'string' ? `${description} ${said}` : said,
  };
}

/**
 * A schema without a type beside its `anyOf`, one of several types as such an `anyOf`, and nothing beside a `$ref`
 * (https://github.com/MoonshotAI/walle/blob/main/docs/mfjs-spec.md).
 */
function withTypesInBranches(node: Schema): Schema {
  const { $ref: reference, anyOf: branches, type, ...rest } = node;
  if (typeof reference === 'string') {
    const { $defs, definitions } = node;
    return {
      $ref: reference,
      ...($defs !== undefined && { $defs }),
      ...(definitions !== undefined && { definitions }),
    };
  }
  if (Array.isArray(branches)) {
    if (isObject(node['properties'])) return withoutUnion(node);
    if (type === undefined) return node;
    return {
      ...rest,
      anyOf: branches.map((one: unknown) => (isTyped(one) ? one : { ...(one as Schema), type })),
    };
  }
  const kept = ['title', 'description', 'default', 'enum'];
  if (!Array.isArray(type) || type.length < 2 || Object.keys(rest).every((key) => kept.includes(key)))
    return node;
  const { title, description, ...own } = rest;
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    anyOf: type.map((one: unknown) => (one === 'null' ? { type: one } : { ...own, type: one })),
  };
}

function isTyped(branch: unknown): boolean {
  return !isObject(branch) || ['type', '$ref', 'anyOf'].some((key) => key in branch);
}

/** Formats of texts that answers are held to; Anthropic's also to `uri`. */
const formats = ['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'];
/** Lookarounds and backreferences in a pattern. */
const looking = /\(\?<?[=!]|\\[1-9]/;

/** A pattern that llama.cpp can make a grammar of. */
const simple = /^\^(?!.*(?:\\[a-zA-Z\d]|\(\?)).*\$$/s;

/** Anthropic takes a least number of items of 0 and 1, patterns that do not look around, and some formats. */
function isTaken(key: string, value: unknown): boolean {
  if (key === 'minItems') return value === 0 || value === 1;
  if (key === 'format') return value === 'uri' || formats.includes(String(value));
  return key === 'pattern' && !looking.test(String(value));
}

function isOf({ type }: Schema, name: string): boolean {
  return type === name || (Array.isArray(type) && type.includes(name));
}

const unions = ['anyOf', 'oneOf', 'allOf'] as const;

/** Whether there is a union at the top, or what else is refused there alike. */
export function hasUnion(schema: Schema): boolean {
  return ['not', 'enum', ...unions].some((key) => key in schema);
}

/**
 * The branches of a union at the top as one object, which accepts any value that one of them accepts: a property is
 * required if all require it, and one that several have is of one of their schemas.
 */
function withoutUnion(schema: Schema): Schema {
  if (!hasUnion(schema)) return schema;
  const { not: _not, enum: _enum, anyOf: _any, oneOf: _one, allOf: _all, ...rest } = schema;
  const properties: Record<string, unknown> = isObject(rest['properties']) ? { ...rest['properties'] } : {};
  const required = new Set(requiredOf(rest));
  for (const key of unions) {
    const given = schema[key];
    const branches = (Array.isArray(given) ? given : [])
      .map((one: unknown) => resolved(one, schema))
      .filter(isObject)
      .map(withoutUnion);
    for (const branch of branches) addProperties(properties, branch);
    const all = branches.map((branch) => new Set(requiredOf(branch)));
    for (const name of all.flatMap((names) => [...names]))
      if (key === 'allOf' || all.every((names) => names.has(name))) required.add(name);
  }
  return { ...rest, type: 'object', properties, ...(required.size > 0 && { required: [...required] }) };
}

function addProperties(properties: Record<string, unknown>, branch: Schema): void {
  if (!isObject(branch['properties'])) return;
  for (const [name, value] of Object.entries(branch['properties'])) {
    const before = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (before === undefined) properties[name] = value;
    else if (JSON.stringify(before) !== JSON.stringify(value))
      properties[name] = { anyOf: [...choicesOf(before), value] };
  }
}

function choicesOf(schema: unknown): readonly unknown[] {
  if (!isObject(schema) || !Array.isArray(schema['anyOf']) || Object.keys(schema).length > 1) return [schema];
  return schema['anyOf'];
}

function requiredOf({ required }: Schema): string[] {
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
}

/** A branch that refers to a definition of the same schema; any other as it is. */
function resolved(branch: unknown, { $defs, definitions }: Schema): unknown {
  const reference = isObject(branch) ? branch['$ref'] : undefined;
  if (typeof reference !== 'string') return branch;
  const [, folder, name = ''] = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(reference) ?? [];
  const found = folder === '$defs' ? $defs : definitions;
  return isObject(found) && Object.hasOwn(found, name) ? found[name] : branch;
}

/** The keywords that OpenAI refuses in strict schemas (https://platform.openai.com/docs/guides/structured-outputs#supported-schemas). */
const loose = [
  ...['oneOf', 'allOf', 'not', 'if', 'then', 'else', 'dependentRequired', 'dependentSchemas'],
  ...['patternProperties', 'propertyNames', 'contains', 'uniqueItems', 'minProperties', 'maxProperties'],
];

/**
 * Whether each object of the schema is closed and, where it has to be `complete`, requires all of its properties, and has only keywords
 * of strict schemas.
 */
export function isStrict(node: unknown, how: 'complete' | 'closed' | 'never'): boolean {
  if (how === 'never') return false;
  if (!isObject(node)) return true;
  const { properties, pattern, format } = node;
  if (how === 'complete') {
    if (loose.some((key) => key in node) || looking.test(String(pattern))) return false;
    if (typeof format === 'string' && !formats.includes(format)) return false;
    const required = new Set(requiredOf(node));
    if (isObject(properties) && Object.keys(properties).some((name) => !required.has(name))) return false;
  }
  if ((isOf(node, 'object') || isObject(properties)) && node['additionalProperties'] !== false) return false;
  return childrenOf(node).every((child) => isStrict(child, how));
}

/**
 * Whether the schema has an object whose members may have any name, or contains itself: closed, the one would be empty, and the other is
 * refused.
 */
export function isOpen(schema: Schema): boolean {
  return isOpenIn(schema, schema, new Map(), 0);
}

/** More schemas than that within each other are not looked into. */
const maxWithin = 400;

/** @param seen whether what was looked at is over: each schema is looked at once */
function isOpenIn(node: unknown, root: Schema, seen: Map<unknown, boolean>, depth: number): boolean {
  if (!isObject(node)) return false;
  const over = seen.get(node);
  if (over !== undefined || depth > maxWithin) return over !== true;
  seen.set(node, false);
  const { $ref: reference, additionalProperties: more, properties } = node;
  if (more === true || isObject(more)) return true;
  if (isOf(node, 'object') && !isObject(properties) && more !== false && reference === undefined) return true;
  const target = reference === '#' ? root : resolved(node, root);
  const inner = childrenOf(node, ['$defs', 'definitions']);
  if (target !== node) inner.push(target);
  if (inner.some((one) => isOpenIn(one, root, seen, depth + 1))) return true;
  seen.set(node, true);
  return false;
}

/** @param but keywords whose schemas are left out */
function childrenOf(node: Schema, but: readonly string[] = []): unknown[] {
  const { one, list, byName } = schemaKeywords;
  return Object.keys(node).flatMap((key) => {
    const value = node[key];
    if (but.includes(key)) return [];
    if (byName.has(key) && isObject(value)) return Object.values(value);
    if (list.has(key) && Array.isArray(value)) return value;
    return one.has(key) ? [value] : [];
  });
}

/** The first name of a property that does not keep to the rule; null: all do. */
export function wrongProperty(node: unknown, wrong: (name: string) => boolean): string | null {
  const { properties } = isObject(node) ? node : ({} as Schema);
  const own = isObject(properties) ? Object.keys(properties).find(wrong) : undefined;
  if (own !== undefined) return own;
  for (const child of isObject(node) ? childrenOf(node) : Array.isArray(node) ? node : []) {
    const found = wrongProperty(child, wrong);
    if (found !== null) return found;
  }
  return null;
}

/** A name that keeps to the rule. */
export function namePattern({ letters, first, max }: NameRule): RegExp {
  return first === undefined
    ? new RegExp(`^[${letters}]{1,${max}}$`)
    : new RegExp(`^(?=[${first}])[${letters}]{1,${max}}$`);
}
