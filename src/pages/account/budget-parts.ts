import type { Standing } from '../../limits/authority.ts';
import type { Budget } from '../../tenants/accounts/budgets.ts';
import { type Html, html } from '../html.ts';
import { badge, count, dollars, moment } from './parts.ts';

/** The pieces by which the admin area and the dashboard show budgets. */

const things: Readonly<Record<Budget['unit'], string>> = {
  requests: ' requests',
  tokens: ' tokens',
  money: '',
  concurrency: ' requests at the same time',
};

const periods: Readonly<Record<Budget['window'], string>> = {
  minute: ' in any 60 seconds',
  day: ' a day',
  month: ' a month',
  ever: ' in all',
  running: '',
};

/** An amount in the unit of a budget. */
export function amountOf({ unit }: Pick<Budget, 'unit'>, amount: number): string {
  return unit === 'money' ? dollars(amount) : `${count(amount)}${things[unit]}`;
}

export function limitInWords(budget: Budget): string {
  return `${amountOf(budget, budget.limit)}${periods[budget.window]}`;
}

export function nameOf({ label, id }: Budget): string {
  return label || id;
}

/** Whose requests count. */
export function scopeView({ scope: { keyId, tag, model } }: Budget): Html {
  const parts = [
    keyId !== null && `key ${keyId}`,
    tag !== null && `${tag.name}=${tag.value}`,
    model !== null && `model ${model}`,
  ].filter((part) => part !== false);
  if (parts.length === 0) return html`all requests`;
  return html`<span class="chips">${parts.map((part) => html`<span class="chip">${part}</span>`)}</span>`;
}

/** How a budget stands: a word, a bar, and the numbers. */
export function standingView(budget: Budget, { used, resetMs }: Standing, now: number): Html {
  const { limit } = budget;
  const percent = limit === 0 ? 100 : Math.floor((used * 100) / limit);
  const spoken = `${amountOf(budget, used)} of ${limitInWords(budget)} used`;
  const max = Math.max(limit, 1);
  return html`<span class="stack budget">${stateBadge(budget, used)}
<meter min="0" max="${max}" low="${max * 0.8}" high="${max * 0.999}" optimum="0" value="${used >= limit ? max : used}" aria-label="${spoken}"></meter>
<small class="muted">${amountOf(budget, used)} used, ${count(percent)} %${resetMs !== null && html`; begins anew ${moment(now + resetMs)}`}</small></span>`;
}

function stateBadge({ limit, hard }: Budget, used: number): Html {
  if (used >= limit) return badge(hard ? 'used up' : 'exceeded', 'bad');
  return used * 100 >= limit * 80 ? badge('nearly used up', 'bad') : badge('within the limit', 'good');
}
