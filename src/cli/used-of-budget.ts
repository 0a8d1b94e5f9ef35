import type { Store } from '../store/store.ts';
import type { Budget } from '../tenants/accounts/budgets.ts';
import type { BudgetStanding } from '../tenants/accounts/budgets-view.ts';
import { type CanonicalOf, endOf } from '../tenants/metering/budget-needs.ts';
import { periodOf, usedSince } from '../tenants/metering/budget-usage.ts';

/**
 * How budgets stand at a time, in milliseconds since the epoch, by the ledger: what running requests have set aside, only the servers
 * know. In the order of the budgets. Rejects with `StoreError`.
 */
export async function standingsOf(
  store: Store,
  budgets: readonly Budget[],
  now: number,
  canonicalOf: CanonicalOf,
): Promise<readonly BudgetStanding[]> {
  const asked = budgets.map((budget) => ({
    budget,
    since: budget.window === 'minute' ? now - 60_000 : periodOf(budget, now),
  }));
  const used = await usedSince(store, asked, canonicalOf);
  return budgets.map((budget, index) => {
    const end = endOf(budget, now);
    return { used: used[index] ?? 0, resetMs: end === null ? null : end - now };
  });
}
