import { sql } from 'kysely';
import { dayOf, monthOf, startOfDay, startOfMonth } from '../../lib/utc.ts';
import { findRows } from '../../store/rows.ts';
import type { Store } from '../../store/store.ts';
import type { Budget } from '../accounts/budgets.ts';
import type { BudgetStatus } from '../accounts/budgets-view.ts';
import type { CanonicalOf } from './budget-needs.ts';
import type { BudgetStatuses } from './budget-usage.ts';
import { summed } from './usage.ts';
import { modelTest, summedAs, sumsIn } from './used-of-scope.ts';

/** The use of a monthly budget by the end of each of its days, or that of a daily one on each of the last days. */
export interface BurnDown {
  /** Milliseconds since the epoch; the end is exclusive. */
  readonly from: number;
  readonly to: number;
  readonly days: number;
  /** In the unit of the budget, from the first day to today. */
  readonly used: readonly number[];
}

/** That a threshold has raised an alert. */
export interface ToldAlert {
  readonly percent: number;
  /** In the unit of the budget, as the limit was then. */
  readonly used: number;
  readonly limit: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Of so many days it is shown what a budget of a day has used. */
const plotDays = 30;
/** So many alerts of a budget are shown. */
const maxAlerts = 50;

export interface BudgetReportsParts {
  readonly store: Store;
  readonly standings: BudgetStatuses;
  readonly canonicalOf: CanonicalOf;
}

/** The budgets as people see them. All methods reject with `StoreError`. */
export class BudgetReports {
  readonly #parts: BudgetReportsParts;

  constructor(parts: BudgetReportsParts) {
    this.#parts = parts;
  }

  now(): number {
    return this.#parts.standings.now();
  }

  /** In the order of the budgets. */
  standings(budgets: readonly Budget[]): Promise<readonly BudgetStatus[]> {
    return this.#parts.standings.of(budgets);
  }

  /** Latest first. */
  async alerts(budgetId: string): Promise<readonly ToldAlert[]> {
    const latest = sql`order by at desc, percent desc limit ${maxAlerts}`;
    const rows = await findRows(this.#parts.store.db, 'budget_alerts', { budget_id: budgetId }, latest);
    return rows.map(({ percent, used, most, at }) => ({ percent, used, limit: most, at }));
  }

  /**
   * By the sums of days, without what runs; null for a budget of another window, or of requests at the same time. Of a model it is what
   * it has answered: the sums do not know what was asked for.
   */
  async burnDown(budget: Budget): Promise<BurnDown | null> {
    const { unit, window } = budget;
    if ((window !== 'month' && window !== 'day') || unit === 'concurrency') return null;
    const now = this.now();
    const today = dayOf(now);
    const [first, end] =
      window === 'month'
        ? [dayOf(startOfMonth(monthOf(now))), dayOf(startOfMonth(monthOf(now) + 1))]
        : [today - plotDays + 1, today + 1];
    const byDay = await this.#usedByDay(budget, first, today);
    let sum = 0;
    const used = Array.from({ length: today - first + 1 }, (_, n) => {
      const ofDay = byDay.get(first + n) ?? 0;
      sum += ofDay;
      return window === 'month' ? sum : ofDay;
    });
    return { from: startOfDay(first), to: startOfDay(end), days: end - first, used };
  }

  /** In the unit of the budget, by the day since the epoch. */
  async #usedByDay(budget: Budget, first: number, last: number): Promise<ReadonlyMap<number, number>> {
    const { scope, unit } = budget;
    const { columns, from, by } = sumsIn(budget);
    const db = await summed(this.#parts.store);
    const { rows } = await sql<Row>`select day, ${columns}, cast(${summedAs[unit]} as bigint) as used
      from ${from} and day >= ${first} and day <= ${last} group by day, ${by}`.execute(db);
    const isIn = scope.model === null ? () => true : modelTest(scope.model, this.#parts.canonicalOf);
    const byDay = new Map<number, number>();
    for (const row of rows) if (isIn(row)) byDay.set(row.day, (byDay.get(row.day) ?? 0) + Number(row.used));
    return byDay;
  }
}

interface Row {
  readonly day: number;
  readonly provider: string;
  readonly model: string;
  readonly used: number;
}
