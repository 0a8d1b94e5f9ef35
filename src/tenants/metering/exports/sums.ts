import { byName, type SumColumn, sumColumns, tokenColumns } from '../../../store/token-columns.ts';
import type { SettledRow } from './settled-rows.ts';

/** Sums as they are kept: a number for each column of the daily sums. */
export type Sums = Record<SumColumn, number>;

/** Sums with nothing in them yet. */
export function noSums(): Sums {
  return byName(sumColumns, () => 0);
}

/** Counts a request in. */
export function addRow(sums: Sums, row: SettledRow): void {
  sums.requests += 1;
  if (row.status !== 'running') sums[row.status] += 1;
  for (const name of tokenColumns) sums[name] += row[name] ?? 0;
  sums.cost_micro_usd += row.cost_micro_usd ?? 0;
  if (row.usage_source !== null && row.cost_micro_usd === null) sums.unpriced += 1;
}

export function addSums(sums: Sums, more: Sums): void {
  for (const name of sumColumns) sums[name] += more[name];
}
