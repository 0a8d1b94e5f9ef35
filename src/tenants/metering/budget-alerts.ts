import { sql } from 'kysely';
import { addNewRow, findRows } from '../../store/rows.ts';
import type { Store } from '../../store/store.ts';
import { type Budget, budgetOf } from '../accounts/budgets.ts';
import type { BudgetStatuses } from './budget-usage.ts';
import { periodOf } from './budget-usage.ts';

/** That a budget has reached a threshold, for the first time in its day or month. */
export interface BudgetAlert {
  readonly budget: Budget;
  readonly percent: number;
  /** The use, in the unit of the budget, without the amounts that requests under way have set aside. */
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
  readonly standings: BudgetStatuses;
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

export type BudgetAlerts = ReturnType<typeof budgetAlerts>;

/** Notices when budgets reach their thresholds: each once a period, in whichever process sees it first. */
export function budgetAlerts({ standings, store, announce, takeRefused, takeTouched }: BudgetAlertsParts) {
  /** The budgets left over when a look failed. */
  let left = new Set<string>();
  let refusedBefore = new Map<string, number>();

  /** Looks at the budgets that were used since the last look. Rejects with `StoreError`; the next look then covers the rest. */
  async function look(): Promise<void> {
    const refused = new Map([...refusedBefore, ...takeRefused()]);
    const ids = new Set([...left, ...takeTouched(), ...refused.keys()]);
    left = ids;
    refusedBefore = refused;
    const all = [...ids];
    for (let at = 0; at < all.length; at += atOnce) {
      const some = all.slice(at, at + atOnce);
      const rows = await findRows(store.db, 'budgets', { id: some });
      await check(rows.map(budgetOf), refused);
      for (const id of some) {
        ids.delete(id);
        refused.delete(id);
      }
    }
  }

  /**
   * Looks at all budgets, unless another process has just begun to: this finds the budgets that a process had still to look
   * at when it ended. Rejects with `StoreError`.
   */
  async function lookAtAll(): Promise<void> {
    if (!(await claim())) return;
    for (let after = ''; ; ) {
      const next = sql`and id > ${after} and alerts_at <> '[]' order by id limit ${atOnce}`;
      const rows = await findRows(store.db, 'budgets', {}, next);
      await check(rows.map(budgetOf), noRefusals);
      if (rows.length < atOnce) return;
      after = rows.at(-1)?.id ?? '';
    }
  }

  /** Whether it is for this process to look at all budgets. */
  async function claim(): Promise<boolean> {
    const { db, clock } = store;
    const now = clock.now();
    const at = sql`cast(settings.value as bigint)`;
    // One that is yet to come was written before the clock was put back.
    const claim = sql`insert into settings (name, value) values (${claimName}, ${String(now)})
      on conflict (name) do update set value = excluded.value where ${at} <= ${now - claimedMs} or ${at} > ${now}`;
    return (await claim.execute(db)).numAffectedRows === 1n;
  }

  async function check(budgets: readonly Budget[], refused: ReadonlyMap<string, number>): Promise<void> {
    const alerting = budgets.filter(({ alertsAt }) => alertsAt.length > 0);
    const { standings, now } = await standingsOf(alerting);
    const reached = alerting.flatMap((budget, index): BudgetAlert[] => {
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
    const raised = await raisedOf(reached);
    for (const alert of reached) if (!raised.has(nameOf(alert.budget.id, alert))) await raise(alert);
  }

  /** How budgets stand, and a time in the days and months that this is of: the use of one does not count for the next. */
  async function standingsOf(budgets: readonly Budget[]) {
    for (;;) {
      const now = store.clock.now();
      const found = await standings.of(budgets);
      const after = store.clock.now();
      if (budgets.every((budget) => periodOf(budget, now) === periodOf(budget, after)))
        return { standings: found, now };
    }
  }

  /** The alerts that were raised already, in one query: a budget that is used up is looked at for as long as it is asked for. */
  async function raisedOf(alerts: readonly BudgetAlert[]): Promise<ReadonlySet<string>> {
    const rows = await findRows(store.db, 'budget_alerts', {
      budget_id: [...new Set(alerts.map(({ budget }) => budget.id))],
      period: [...new Set(alerts.map(({ period }) => period))],
    });
    return new Set(rows.map((row) => nameOf(row.budget_id, row)));
  }

  async function raise(alert: BudgetAlert): Promise<void> {
    const { budget, percent, used, period } = alert;
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
      if (await addNewRow(db, 'budget_alerts', row)) await announce(db, alert, now);
    });
  }

  return { look, lookAtAll };
}

const noRefusals: ReadonlyMap<string, number> = new Map();

function nameOf(budgetId: string, { period, percent }: Pick<BudgetAlert, 'period' | 'percent'>): string {
  return `${budgetId} ${period} ${percent}`;
}
