type Json = Readonly<Record<string, unknown>>;

const prefix = '#/components/schemas/';

/**
 * A document of OpenAPI 3.1 in which no reference stands beside null: 3.0 has no exact form for it that generators take. A schema
 * that is referred to in no other way may be null itself; of any other there is a second one that may, `UsageOrNull` of `Usage`.
 */
export function withNullInside(document: Json): Json {
  const components = document['components'] as { readonly schemas: Readonly<Record<string, Json>> };
  const found = new Map<string, { readonly beside: number; readonly plain: number }>();
  count(document, found);
  const names = new Map(
    [...found].flatMap(([name, { beside, plain }]) =>
      beside > 0 && components.schemas[name]?.['type'] !== undefined
        ? [[name, plain > 0 ? `${name}OrNull` : name] as const]
        : [],
    ),
  );
  const nullable = [...names].map(([name, own]) => [own, orNull(components.schemas[name] ?? {})] as const);
  const schemas = { ...components.schemas, ...Object.fromEntries(nullable) };
  return replaced({ ...document, components: { ...components, schemas } }, names) as Json;
}

/** The name of the schema that is referred to beside null and nothing else. */
function besideNull(value: Json): string | null {
  const union = value['anyOf'] ?? value['oneOf'];
  if (!Array.isArray(union) || union.length !== 2) return null;
  const reference = union.find((branch) => typeof branch.$ref === 'string')?.$ref as string | undefined;
  if (!reference?.startsWith(prefix) || !union.some((branch) => branch.type === 'null')) return null;
  return reference.slice(prefix.length);
}

function count(value: unknown, found: Map<string, { beside: number; plain: number }>): void {
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
  for (const member of Object.values(value)) count(member, found);
}

function orNull(schema: Json): Json {
  const values = schema['enum'] as unknown[] | undefined;
  return { ...schema, type: [schema['type'], 'null'].flat(), ...(values && { enum: [...values, null] }) };
}

function replaced(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((member) => replaced(member, names));
  if (typeof value !== 'object' || value === null) return value;
  const name = names.get(besideNull(value as Json) ?? '');
  const { anyOf: _, oneOf: __, ...rest } = value as Json;
  const changed = name === undefined ? value : { ...rest, $ref: prefix + name };
  return Object.fromEntries(Object.entries(changed).map(([key, member]) => [key, replaced(member, names)]));
}
