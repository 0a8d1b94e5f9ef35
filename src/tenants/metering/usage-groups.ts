import { sql } from 'kysely';
import { isTagName, tagsIn } from '../../lib/tags.ts';
import { dayName, dayOf } from '../../lib/utc.ts';
import type { Store } from '../../store/store.ts';
import { countIn } from '../../store/sums/day-sums.ts';
import { sumColumns } from '../../store/token-columns.ts';
import { AccountError } from '../accounts/account-error.ts';
import {
  activeTenants,
  addSums,
  type Days,
  noSums,
  type SettledRow,
  type Sums,
  settledRows,
} from './exports/settled-rows.ts';
import { summed } from './usage.ts';

/** The dimensions of usage. `tag:` is followed by the name of a tag. */
export const dimensions = ['tenant', 'day', 'model', 'provider', 'key', 'operation'] as const;
export type Dimension = (typeof dimensions)[number] | `tag:${string}`;

/** The sums of the requests that have the same values. */
export interface UsageGroup {
  /** A value for each dimension; null where the requests have none. */
  readonly values: readonly (string | null)[];
  /** Whether it sums all groups that are not listed. */
  readonly others: boolean;
  readonly sums: Sums;
}

export interface GroupRequest {
  /** One or two. */
  readonly by: readonly Dimension[];
  readonly days: Days;
  /** Null: all of them. */
  readonly tenantId: string | null;
}

/** Maximum number of groups that are listed; all others are one. */
const maxGroups = 1000;
/** Groups that are held while the ledger is read: clients choose the values of tags. */
const maxHeld = 10_000;
/** Days for which the ledger is read at once. */
const maxLedgerDays = 31;

/** The columns of the daily sums, by the dimension that they tell apart. */
const columns: Partial<
  Record<Dimension, 'tenant_id' | 'day' | 'model' | 'provider' | 'key_id' | 'operation'>
> = {
  tenant: 'tenant_id',
  day: 'day',
  model: 'model',
  provider: 'provider',
  key: 'key_id',
  operation: 'operation',
};

/**
 * One or two dimensions with a comma between. Throws `AccountError('invalid')`.
 * @param ofTenant whether it is for one tenant, whose usage is not grouped by tenants
 */
export function readDimensions(text: string, ofTenant: boolean): readonly Dimension[] {
  const names = text.split(',');
  const known = dimensions.filter((name) => !(ofTenant && name === 'tenant'));
  const all = names.every(
    (name) =>
      (known as readonly string[]).includes(name) || (name.startsWith('tag:') && isTagName(name.slice(4))),
  );
  if (all && names.length <= 2 && new Set(names).size === names.length) return names as Dimension[];
  throw new AccountError(
    'invalid',
    `Usage is grouped by one or two of ${known.join(', ')} and tag:<name>, each once, with a comma between.`,
    'group_by',
  );
}

/**
 * Usage by what was asked for, those with the most requests first. The sums of all groups are those of the range: of the daily
 * sums where they have the dimensions, else of the ledger, of which at most 31 days are read. Throws `AccountError('invalid')`.
 */
export async function usageGroups(store: Store, request: GroupRequest): Promise<readonly UsageGroup[]> {
  const { by, days } = request;
  if (by.every((name) => columns[name] !== undefined)) return fromSums(store, request);
  if (days.last - days.first >= maxLedgerDays) {
    const message = `Grouped by ${by.join(' and ')}, a range has at most ${maxLedgerDays} days.`;
    throw new AccountError('invalid', message, 'from');
  }
  return fromLedger(store, request);
}

async function fromSums(store: Store, { by, days, tenantId }: GroupRequest): Promise<readonly UsageGroup[]> {
  const db = await summed(store);
  const names = by.flatMap((name) => columns[name] ?? []);
  const inRange = () => {
    const query = db
      .selectFrom('usage_rows')
      .select(sumColumns.map((name) => sql<number>`cast(sum(${sql.ref(name)}) as bigint)`.as(name)))
      .where('day', '>=', days.first)
      .where('day', '<=', days.last);
    return tenantId === null ? query : query.where('tenant_id', '=', tenantId);
  };
  const requests = sql<number>`sum(requests)`;
  let query = inRange().select(names).groupBy(names).orderBy(requests, 'desc');
  for (const name of names) query = query.orderBy(name);
  const rows = (await query.limit(maxGroups + 1).execute()) as unknown as Record<string, string | number>[];
  const groups = rows.slice(0, maxGroups).map((row) => ({
    values: names.map((name) =>
      name === 'day' ? dayName(Number(row[name])) : row[name] === '' ? null : String(row[name]),
    ),
    others: false,
    sums: Object.fromEntries(sumColumns.map((name) => [name, Number(row[name])])) as Sums,
  }));
  if (rows.length <= maxGroups) return groups;
  const [total] = (await inRange().execute()) as unknown as Sums[];
  const rest = noSums();
  if (total) for (const name of sumColumns) rest[name] = Number(total[name]);
  for (const { sums } of groups) for (const name of sumColumns) rest[name] -= sums[name];
  return [...groups, othersOf(by, rest)];
}

async function fromLedger(
  store: Store,
  { by, days, tenantId }: GroupRequest,
): Promise<readonly UsageGroup[]> {
  const held = new Map<string, UsageGroup>();
  const rest = noSums();
  const tenants = tenantId === null ? activeTenants(store, days) : [tenantId];
  for await (const id of tenants) {
    for await (const rows of settledRows(store, id, days)) {
      for (const row of rows) countIn(groupIn(held, by, row)?.sums ?? rest, row);
    }
  }
  const sorted = [...held.entries()]
    .sort(([a, { sums: x }], [b, { sums: y }]) => y.requests - x.requests || (a < b ? -1 : 1))
    .map(([, group]) => group);
  for (const { sums } of sorted.slice(maxGroups)) addSums(rest, sums);
  const listed = sorted.slice(0, maxGroups);
  return rest.requests === 0 ? listed : [...listed, othersOf(by, rest)];
}

/** The group of a row; null where there are too many already. */
function groupIn(
  held: Map<string, UsageGroup>,
  by: readonly Dimension[],
  row: SettledRow,
): UsageGroup | null {
  const values = by.map((name) => dimensionOf(name, row));
  const key = JSON.stringify(values);
  const found = held.get(key);
  if (found) return found;
  if (held.size === maxHeld) return null;
  const made = { values, others: false, sums: noSums() };
  held.set(key, made);
  return made;
}

function dimensionOf(name: Dimension, row: SettledRow): string | null {
  const column = columns[name];
  if (column === 'day') return dayName(dayOf(row.created_at));
  if (column !== undefined) return row[column];
  const tags = tagsIn(row.tags);
  const tag = name.slice('tag:'.length);
  return Object.hasOwn(tags, tag) ? (tags[tag] ?? null) : null;
}

function othersOf(by: readonly Dimension[], sums: Sums): UsageGroup {
  return { values: by.map(() => null), others: true, sums };
}
