import type { Queue } from '../background/jobs/queue/queue.ts';
import { openWebhooks } from '../background/webhooks/courier.ts';
import { announce, type Event } from '../background/webhooks/deliveries.ts';
import { repeat } from '../lib/timers.ts';
import { isoTime } from '../lib/utc.ts';
import type { Store } from '../store/store.ts';
import type { Accounts } from '../tenants/accounts/open-accounts.ts';
import { type BudgetAlert, budgetAlerts } from '../tenants/metering/budget-alerts.ts';
import { endOf } from '../tenants/metering/budget-needs.ts';
import { BudgetStatuses } from '../tenants/metering/budget-usage.ts';
import type { Metering } from '../tenants/metering/open-metering.ts';

/** How often budgets are looked at that were used, and all of them if no other process just has, in milliseconds. */
const usedMs = 2_000;
const allMs = 300_000;

export type Telling = ReturnType<typeof openNotifications>;

interface NotificationParts {
  readonly accounts: Pick<Accounts, 'changes' | 'keyFor'>;
  readonly metering: Pick<Metering, 'admissions'>;
  /** Carries deliveries out; it has not started yet. */
  readonly queue: Queue;
  readonly onError: (error: unknown) => void;
}

/** Starts notifications: budget alerts by webhooks. */
export function openNotifications(store: Store, parts: NotificationParts) {
  const { accounts, metering, queue, onError } = parts;
  const { webhooks, deliveries, courier } = openWebhooks(store, { ...accounts, queue, onError });
  const standings = new BudgetStatuses(metering.admissions, store.clock);
  const alerts = budgetAlerts({
    store,
    standings,
    takeTouched: () => metering.admissions.takeTouched(),
    takeRefused: () => metering.admissions.takeRefused(),
    announce: (db, alert, now) => announce(db, eventOf(alert, now), now, queue),
  });
  const looking = [
    repeat(usedMs, () => alerts.look(), onError),
    repeat(allMs, () => alerts.lookAtAll(), onError),
  ];
  return {
    webhooks,
    deliveries,
    standings,
    /** Stops looking and delivering. The store stays open. */
    async close() {
      await Promise.all(looking.map((one) => one.stop()));
      await courier.stop();
    },
  };
}

function eventOf({ budget, percent, used, period }: BudgetAlert, now: number): Event {
  const { id, tenantId, label, unit, window, limit, hard } = budget;
  const shown = (amount: number) => (unit === 'money' ? amount / 1e6 : amount);
  const end = endOf(budget, now);
  return {
    id: `evt_${id}_${period}_${percent}`,
    tenantId,
    type: percent < 100 ? 'budget.threshold_reached' : 'budget.exceeded',
    data: {
      budget_id: id,
      tenant_id: tenantId,
      label,
      unit,
      window,
      kind: hard ? 'hard' : 'soft',
      // Below that of the alert where the rest was too little for a request.
      percent: Math.min(percent, limit > 0 ? Math.floor((used * 100) / limit) : percent),
      limit: shown(limit),
      used: shown(used),
      resets_at: end === null ? null : isoTime(end),
    },
  };
}
