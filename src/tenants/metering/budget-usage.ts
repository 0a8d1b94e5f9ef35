import type { StoreClock } from '../../lib/clock.ts';
import { dayOf, monthOf, startOfDay, startOfMonth } from '../../lib/utc.ts';
import { minuteMs, type Seed } from '../../limits/authority.ts';
import type { SeedSource } from '../../limits/seeding.ts';
import type { Store } from '../../store/store.ts';
import { type Budget, budgetOf } from '../accounts/budgets.ts';
import type { BudgetStatus } from '../accounts/budgets-view.ts';
import type { Admissions } from './admissions.ts';
import { bucketOf, budgetIdOf, type CanonicalOf, endOf, needOf } from './budget-needs.ts';
import { type UsedAsk, usedOf } from './used-of-scope.ts';

export interface ReservedStatus extends BudgetStatus {
  /** How much of what is used requests under way in this process have only set aside. */
  readonly setAside: number;
}

/** How budgets stand, by the authority of limits. */
export class BudgetStatuses {
  readonly #admissions: Pick<Admissions, 'standings' | 'setAsideOf'>;
  readonly #clock: StoreClock;

  constructor(admissions: Pick<Admissions, 'standings' | 'setAsideOf'>, clock: StoreClock) {
    this.#admissions = admissions;
    this.#clock = clock;
  }

  /** By the time of the store, in milliseconds since the epoch. */
  now(): number {
    return this.#clock.now();
  }

  /** In the order of the budgets. Rejects with `StoreError`. */
  async of<const Some extends readonly Budget[]>(
    budgets: Some,
  ): Promise<{ [Index in keyof Some]: ReservedStatus }> {
    const needs = budgets.map((budget) => needOf(budget, 0));
    const sorted = [...needs].sort((one, other) => (one.bucket.id < other.bucket.id ? -1 : 1));
    const setAsideNow = () => budgets.map((budget) => this.#admissions.setAsideOf(bucketOf(budget).id));
    const before = setAsideNow();
    const found = needs.length === 0 ? [] : await this.#admissions.standings(sorted);
    const now = this.now();
    const after = setAsideNow();
    return budgets.map((budget, index) => {
      const standing = found[sorted.indexOf(needs[index] as (typeof needs)[number])];
      const { used = 0, resetMs = null } = standing ?? {};
      const setAside = Math.max(before[index] ?? 0, after[index] ?? 0);
      const minute = budget.window === 'minute' && resetMs !== null ? now + resetMs : null;
      return { used, setAside, resetsAt: endOf(budget, now) ?? minute };
    }) as { [Index in keyof Some]: ReservedStatus };
  }
}

/** When the day or month of a budget began; 0 for what has no end. */
export function periodOf({ window }: Pick<Budget, 'window'>, now: number): number {
  if (window === 'day') return startOfDay(dayOf(now));
  return window === 'month' ? startOfMonth(monthOf(now)) : 0;
}

/** Usage of budgets by the ledger, as seeds of buckets without a count. */
export function budgetSeeds(store: Store, canonicalOf: CanonicalOf): SeedSource {
  return async (needs) => {
    const ids = needs.flatMap(({ bucket }) => budgetIdOf(bucket.id) ?? []);
    if (ids.length === 0) return [];
    const rows = await store.quick.selectFrom('budgets').selectAll().where('id', 'in', ids).execute();
    const budgets = new Map(rows.map((row) => [row.id, budgetOf(row)]));
    const { clock } = store;
    const asked = needs.flatMap(({ bucket }) => {
      const budget = budgets.get(budgetIdOf(bucket.id) ?? '');
      return budget ? [{ bucketId: bucket.id, budget, since: beginningOf(budget, clock) }] : [];
    });
    const used = await usedSince(store, asked, canonicalOf);
    return asked.map(({ bucketId, budget: { window } }, index): Seed => {
      const amount = used[index] ?? 0;
      // All of a minute as if it had been used just now: at most a minute too careful.
      const entries = window === 'minute' && amount > 0 ? ([[clock.elapsed(), amount]] as const) : [];
      return { bucketId, window, entries, used: amount };
    });
  };
}

/** Since when what is used counts. */
function beginningOf(budget: Budget, clock: Store['clock']): number {
  return budget.window === 'minute' ? clock.ago(minuteMs) + 1 : periodOf(budget, clock.now());
}

/** So many budgets are asked for in one statement: SQLite takes no more than 500 selects. */
const atOnce = 100;

/**
 * The use of budgets by their requests since a time each, from the ledger, in the budgets' units and order: of a minute
 * from its rows, else from its sums, plus the rows that these do not include yet. Rejects with `StoreError`.
 */
export async function usedSince(
  { db }: Store,
  asked: readonly UsedAsk[],
  canonicalOf: CanonicalOf,
): Promise<readonly number[]> {
  const used: number[] = [];
  for (let at = 0; at < asked.length; at += atOnce)
    used.push(...(await usedOf(db, asked.slice(at, at + atOnce), canonicalOf)));
  return used;
}
