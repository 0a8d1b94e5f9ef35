import { dayMs } from '../../../lib/utc.ts';
import type { LedgerRow } from '../../../store/schema.ts';
import type { Store } from '../../../store/store.ts';
import { latestRows } from '../requests.ts';
import { summed } from '../usage.ts';

/** A request that has ended, as far as sums need it. */
export type SettledRow = LedgerRow;

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
    yield within.filter(({ settled_at }) => settled_at !== null);
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
    const rows = await db
      .selectFrom('usage_rows')
      .select('tenant_id')
      .distinct()
      .where('tenant_id', '>', after)
      .where('day', '>=', first)
      .where('day', '<=', last)
      .orderBy('tenant_id')
      .limit(sliceRows)
      .execute();
    for (const { tenant_id } of rows) yield tenant_id;
    const end = rows.at(-1);
    if (end === undefined || rows.length < sliceRows) return undefined;
    after = end.tenant_id;
  }
}
