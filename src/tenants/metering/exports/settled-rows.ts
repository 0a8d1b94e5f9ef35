import { sql } from 'kysely';
import { dayMs } from '../../../lib/utc.ts';
import type { LedgerRow } from '../../../store/schema.ts';
import type { Store } from '../../../store/store.ts';
import type { Summed } from '../../../store/sums/day-sums.ts';
import { byName, type SumColumn, sumColumns } from '../../../store/token-columns.ts';
import { latestRows } from '../requests.ts';
import { summed } from '../usage.ts';

/** A request that has ended, as far as sums need it. */
export type SettledRow = LedgerRow & Pick<Summed, 'status'>;

/** Rows that are read at a time: on SQLite the event loop waits for them, a few milliseconds. */
const sliceRows = 200;

/** Days since the epoch, both included. */
export interface Days {
  readonly first: number;
  readonly last: number;
}

/** The settled requests of a tenant that were admitted on these days, latest first, slice by slice. */
export async function* settledRows(
  store: Store,
  tenantId: string,
  { first, last }: Days,
): AsyncGenerator<readonly SettledRow[], undefined> {
  let before = { createdAt: (last + 1) * dayMs, id: '' };
  for (;;) {
    const rows = await latestRows(store, { tenantId, requestId: null, before, most: sliceRows });
    const within = rows.filter(({ created_at }) => created_at >= first * dayMs);
    yield within.filter((row): row is SettledRow => row.settled_at !== null);
    const end = within.at(-1);
    if (end === undefined || within.length < sliceRows) return undefined;
    before = { createdAt: end.created_at, id: end.id };
    // A database in this process answers without leaving the turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** The tenants with settled requests on these days, in the order of their ids. */
export async function* activeTenants(store: Store, { first, last }: Days): AsyncGenerator<string, undefined> {
  const db = await summed(store);
  let after = '';
  for (;;) {
    const { rows } = await sql<{ tenant_id: string }>`select distinct tenant_id from usage_rows
      where tenant_id > ${after} and day >= ${first} and day <= ${last} order by 1 limit ${sliceRows}`.execute(
      db,
    );
    for (const { tenant_id } of rows) yield tenant_id;
    const end = rows.at(-1);
    if (end === undefined || rows.length < sliceRows) return undefined;
    after = end.tenant_id;
  }
}

/** Sums as they are kept: a number for each column of the daily sums. */
export type Sums = Record<SumColumn, number>;

/** Sums with nothing in them yet. */
export function noSums(): Sums {
  return byName(sumColumns, () => 0);
}

export function addSums(sums: Sums, more: Sums): void {
  for (const name of sumColumns) sums[name] += more[name];
}

/** Millionths of a US dollar as US dollars, exact: `0.170000`. */
export function dollarsText(micro: number): string {
  const whole = Math.trunc(micro / 1_000_000);
  return `${whole}.${String(Math.abs(micro) % 1_000_000).padStart(6, '0')}`;
}
