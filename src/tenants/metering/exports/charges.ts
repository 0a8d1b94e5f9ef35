import { dayOf } from '../../../lib/utc.ts';
import type { Store } from '../../../store/store.ts';
import { addRow, type Days, noSums, type SettledRow, type Sums, settledRows } from './settled-rows.ts';

/** What the requests of a day that are alike have used together. */
export interface Charge {
  /** Days since the epoch, in UTC, of the admission. */
  readonly day: number;
  readonly tenantId: string;
  readonly keyId: string;
  readonly operation: string;
  /** Null for requests without a provider. */
  readonly provider: string | null;
  readonly model: string | null;
  /** JSON object, its names in order; null: none. */
  readonly tags: string | null;
  readonly sums: Sums;
}

/**
 * How many charges are held at a time: clients choose the values of tags. Where a day has more, the same charge comes
 * several times, and their sums are right all the same.
 */
const maxHeld = 10_000;

/** A tenant's usage on these days, by all dimensions, in batches, the latest day first. */
export async function* chargesOf(
  store: Store,
  tenantId: string,
  days: Days,
): AsyncGenerator<readonly Charge[], undefined> {
  let held = new Map<string, Charge>();
  let day = days.first;
  for await (const rows of settledRows(store, tenantId, days)) {
    for (const row of rows) {
      const today = dayOf(row.created_at);
      if (held.size > 0 && (today !== day || held.size >= maxHeld)) {
        yield [...held.values()];
        held = new Map();
      }
      day = today;
      addRow(chargeIn(held, row, day).sums, row);
    }
  }
  if (held.size > 0) yield [...held.values()];
  return undefined;
}

function chargeIn(held: Map<string, Charge>, row: SettledRow, day: number): Charge {
  const { key_id: keyId, operation, provider, model, tags } = row;
  const name = JSON.stringify([keyId, operation, provider, model, tags]);
  let charge = held.get(name);
  if (charge === undefined) {
    charge = { day, tenantId: row.tenant_id, keyId, operation, provider, model, tags, sums: noSums() };
    held.set(name, charge);
  }
  return charge;
}
