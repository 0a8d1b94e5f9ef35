import type { Handlers } from '../contract/wire-operations.ts';
import type { Budget, Budgets } from '../tenants/accounts/budgets.ts';
import { budgetChangeOf, budgetView, newBudgetOf } from '../tenants/accounts/budgets-view.ts';
import { callerOf } from '../tenants/accounts/caller.ts';
import type { Accounts } from '../tenants/accounts/open-accounts.ts';
import { actorOf } from '../tenants/accounts/roles.ts';
import type { BudgetStatuses } from '../tenants/metering/budget-usage.ts';
import { created, ok } from './replies.ts';

export function budgetHandlers({ budgets }: Pick<Accounts, 'budgets'>, standings: BudgetStatuses) {
  const viewOf = async (budget: Budget) => {
    const [standing] = await standings.of([budget]);
    return budgetView(budget, standing);
  };
  const listOf = async ({ items, nextCursor }: Awaited<ReturnType<Budgets['list']>>) => {
    const all = await standings.of(items);
    const data = items.map((budget, index) => budgetView(budget, all[index] ?? unknown));
    return ok({ object: 'list' as const, data, next_cursor: nextCursor });
  };
  return {
    listBudgets: async ({ query: { tenant_id = null, ...page } }) =>
      listOf(await budgets.list(tenant_id, page)),
    createBudget: async ({ body }, { principal }) =>
      created(await viewOf(await budgets.create(newBudgetOf(body), actorOf(principal)))),
    getBudget: async ({ path }) => ok(await viewOf(await budgets.get(path.budget_id))),
    changeBudget: async ({ path, body }, { principal }) => {
      const { unit } = await budgets.get(path.budget_id);
      const change = budgetChangeOf(body, unit);
      return ok(await viewOf(await budgets.change(path.budget_id, change, actorOf(principal))));
    },
    deleteBudget: async ({ path }, { principal }) => {
      await budgets.delete(path.budget_id, actorOf(principal));
      return { status: 204 };
    },
    listOwnBudgets: async ({ query }, { principal }) =>
      listOf(await budgets.list(callerOf(principal).tenantId, query)),
  } satisfies Partial<Handlers>;
}

const unknown = { used: 0, resetsAt: null };
