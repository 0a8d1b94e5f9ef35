import type { Budget, Budgets } from '../../tenants/accounts/budgets.ts';
import type { BudgetReports } from '../../tenants/metering/budget-reports.ts';
import type { BudgetsView, BudgetView } from './budgets-view.ts';

/** The budgets of a tenant with their state. There are few: one list page holds them all. Rejects with `StoreError`. */
export async function readBudgets(
  budgets: Budgets,
  reports: BudgetReports,
  tenantId: string,
): Promise<BudgetsView> {
  const { items } = await budgets.list(tenantId, { limit: 200 });
  return { budgets: items, standings: await reports.standings(items), now: reports.now() };
}

/** A budget with all that its page shows. Rejects with `StoreError`. */
export async function readBudget(reports: BudgetReports, budget: Budget): Promise<Omit<BudgetView, 'page'>> {
  const [[standing = { used: 0, resetMs: null }], burnDown, alerts] = await Promise.all([
    reports.standings([budget]),
    reports.burnDown(budget),
    reports.alerts(budget.id),
  ]);
  return { budget, standing, now: reports.now(), burnDown, alerts };
}
