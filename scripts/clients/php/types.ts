/** What the generator takes for classes, and PHP writes otherwise: unions of types, and the texts of enums. */
export interface Types {
  /** By the name of the class: its types in PHP. */
  readonly unions: ReadonlyMap<string, readonly string[]>;
  readonly enums: ReadonlySet<string>;
}

const namespace = String.raw`\\Switchyard\\Model\\`;

/** Finds them in the generated files. */
export function typesIn(texts: readonly string[]): Types {
  const unions = new Map<string, string[]>();
  const enums = new Set<string>();
  for (const text of texts) {
    const [, union, members] = /\/\/ union (\w+): (.*)/.exec(text) ?? [];
    if (union && members) unions.set(union, [...new Set(members.split('|').map(native))]);
    const [, name] = /^final class (\w+)\n\{\n {4}public const \w+ = '/m.exec(text) ?? [];
    if (name && !union) enums.add(name);
  }
  return { unions, enums };
}

/** Writes them as PHP does, and schemas under their own names. */
export function withTypes(text: string, { unions, enums }: Types): string {
  let made = text
    .replaceAll('#/components/schemas/', '\\Switchyard\\Model\\')
    .replaceAll(/ *\/\/ union .*\n/g, '');
  made = made.replaceAll(new RegExp(`(?<!')(\\??)${namespace}(\\w+)\\b`, 'g'), (whole, nullable, name) => {
    if (enums.has(name)) return `${nullable}string`;
    const members = unions.get(name);
    return members ? [...members, ...(nullable ? ['null'] : [])].join('|') : whole;
  });
  made = made.replaceAll(new RegExp(`'${namespace}(\\w+)(\\[\\])?'\\]`, 'g'), (whole, name, list = '') =>
    enums.has(name) ? `'string${list}']` : whole,
  );
  const prefix = /^final class (\w+)$/m
    .exec(text)?.[1]
    ?.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_')
    .toUpperCase();
  return `${made
    .replaceAll(`public const ${prefix}_`, 'public const ')
    .replaceAll(/\\?(?:Switchyard\\Model\\)?DOWNLOAD\b/g, '\\Switchyard\\Download')
    .replaceAll(/public \??(?:object|mixed) \$/g, 'public mixed $')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trimEnd()}\n`;
}

function native(type: string): string {
  return type.endsWith('[]') || type.startsWith('array<') ? 'array' : type;
}
