import type { WireCall } from '../../contract/wire-operations.ts';

/** A file that a request names. */
export interface NamedFile {
  readonly id: string;
  /** Where it stands, such as `input[0].content[1].file_id`. */
  readonly path: string;
}

/** What holds whatever its owner likes, which is no name of a file. */
const opaque: ReadonlySet<string> = new Set([
  'arguments',
  'input_schema',
  'json_schema',
  'metadata',
  'parameters',
  'schema',
]);

/** The files of vendors that a request names. Costs next to nothing for one that names none. */
export function filesNamedIn({ body, bytes }: Pick<WireCall, 'body' | 'bytes'>): readonly NamedFile[] {
  // An escape might hide the name of the field.
  if (!bytes.includes('file_id') && !bytes.includes('\\u00')) return [];
  const found: NamedFile[] = [];
  walk(body, '', found);
  return found;
}

function walk(value: unknown, path: string, found: NamedFile[]): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) walk(item, `${path}[${index}]`, found);
    return;
  }
  // The arguments of a call of a tool in Anthropic's form.
  const { type } = value as { readonly type?: unknown };
  for (const [name, member] of Object.entries(value)) {
    if (opaque.has(name) || (name === 'input' && type === 'tool_use')) continue;
    const at = path === '' ? name : `${path}.${name}`;
    if (name === 'file_id' && typeof member === 'string') found.push({ id: member, path: at });
    else if (name === 'file_ids' && Array.isArray(member)) {
      for (const [index, id] of member.entries())
        if (typeof id === 'string') found.push({ id, path: `${at}[${index}]` });
    } else walk(member, at, found);
  }
}

const named = /"file_id"\s*:\s*"[^"\\]*"|"file_ids"\s*:\s*\[[^[\]{}]*\]/g;

/** The body of a request with other ids of its files, and every other byte as it was. */
export function withFileIds(bytes: Buffer, ids: ReadonlyMap<string, string>): Buffer {
  const text = bytes.toString('latin1').replaceAll(named, (field) => {
    const colon = field.indexOf(':');
    const values = field.slice(colon).replaceAll(/"([^"\\]*)"/g, (value, id: string) => {
      const other = ids.get(id);
      return other === undefined ? value : JSON.stringify(other);
    });
    return field.slice(0, colon) + values;
  });
  return Buffer.from(text, 'latin1');
}
