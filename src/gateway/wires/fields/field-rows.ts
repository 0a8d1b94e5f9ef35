import { tableFile } from '../../../lib/yaml-file.ts';
import type { VendorWire } from '../../../model/parts.ts';

/** The treatment of a field where a request is translated to another wire. */
export type Disposition =
  /** It is carried over, or what stands for it is. */
  | 'mapped'
  /** The answer is fully usable without it; a warning tells the client. */
  | 'dropped'
  /** The client depends on it: the request is refused. */
  | 'refused';

export const dispositions: readonly Disposition[] = ['mapped', 'dropped', 'refused'];

export const wireNames: Readonly<Record<VendorWire, string>> = {
  'openai-chat': 'OpenAI Chat Completions',
  'openai-responses': 'OpenAI Responses',
  anthropic: 'Anthropic Messages',
  gemini: 'Gemini',
};

/** The wires that vendors are asked on. */
export const wires = Object.keys(wireNames) as readonly VendorWire[];

/** The wires of clients. OpenAI's older Completions are none that a request is translated to. */
export type ClientWire = VendorWire | 'openai-completions';

export const clientWires: readonly ClientWire[] = ['openai-completions', ...wires];

/** The row of one field in the table of a wire. */
export interface FieldRow {
  /** As `field-tree.ts` has it. */
  readonly path: string;
  /** By the wire that the request is translated to. */
  readonly to: Readonly<Record<VendorWire, Disposition>>;
  /** The field's treatment, or why it has none: a line of Markdown. */
  readonly note?: string;
  /** A value of the field. */
  readonly sample?: unknown;
  /** A value of another type that the field may have too. */
  readonly other?: unknown;
  /** Values with which the field says nothing that does not hold anyway; `null` and an empty list are always such. */
  readonly harmless?: readonly unknown[];
  /** It goes as it is, whatever is in it, such as a JSON Schema. */
  readonly whole?: true;
  /** Of whom it is, where the vendor's own SDK has no such field: an older one, or one from documentation. */
  readonly source?: string;
  /** Below it are the same fields as below that path. */
  readonly sameAs?: string;
}

export interface FieldTable {
  readonly wire: ClientWire;
  /** The vendor's definition that it is compared with, in words. */
  readonly published: string;
  /** Whether each field may also be written in snake_case. */
  readonly alsoSnakeCase: boolean;
  readonly rows: readonly FieldRow[];
}

interface WrittenTable {
  readonly published: string;
  readonly alsoSnakeCase?: boolean;
  readonly fields: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** Reads the table of a wire. Throws for a row that does not say exactly one thing for each wire. */
export function readFieldTable(wire: ClientWire): FieldTable {
  const written = tableFile(new URL(`${wire}.yaml`, import.meta.url)) as WrittenTable;
  const { published, alsoSnakeCase = false, fields } = written;
  const rows = new Map<string, FieldRow>();
  for (const [path, row] of Object.entries(fields)) {
    for (const above of objectsAbove(path))
      if (!(above in fields)) rows.set(above, rowOf(above, { mapped: 'all' }));
    rows.set(path, rowOf(path, row));
  }
  return { wire, published, alsoSnakeCase, rows: [...rows.values()] };
}

/** The paths of the objects and lists that a field is in, which are mapped unless they have rows of their own. */
function objectsAbove(path: string): readonly string[] {
  const field = path.replace(/=[^\]}]+$/, '');
  const ends = [...field.matchAll(/[.[{]/g)].map(({ index }) => path.slice(0, index));
  return ends.filter((above) => above !== '' && !above.endsWith('[]'));
}

const known = new Set(['note', 'sample', 'other', 'harmless', 'whole', 'source', 'sameAs', ...dispositions]);

function rowOf(name: string, written: Readonly<Record<string, unknown>>): FieldRow {
  const odd = Object.keys(written).find((key) => !known.has(key));
  if (odd) throw new Error(`${name}: a row of a table of fields has no ${odd}`);
  const { mapped, dropped, refused, ...row } = written;
  const said = { mapped, dropped, refused };
  const to = Object.fromEntries(
    wires.map((wire) => {
      const of = dispositions.filter(
        (one) => said[one] === 'all' || (Array.isArray(said[one]) && said[one].includes(wire)),
      );
      if (of.length !== 1) throw new Error(`${name}: ${of.length} things are said of ${wire}, not one`);
      return [wire, of[0]];
    }),
  ) as Record<VendorWire, Disposition>;
  return { path: name, to, ...row };
}

/** The types of JSON, as a message calls them. */
export type JsonType = 'a list' | 'an object' | 'a text' | 'a whole number' | 'a number' | 'true or false';

/**
 * The types that the vendor takes of a field, as the values in its row have them. None where the row does not show them: for a
 * kind of objects, and for a field of others than the vendor.
 */
export function typesOf({ source, sample, other, harmless = [] }: FieldRow): readonly JsonType[] {
  if (source) return [];
  const values = [sample, other, ...harmless].filter((value) => value !== undefined);
  return [...new Set(values.map(typeOf))];
}

export function typeOf(value: unknown): JsonType {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'number') return Number.isInteger(value) ? 'a whole number' : 'a number';
  if (typeof value === 'object') return 'an object';
  return typeof value === 'string' ? 'a text' : 'true or false';
}
