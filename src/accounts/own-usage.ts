import type { LimitState } from './limit-state.ts';
import type { Accounts } from './open-accounts.ts';
import { type Limits, limitsOf, type PlanId } from './plans.ts';
import { type DayRange, type DayUsage, dayRange, total, type UsageSums, usageByDay } from './usage.ts';

/** What a tenant may see of its own account. */
export interface OwnUsage {
  readonly tenantId: string;
  readonly plan: PlanId;
  /** Null where there is no limit. */
  readonly limits: Limits;
  /** What is left of the limits that there are. */
  readonly state: LimitState;
  readonly range: DayRange;
  readonly days: readonly DayUsage[];
  readonly total: UsageSums;
}

/**
 * A tenant's plan, limits, what is left of them, and its usage by day and model.
 * @param from first day, `YYYY-MM-DD`; null: 30 days back. `to`: last day; null: today.
 * Throws `AccountError`: `not_found`, or `invalid` for a broken range.
 */
export async function ownUsage(
  accounts: Pick<Accounts, 'settled' | 'plans' | 'tenants' | 'admissions'>,
  tenantId: string,
  from: string | null = null,
  to: string | null = null,
): Promise<OwnUsage> {
  const { plans, tenants, admissions } = accounts;
  const store = await accounts.settled();
  const range = dayRange(store.clock.now(), from, to);
  const { plan, overrides } = await tenants.get(tenantId);
  const limits = limitsOf(plans[plan], overrides);
  const [state, days] = await Promise.all([
    admissions.limitState(tenantId, limits),
    usageByDay(store, tenantId, range),
  ]);
  return { tenantId, plan, limits, state, range, days, total: total(days) };
}
