import { isTagName, isTagValue, tagNameRule } from '../../lib/tags.ts';
import { AccountError } from '../../tenants/accounts/account-error.ts';
import type { Budget, Budgets, BudgetUnit, BudgetWindow } from '../../tenants/accounts/budgets.ts';
import { budgetChangeOf, newBudgetOf } from '../../tenants/accounts/budgets-view.ts';
import { nameOf } from './budget-plot.ts';
import type { Flash } from './flash.ts';

/** What a form with budgets led to; the page of the tenant comes next unless a budget is named. */
interface BudgetOutcome {
  readonly flash: Flash;
  readonly budget: string | null;
}

/** Does what a form asks for with a tenant's budgets; null for another action. Throws `AccountError`. */
export async function budgetAction(
  budgets: Budgets,
  form: URLSearchParams,
  tenantId: string,
  actor: string,
): Promise<BudgetOutcome | null> {
  const action = form.get('action');
  if (action === 'create-budget') {
    const budget = await budgets.create(newBudget(form, tenantId), actor);
    return { flash: good(`The budget “${nameOf(budget)}” was created.`), budget: budget.id };
  }
  if (action !== 'change-budget' && action !== 'delete-budget') return null;
  const budget = await ownBudget(budgets, form.get('budget') ?? '', tenantId);
  if (action === 'delete-budget') {
    await budgets.delete(budget.id, actor);
    return { flash: good(`The budget “${nameOf(budget)}” was deleted.`), budget: null };
  }
  const { label, limit, kind, alerts_at } = common(form);
  const change = budgetChangeOf({ label, limit, kind, alerts_at }, budget.unit);
  const changed = await budgets.change(budget.id, change, actor);
  return { flash: good(`The budget “${nameOf(changed)}” was changed.`), budget: budget.id };
}

/** A budget, if it is this tenant's. Throws `AccountError('not_found')`. */
export async function ownBudget(budgets: Budgets, id: string, tenantId: string): Promise<Budget> {
  const budget = await budgets.get(id);
  if (budget.tenantId === tenantId) return budget;
  throw new AccountError('not_found', `The tenant ${tenantId} has no such budget.`);
}

const good = (message: string): Flash => ({ tone: 'good', message });

const units: readonly BudgetUnit[] = ['money', 'requests', 'tokens', 'concurrency'];
const windows: readonly BudgetWindow[] = ['minute', 'day', 'month', 'ever', 'running'];

function newBudget(form: URLSearchParams, tenantId: string) {
  const [unit, window] = [
    units.find((one) => one === form.get('unit')),
    windows.find((one) => one === form.get('window')),
  ];
  if (!unit || !window) throw new AccountError('invalid', 'Choose a unit and a window.', 'unit');
  const text = (name: string) => (form.get(name) ?? '').trim();
  const tag = tagTyped(text('tag'));
  const scope = {
    ...(text('key') && { key_id: text('key') }),
    ...(tag && { tag }),
    ...(text('model') && { model: text('model') }),
  };
  const told = unit === 'concurrency' || window === 'minute' ? { alerts_at: [] } : {};
  return newBudgetOf({ tenant_id: tenantId, unit, window, scope, ...common(form), ...told });
}

/** What both forms have. */
function common(form: URLSearchParams) {
  const limit = (form.get('limit') ?? '').trim();
  if (!/^\d{1,10}(\.\d+)?$/.test(limit) || Number(limit) > maxLimit) {
    throw new AccountError('invalid', `The limit is a number from 0 to ${maxLimit}.`, 'limit');
  }
  return {
    label: (form.get('label') ?? '').trim().slice(0, 200),
    limit: Number(limit),
    kind: form.get('kind') === 'soft' ? ('soft' as const) : ('hard' as const),
    alerts_at: percentsTyped(form.get('alerts') ?? ''),
  };
}

/** As the contract has it: what is stored in millionths must stay exact. */
const maxLimit = 9_007_199_254;

function percentsTyped(text: string): number[] {
  const parts = [...new Set(text.split(/[\s,%]+/).filter(Boolean))];
  const good = parts.every((part) => /^[1-9]\d{0,3}$/.test(part) && Number(part) <= 1000);
  if (good && parts.length <= 10) return parts.map(Number);
  throw new AccountError('invalid', 'Alerts are at most ten whole numbers from 1 to 1000.', 'alerts_at');
}

function tagTyped(text: string): { name: string; value: string } | null {
  if (text === '') return null;
  const [name = '', ...rest] = text.split('=');
  const value = rest.join('=');
  if (rest.length > 0 && isTagName(name) && isTagValue(value)) return { name, value };
  throw new AccountError('invalid', `The tag is written as team=search. ${tagNameRule}`, 'scope.tag');
}
