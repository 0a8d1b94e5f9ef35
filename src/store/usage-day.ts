import type { UsageDayRow } from './schema.ts';
import { byName, sumColumns } from './token-columns.ts';

const nothing = byName(sumColumns, () => 0);

/** A day's sums with nothing in them yet. The model is empty for requests that none served. */
export function emptyDay(tenant_id: string, day: number, operation: string, model: string): UsageDayRow {
  return { tenant_id, day, operation, model, ...nothing };
}
