import { isoTime } from '../../lib/utc.ts';
import type { Budget } from '../../tenants/accounts/budgets.ts';
import type { BudgetStatus } from '../../tenants/accounts/budgets-view.ts';
import type { BurnDown } from '../../tenants/metering/budget-reports.ts';
import { type Html, html } from '../assets/html.ts';
import { badge, count, dollars, moment } from './parts.ts';

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

/** The use of a budget: of a month by the end of each day, against an even pace; of a day on each of the last days, against its limit. */
export function budgetPlot(budget: Budget, burnDown: BurnDown): Html {
  return budget.window === 'day' ? daysPlot(budget, burnDown) : monthPlot(budget, burnDown);
}

function monthPlot(budget: Budget, burnDown: BurnDown): Html {
  const { days, used } = burnDown;
  const now = used.at(-1) ?? 0;
  const even = Math.round((budget.limit * used.length) / days);
  const pace = now > even ? 'faster than' : 'within';
  const spoken = `${amountOf(budget, now)} used by day ${used.length} of ${days}; an even pace would be ${amountOf(budget, even)}`;
  return plot(budget, burnDown, {
    title: `Used by the end of each day, ${pace} an even pace (UTC)`,
    spoken,
    dashed: { from: 0, what: 'the even pace' },
  });
}

function daysPlot(budget: Budget, burnDown: BurnDown): Html {
  const { days, used } = burnDown;
  const [now, most] = [used.at(-1) ?? 0, Math.max(...used)];
  return plot(budget, burnDown, {
    title: `Used on each of the last ${days} days (UTC)`,
    spoken: `${amountOf(budget, now)} used today; most in the last ${days} days ${amountOf(budget, most)}, of ${limitInWords(budget)}`,
    dashed: { from: budget.limit, what: 'the limit' },
  });
}

interface Words {
  readonly title: string;
  /** For who does not see it, and below it. */
  readonly spoken: string;
  /** A line from an amount to the limit. */
  readonly dashed: { readonly from: number; readonly what: string };
}

function plot(budget: Budget, { from, to, days, used }: BurnDown, { title, spoken, dashed }: Words): Html {
  const max = Math.max(budget.limit, ...used, 1);
  const width = days * 10;
  const y = (amount: number) => Math.round(10_000 - (10_000 * amount) / max) / 100;
  const points = used.map((amount, n) => `L${(n + 1) * 10} ${y(amount)}`).join('');
  const [first, last] = [isoTime(from).slice(0, 10), isoTime(to - 1).slice(0, 10)];
  return html`<figure class="plot burn">
<figcaption>${title}</figcaption>
<div class="plot-body"><div class="plot-scale" aria-hidden="true"><span>${amountOf(budget, max)}</span><span>0</span></div>
<svg viewBox="0 0 ${width} 100" preserveAspectRatio="none" role="img" aria-label="${spoken}">
<path class="grid" d="M0 0H${width}M0 100H${width}"/>
<path class="pace" d="M0 ${y(dashed.from)}L${width} ${y(budget.limit)}"/>
<path class="used" d="M0 ${start(budget, y(used[0] ?? 0))}${points}"/></svg></div>
<div class="plot-days" aria-hidden="true"><span>${first}</span><span>${last}</span></div>
<p class="muted">${spoken}. The dashed line is ${dashed.what}.</p></figure>`;
}

/** A month begins with nothing used; the first of the last days with what it has used. */
function start({ window }: Budget, first: number): number {
  return window === 'day' ? first : 100;
}

export function amountOf({ unit }: Pick<Budget, 'unit'>, amount: number): string {
  return unit === 'money' ? dollars(amount) : `${count(amount)}${things[unit]}`;
}

export function limitInWords(budget: Budget): string {
  return `${amountOf(budget, budget.limit)}${periods[budget.window]}`;
}

export function nameOf({ label, id }: Budget): string {
  return label || id;
}

export function scopeView({ scope: { keyId, tag, model } }: Budget): Html {
  const parts = [
    keyId !== null && `key ${keyId}`,
    tag !== null && `${tag.name}=${tag.value}`,
    model !== null && `model ${model}`,
  ].filter((part) => part !== false);
  if (parts.length === 0) return html`all requests`;
  return html`<span class="chips">${parts.map((part) => html`<span class="chip">${part}</span>`)}</span>`;
}

export function standingView(budget: Budget, { used, resetsAt }: BudgetStatus): Html {
  const { limit } = budget;
  const percent = limit === 0 ? 100 : Math.floor((used * 100) / limit);
  const spoken = `${amountOf(budget, used)} of ${limitInWords(budget)} used`;
  const max = Math.max(limit, 1);
  return html`<span class="stack budget">${stateBadge(budget, used)}
<meter min="0" max="${max}" low="${max * 0.8}" high="${max * 0.999}" optimum="0" value="${used >= limit ? max : used}" aria-label="${spoken}"></meter>
<small class="muted">${amountOf(budget, used)} used, ${count(percent)} %${resetsAt !== null && html`; resets ${moment(resetsAt)}`}</small></span>`;
}

function stateBadge({ limit, hard }: Budget, used: number): Html {
  if (used >= limit) return badge(hard ? 'used up' : 'exceeded', 'bad');
  return used * 100 >= limit * 80 ? badge('nearly used up', 'bad') : badge('within the limit', 'good');
}
