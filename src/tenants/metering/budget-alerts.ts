import { sql } from 'kysely';
import type { Store } from '../../store/store.ts';
import { type Budget, budgetOf } from '../accounts/budgets.ts';
import type { BudgetStandings } from './budget-usage.ts';
import { periodOf } from './budget-usage.ts';

/** That a budget has reached a threshold, for the first time in its day or month. */
export interface BudgetAlert {
  readonly budget: Budget;
  readonly percent: number;
  /** What is used, in the unit of the budget, without what requests under way have set aside. */
  readonly used: number;
  /** Milliseconds since the epoch; when its period began, 0 for what has no end. */
  readonly period: number;
}

/** Writes down what follows from an alert, in the transaction that writes the alert itself. */
export type Announce = (
  db: Parameters<Parameters<ReturnType<Store['db']['transaction']>['execute']>[0]>[0],
  alert: BudgetAlert,
  now: number,
) => Promise<unknown>;

export interface BudgetAlertsParts {
  readonly store: Store;
  readonly standings: BudgetStandings;
  /** Ids of the budgets that requests have counted for since this was last called. */
  readonly takeTouched: () => ReadonlySet<string>;
  /** Ids of those that were too far used up for a request since this was last called, with when, in milliseconds since the epoch. */
  readonly takeRefused: () => ReadonlyMap<string, number>;
  readonly announce: Announce;
}

/** So many budgets are looked at at once. */
const atOnce = 100;
/** Once a process has begun to look at all budgets, others do not for so long, in milliseconds. */
const claimedMs = 150_000;
/** Where it is written down when one has begun. */
const claimName = 'budgets_looked_at';
/** A refusal counts as this much of a budget, in percent. */
const exceeded = 100;

/** Notices when budgets reach their thresholds: each once a period, in whichever process sees it first. */
export class BudgetAlerts {
  readonly #parts: BudgetAlertsParts;
  /** What was left over when a look failed. */
  #left = new Set<string>();
  #refused = new Map<string, number>();

  constructor(parts: BudgetAlertsParts) {
    this.#parts = parts;
  }

  /** Looks at the budgets that were used since the last look. Rejects with `StoreError`; what was not looked at is then, next time. */
  async look(): Promise<void> {
    const refused = new Map([...this.#refused, ...this.#parts.takeRefused()]);
    const ids = new Set([...this.#left, ...this.#parts.takeTouched(), ...refused.keys()]);
    this.#left = ids;
    this.#refused = refused;
    const all = [...ids];
    for (let at = 0; at < all.length; at += atOnce) {
      const some = all.slice(at, at + atOnce);
      const rows = await this.#parts.store.db
        .selectFrom('budgets')
        .selectAll()
        .where('id', 'in', some)
        .execute();
      await this.#check(rows.map(budgetOf), refused);
      for (const id of some) {
        ids.delete(id);
        refused.delete(id);
      }
    }
  }

  /**
   * Looks at all budgets, unless another process has just begun to: what a process had still to look at when it ended is found here.
   * Rejects with `StoreError`.
   */
  async lookAtAll(): Promise<void> {
    if (!(await this.#claim())) return;
    for (let after = ''; ; ) {
      const rows = await this.#parts.store.db
        .selectFrom('budgets')
        .selectAll()
        .where('id', '>', after)
        .where('alerts_at', '<>', '[]')
        .orderBy('id')
        .limit(atOnce)
        .execute();
      await this.#check(rows.map(budgetOf), noRefusals);
      if (rows.length < atOnce) return;
      after = rows.at(-1)?.id ?? '';
    }
  }

  /** Whether it is for this process to look at all budgets. */
  async #claim(): Promise<boolean> {
    const { db, clock } = this.#parts.store;
    const now = clock.now();
    const at = sql<number>`cast(settings.value as bigint)`;
    const claimed = await db
      .insertInto('settings')
      .values({ name: claimName, value: String(now) })
      .onConflict((conflict) =>
        conflict
          .column('name')
          .doUpdateSet({ value: String(now) })
          // One that is yet to come was written before the clock was put back.
          .where((where) => where.or([where(at, '<=', now - claimedMs), where(at, '>', now)])),
      )
      .returning('name')
      .executeTakeFirst();
    return claimed !== undefined;
  }

  async #check(budgets: readonly Budget[], refused: ReadonlyMap<string, number>): Promise<void> {
    const telling = budgets.filter(({ alertsAt }) => alertsAt.length > 0);
    const { standings, now } = await this.#standingsOf(telling);
    const reached = telling.flatMap((budget, index): BudgetAlert[] => {
      const standing = standings[index];
      const used = standing ? Math.max(0, standing.used - standing.setAside) : 0;
      const period = periodOf(budget, now);
      const refusedAt = refused.get(budget.id);
      const refuses = refusedAt !== undefined && periodOf(budget, refusedAt) === period;
      return budget.alertsAt
        .filter((percent) => used * 100 >= percent * budget.limit || (refuses && percent === exceeded))
        .map((percent) => ({ budget, percent, used, period }));
    });
    if (reached.length === 0) return;
    const told = await this.#toldOf(reached);
    for (const alert of reached) if (!told.has(nameOf(alert.budget.id, alert))) await this.#tell(alert);
  }

  /** How budgets stand, and a time in the days and months that this is of: what one has used is not told as of the next. */
  async #standingsOf(budgets: readonly Budget[]) {
    const { standings, store } = this.#parts;
    for (;;) {
      const now = store.clock.now();
      const found = await standings.of(budgets);
      const after = store.clock.now();
      if (budgets.every((budget) => periodOf(budget, now) === periodOf(budget, after)))
        return { standings: found, now };
    }
  }

  /** What is told already, in one query: a budget that is used up is looked at for as long as it is asked for. */
  async #toldOf(alerts: readonly BudgetAlert[]): Promise<ReadonlySet<string>> {
    const rows = await this.#parts.store.db
      .selectFrom('budget_alerts')
      .select(['budget_id', 'period', 'percent'])
      .where('budget_id', 'in', [...new Set(alerts.map(({ budget }) => budget.id))])
      .where('period', 'in', [...new Set(alerts.map(({ period }) => period))])
      .execute();
    return new Set(rows.map((row) => nameOf(row.budget_id, row)));
  }

  async #tell(alert: BudgetAlert): Promise<void> {
    const { budget, percent, used, period } = alert;
    const { store, announce } = this.#parts;
    const now = store.clock.now();
    const row = {
      budget_id: budget.id,
      period,
      percent,
      tenant_id: budget.tenantId,
      used,
      most: budget.limit,
      at: now,
    };
    await store.db.transaction().execute(async (db) => {
      const first = await db
        .insertInto('budget_alerts')
        .values(row)
        .onConflict((conflict) => conflict.columns(['budget_id', 'period', 'percent']).doNothing())
        .returning('percent')
        .executeTakeFirst();
      if (first) await announce(db, alert, now);
    });
  }
}

const noRefusals: ReadonlyMap<string, number> = new Map();

function nameOf(budgetId: string, { period, percent }: Pick<BudgetAlert, 'period' | 'percent'>): string {
  return `${budgetId} ${period} ${percent}`;
}
