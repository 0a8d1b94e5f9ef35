/** A slice of a list, and where the next begins. */
export interface ListPage<T> {
  readonly items: readonly T[];
  /** Give it back as `cursor` for the next list page; null: this is the last. */
  readonly nextCursor: string | null;
}

export interface ListRequest {
  /** From 1 to 200. */
  readonly limit?: number;
  readonly cursor?: string | null;
}

export type Cursor = readonly (string | number)[];

const maxLimit = 200;
const defaultLimit = 50;

/** How many rows to read for a list page: one more than it shows, to know whether there is another. */
export function rowsFor({ limit = defaultLimit }: ListRequest): number {
  return Math.min(Math.max(1, Math.floor(limit)), maxLimit) + 1;
}

/** Cuts the rows that were read to the list page. `keyOf` gives what the list is ordered by, unique for each row. */
export function toListPage<Row, T>(
  rows: readonly Row[],
  request: ListRequest,
  keyOf: (row: Row) => Cursor,
  itemOf: (row: Row) => T,
): ListPage<T> {
  const shown = rows.slice(0, rowsFor(request) - 1);
  const last = shown.at(-1);
  const more = rows.length > shown.length && last !== undefined;
  return { items: shown.map(itemOf), nextCursor: more ? encode(keyOf(last)) : null };
}

/** The values that a cursor stands for. Null when there is none; undefined for a text that is no cursor of this list. */
export function decodeCursor(
  cursor: string | null | undefined,
  ...types: readonly ('string' | 'number')[]
): Cursor | null | undefined {
  if (cursor === null || cursor === undefined) return null;
  let values: unknown;
  try {
    values = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
  if (!Array.isArray(values) || values.length !== types.length) return undefined;
  const fits = types.every((type, index) =>
    type === 'number' ? Number.isSafeInteger(values[index]) : typeof values[index] === 'string',
  );
  return fits ? values : undefined;
}

/** The cursor after what the list is ordered by. */
export function encode(cursor: Cursor): string {
  return Buffer.from(JSON.stringify(cursor)).toString('base64url');
}
