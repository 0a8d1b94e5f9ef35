import { isTagName, isTagValue, tagNameRule } from '../../lib/tags.ts';
import { AccountError } from '../../tenants/accounts/account-error.ts';
import type { Budget, Budgets } from '../../tenants/accounts/budgets.ts';
import { type BudgetStatus, budgetChangeOf, newBudgetOf } from '../../tenants/accounts/budgets-view.ts';
import type { BudgetReports, BurnDown, ToldAlert } from '../../tenants/metering/budget-reports.ts';
import { type Html, html } from '../assets/html.ts';
import { amountOf, budgetPlot, limitInWords, nameOf, scopeView, standingView } from './budget-plot.ts';
import { addressOf, type KeysPage } from './keys.ts';
import { badge, formHead, head, moment, table } from './parts.ts';
import { good } from './reply.ts';

export interface BudgetsView {
  readonly budgets: readonly Budget[];
  /** In the same order. */
  readonly standings: readonly BudgetStatus[];
}

const notKnown: BudgetStatus = { used: 0, resetsAt: null };

/** @param page where each budget has a page of its own; null: nowhere */
export function budgetsTable({ budgets, standings }: BudgetsView, page: KeysPage | null): Html {
  if (budgets.length === 0) return html`<p class="muted">There are no budgets.</p>`;
  const rows = budgets.map((budget, index) => [
    html`<strong>${page ? html`<a href="${addressOf(page, { budget: budget.id })}">${nameOf(budget)}</a>` : nameOf(budget)}</strong>`,
    scopeView(budget),
    html`<span class="stack">${limitInWords(budget)}${badge(budget.hard ? 'hard' : 'soft', 'calm')}</span>`,
    standingView(budget, standings[index] ?? notKnown),
  ]);
  return table('Budgets', ['Budget', 'Requests of', 'Limit', 'State'], rows);
}

export function budgetsSection(view: BudgetsView, page: KeysPage): Html {
  const options = (values: readonly (readonly [string, string])[]) =>
    values.map(([value, text]) => html`<option value="${value}">${text}</option>`);
  return html`<section class="panel" id="budgets"><h2>Budgets</h2>${budgetsTable(view, page)}
<details><summary>New budget</summary>
<form class="fields" method="post" action="${page.path}">${formHead(page.session, 'create-budget', page.fields)}
<label>What it is for <input name="label" maxlength="200" autocomplete="off"></label>
<label>What is counted <select name="unit">${options(unitOptions)}</select></label>
<label>Within <select name="window">${options(windowOptions)}</select></label>
<label>Limit of the budget <input name="limit" required inputmode="decimal" autocomplete="off" placeholder="500"></label>
<label>When it is exceeded <select name="kind">${options(kinds)}</select></label>
<label>Alerts at percent <input name="alerts" value="50, 80, 100" autocomplete="off"></label>
<label>Only of the key <input name="key" maxlength="64" placeholder="all" autocomplete="off"></label>
<label>Only with the tag <input name="tag" maxlength="330" placeholder="team=search" autocomplete="off"></label>
<label>Only for the model <input name="model" maxlength="200" placeholder="all" autocomplete="off"></label>
<button class="button primary">Create budget</button></form></details></section>`;
}

const unitOptions = [
  ['money', 'US dollars'],
  ['requests', 'Requests'],
  ['tokens', 'Tokens'],
  ['concurrency', 'Requests at the same time'],
] as const;
const windowOptions = [
  ['month', 'a month (UTC)'],
  ['day', 'a day (UTC)'],
  ['minute', 'any 60 seconds'],
  ['ever', 'all time'],
  ['running', 'the same time'],
] as const;
const kinds = [
  ['hard', 'is refused'],
  ['soft', 'only alerts'],
] as const;

interface BudgetView {
  readonly page: KeysPage;
  readonly budget: Budget;
  readonly standing: BudgetStatus;
  readonly burnDown: BurnDown | null;
  readonly alerts: readonly ToldAlert[];
}

/** A budget with its plot and alerts, and what can be done with it. */
export function budgetView({ page, budget, standing, burnDown, alerts }: BudgetView): Html {
  const { session, path } = page;
  const fields = { ...page.fields, budget: budget.id };
  const rows = alerts.map(({ percent, used, limit, at }) => [
    moment(at),
    html`${percent} %`,
    html`${amountOf(budget, used)} of ${amountOf(budget, limit)}`,
  ]);
  const limit = budget.unit === 'money' ? budget.limit / 1e6 : budget.limit;
  return html`${head(nameOf(budget), session, path, html`<a href="${addressOf(page)}#budgets">Budgets of the tenant</a>`)}
<section class="panel"><h2>${limitInWords(budget)} ${badge(budget.hard ? 'hard' : 'soft', 'calm')}</h2>
<p class="facts"><code>${budget.id}</code> ${scopeView(budget)}</p>${standingView(budget, standing)}
${burnDown && budgetPlot(budget, burnDown)}</section>
<section class="panel"><h2>Alerts</h2>${rows.length === 0 ? html`<p class="muted">None yet.</p>` : table('Alerts', ['When (UTC)', 'Reached', 'Used'], rows)}</section>
<section class="panel"><h2>Change</h2>
<form class="fields" method="post" action="${path}">${formHead(session, 'change-budget', fields)}
<label>What it is for <input name="label" maxlength="200" value="${budget.label}" autocomplete="off"></label>
<label>Limit of the budget <input name="limit" required inputmode="decimal" value="${limit}" autocomplete="off"></label>
<label>When it is exceeded <select name="kind">${kinds.map(([value, text]) => html`<option value="${value}" ${(value === 'hard') === budget.hard && html`selected`}>${text}</option>`)}</select></label>
<label>Alerts at percent <input name="alerts" value="${budget.alertsAt.join(', ')}" placeholder="none" autocomplete="off"></label>
<button class="button primary">Save budget</button></form></section>
<section class="panel"><h2>Delete</h2><p class="muted">It stops applying within a second. The ledger does not change.</p>
<div class="actions"><a class="button danger" href="${addressOf(page, { budget: budget.id, delete: '' })}">Delete budget</a></div></section>`;
}

export function deleteBudgetForm(budget: Budget, page: KeysPage): Html {
  return html`<section class="panel narrow"><h1>Delete the budget “${nameOf(budget)}”?</h1>
<p>Within a second, its limit of ${limitInWords(budget)} no longer applies, and it sends no alerts. This cannot be undone. The ledger stays as it is.</p>
<form method="post" action="${page.path}">${formHead(page.session, 'delete-budget', { ...page.fields, budget: budget.id })}
<div class="actions"><button class="button danger">Delete budget</button><a class="button" href="${addressOf(page, { budget: budget.id })}">Cancel</a></div></form></section>`;
}

/** The budgets of a tenant with their state. There are few: one list page holds them all. Rejects with `StoreError`. */
export async function readBudgets(
  budgets: Budgets,
  reports: BudgetReports,
  tenantId: string,
): Promise<BudgetsView> {
  const { items } = await budgets.list(tenantId, { limit: 200 });
  return { budgets: items, standings: await reports.standings(items) };
}

/** A budget with all that its page shows. Rejects with `StoreError`. */
export async function readBudget(reports: BudgetReports, budget: Budget): Promise<Omit<BudgetView, 'page'>> {
  const [[standing = { used: 0, resetsAt: null }], burnDown, alerts] = await Promise.all([
    reports.standings([budget]),
    reports.burnDown(budget),
    reports.alerts(budget.id),
  ]);
  return { budget, standing, burnDown, alerts };
}

/**
 * Does what a form asks for with a tenant's budgets; null for another action. The page of the tenant comes next unless
 * a budget is named. Throws `AccountError`.
 */
export async function budgetAction(budgets: Budgets, form: URLSearchParams, tenantId: string, actor: string) {
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

function newBudget(form: URLSearchParams, tenantId: string) {
  const [unit] = unitOptions.find(([one]) => one === form.get('unit')) ?? [];
  const [window] = windowOptions.find(([one]) => one === form.get('window')) ?? [];
  if (!unit || !window) throw new AccountError('invalid', 'Choose a unit and a window.', 'unit');
  const text = (name: string) => (form.get(name) ?? '').trim();
  const tag = tagTyped(text('tag'));
  const scope = {
    ...(text('key') && { key_id: text('key') }),
    ...(tag && { tag }),
    ...(text('model') && { model: text('model') }),
  };
  const withoutAlerts = unit === 'concurrency' || window === 'minute' ? { alerts_at: [] } : {};
  return newBudgetOf({ tenant_id: tenantId, unit, window, scope, ...common(form), ...withoutAlerts });
}

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

/** As the contract has it: amounts stored in millionths must stay exact. */
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
