/** Part of a JSON Schema, as far as the contract's forms of specs use it. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly additionalProperties?: boolean | Schema;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

/**
 * A schema as a type in a few signs, which models read as well as JSON Schema in a fifth of its tokens: `text≤60` is a text of
 * at most 60 characters, `[text≤60]≤16` a list of at most 16 such texts, and `?` stands behind what may be left out.
 */
export function notation(schema: object, defs: object): string {
  return written(schema as Schema, defs as Readonly<Record<string, Schema>>);
}

function written(schema: Schema, defs: Readonly<Record<string, Schema>>): string {
  const inner = (part: Schema) => written(part, defs);
  const {
    $ref,
    oneOf,
    allOf,
    enum: values,
    type,
    properties,
    items,
    maxItems,
    additionalProperties,
  } = schema;
  if ($ref !== undefined) return inner(defs[$ref.split('/').at(-1) ?? ''] ?? {});
  if (oneOf) return oneOf.map(inner).join(' | ');
  if (allOf) return allOf.map(inner).join(' & ');
  if (values)
    return values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join('|');
  if (properties) {
    const { required = [] } = schema;
    const members = Object.entries(properties).map(
      ([name, part]) => `${name}${required.includes(name) ? '' : '?'}: ${inner(part)}`,
    );
    return `{${members.join(', ')}}`;
  }
  if (items) return `[${inner(items)}]${maxItems === undefined ? '' : `≤${maxItems}`}`;
  if (typeof additionalProperties === 'object') return `{name: ${inner(additionalProperties)}}`;
  return plain(schema, typeof type === 'string' ? [type] : (type ?? []));
}

const words: Readonly<Record<string, string>> = { string: 'text', boolean: 'true|false', integer: 'number' };

function plain({ maxLength, minimum, maximum }: Schema, types: readonly string[]): string {
  const bounds = minimum === undefined || maximum === undefined ? '' : ` ${minimum}–${maximum}`;
  return types
    .map((type) => `${words[type] ?? type}${type === 'string' && maxLength ? `≤${maxLength}` : bounds}`)
    .join(' | ');
}
