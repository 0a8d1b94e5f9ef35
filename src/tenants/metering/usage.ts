import { sql } from 'kysely';
import { type Camel, camelCased } from '../../lib/names.ts';
import { dayMs, dayName, dayOf } from '../../lib/utc.ts';
import { type ListPage, type ListRequest, rowsFor, toListPage } from '../../store/list-page.ts';
import type { Store } from '../../store/store.ts';
import { byName, type SumColumn, sumColumns } from '../../store/token-columns.ts';
import { AccountError, readCursor } from '../accounts/account-error.ts';

/** Settled requests and what they used: `costMicroUsd` without the `unpriced`, those with usage of a model without a known price. */
export type UsageSums = Camel<SumRow>;

export interface DayUsage extends UsageSums {
  /** `YYYY-MM-DD` in UTC, the day of the admission. */
  readonly day: string;
  /** Null for requests that no model served. */
  readonly model: string | null;
}

/** Days in UTC, both included. */
export interface DayRange {
  /** `YYYY-MM-DD`. */
  readonly from: string;
  readonly to: string;
}

type SumRow = Record<SumColumn, number>;

const nothing = sumsOf(byName(sumColumns, () => 0));

/** Maximum number of days that are asked for at once. */
const maxDays = 366;

/**
 * The range that is asked for: by default the 30 days up to today.
 * Throws `AccountError('invalid')` for days that do not exist, are out of order or too many.
 */
export function dayRange(now: number, from: string | null = null, to: string | null = null): DayRange {
  const last = to === null ? dayOf(now) : parseDay(to, 'to');
  const first = from === null ? last - 29 : parseDay(from, 'from');
  if (first > last) throw new AccountError('invalid', 'The range ends before it begins.', 'from');
  if (last - first >= maxDays) {
    throw new AccountError('invalid', `The range has more than ${maxDays} days.`, 'from');
  }
  return { from: dayName(first), to: dayName(last) };
}

/** The range of so many days of which today is the last. */
export function daysUpTo(now: number, days: number): DayRange {
  const last = dayOf(now);
  return { from: dayName(last - days + 1), to: dayName(last) };
}

/** The days of a range, in their order. Throws `AccountError('invalid')`. */
export function daysOf({ from, to }: DayRange): string[] {
  const first = parseDay(from, 'from');
  return Array.from({ length: parseDay(to, 'to') - first + 1 }, (_, n) => dayName(first + n));
}

/** A range as days since the epoch. Throws `AccountError('invalid')`. */
export function daysIn({ from, to }: DayRange): { readonly first: number; readonly last: number } {
  return { first: parseDay(from, 'from'), last: parseDay(to, 'to') };
}

/** A tenant's usage by day and model, in this order. */
export async function usageByDay(
  store: Store,
  tenantId: string,
  range: DayRange,
): Promise<readonly DayUsage[]> {
  const rows = await (await summed(store))
    .selectFrom('usage_rows')
    .select(['day', 'model'])
    .select(sumColumns.map((name) => sql<number>`cast(sum(${sql.ref(name)}) as bigint)`.as(name)))
    .where('tenant_id', '=', tenantId)
    .where('day', '>=', parseDay(range.from, 'from'))
    .where('day', '<=', parseDay(range.to, 'to'))
    .groupBy(['day', 'model'])
    .orderBy('day')
    .orderBy('model')
    .execute();
  return rows.map((row) => ({
    day: dayName(row.day),
    model: row.model === '' ? null : row.model,
    ...sumsOf(row as unknown as SumRow),
  }));
}

/**
 * Usage of the tenants that have any in the range, in the order of their ids: of all or of those that are named. Throws
 * `AccountError('invalid')`.
 */
export async function usageByTenant(
  store: Store,
  range: DayRange,
  request: ListRequest & { readonly tenantIds?: readonly string[] } = {},
): Promise<ListPage<UsageSums & { readonly tenantId: string }>> {
  const cursor = readCursor(request, 'string');
  let query = (await summed(store))
    .selectFrom('usage_rows')
    .select('tenant_id')
    .select(sumColumns.map((name) => sql<number>`cast(sum(${sql.ref(name)}) as bigint)`.as(name)))
    .where('day', '>=', parseDay(range.from, 'from'))
    .where('day', '<=', parseDay(range.to, 'to'))
    .groupBy('tenant_id')
    .orderBy('tenant_id')
    .limit(rowsFor(request));
  if (request.tenantIds) query = query.where('tenant_id', 'in', request.tenantIds);
  if (cursor) query = query.where('tenant_id', '>', cursor[0] as string);
  return toListPage(
    await query.execute(),
    request,
    ({ tenant_id }) => [tenant_id],
    (row) => ({ tenantId: row.tenant_id, ...sumsOf(row as unknown as SumRow) }),
  );
}

/** The sum of what was used in several days, by several models or by several tenants. */
export function total(usage: readonly UsageSums[]): UsageSums {
  const result: { -readonly [Field in keyof UsageSums]: number } = { ...nothing };
  for (const part of usage) {
    for (const field of Object.keys(nothing) as (keyof UsageSums)[]) result[field] += part[field];
  }
  return result;
}

/** The database, with the settlements of this process in its sums; those of others are in them within a second. */
export async function summed({ db, ledger, clock }: Store): Promise<Store['db']> {
  await ledger.sum(clock.now());
  return db;
}

/** Sums as they are kept, in the terms of reports. */
export function sumsOf(row: SumRow): UsageSums {
  return camelCased(byName(sumColumns, (name) => row[name]));
}

function parseDay(text: string, field: string): number {
  const day = Date.parse(`${text}T00:00:00Z`) / dayMs;
  // `Date.parse` takes 31 February for a day in March.
  if (/^\d{4}-\d{2}-\d{2}$/.test(text) && Number.isInteger(day) && dayName(day) === text) return day;
  throw new AccountError('invalid', 'A day has the form YYYY-MM-DD and exists.', field);
}
