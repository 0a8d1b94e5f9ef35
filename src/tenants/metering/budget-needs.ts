/** Budgets as needs of buckets, and the error of a request that they refuse. */

import { ServiceError } from '../../contract/errors.ts';
import type { Tags } from '../../lib/tags.ts';
import { dayOf, isoTime, monthOf, startOfDay, startOfMonth } from '../../lib/utc.ts';
import type { Bucket, Need } from '../../limits/authority.ts';
import type { Unpriced } from '../../model/usage.ts';
import type { Budget } from '../accounts/budgets.ts';
import type { Caller } from '../accounts/caller.ts';
import { type Rejection, setAsideReturns } from './limit-state.ts';

/** The most that a request may use. */
export interface Estimate {
  /** Of the prompt, and of the longest answer; null where that is unknown. */
  readonly tokens: TokenBound | null;
  /** Millionths of a US dollar at the dearest of who may answer. */
  readonly cost: (tokens: TokenBound) => number | Unpriced;
}

export interface TokenBound {
  readonly prompt: number;
  readonly answer: number;
}

const noBudgets: readonly Budget[] = [];

const units = { requests: 'requests', tokens: 'tokens', money: 'micro_usd', concurrency: 'running' } as const;

/** How the bucket of a budget begins behind its tenant. */
const path = '/budget/';

/**
 * Maps all names of a model to its canonical one, so that an alias does not evade a budget on its model. Null: the name has
 * no provider.
 * @param name as a request has it; null: the default model
 */
export type CanonicalOf = (name: string | null) => string | null;

/** A request as the scopes of budgets see it. */
export interface Scoped {
  /** As the client named it; null: the default model. */
  readonly model: string | null;
  /** Whether it calls no model, not even the default one. */
  readonly callsNone: boolean;
  readonly tags: Tags | undefined;
}

/** The budgets that a request counts for. */
export function budgetsOn(
  { budgets = noBudgets, keyId }: Pick<Caller, 'budgets' | 'keyId'>,
  { model, callsNone, tags }: Scoped,
  canonicalOf: CanonicalOf,
): readonly Budget[] {
  if (budgets.length === 0) return budgets;
  let called: string | null | undefined;
  return budgets.filter(({ scope }) => {
    if (scope.keyId !== null && scope.keyId !== keyId) return false;
    if (scope.tag !== null && (tags === undefined || tags[scope.tag.name] !== scope.tag.value)) return false;
    if (scope.model === null) return true;
    if (callsNone) return false;
    called ??= canonicalOf(model) ?? model;
    return called === modelOf(scope.model, canonicalOf);
  });
}

/** The model of a scope, as the models of requests are compared with it: as it was given where it has no provider any more. */
export function modelOf(name: string, canonicalOf: CanonicalOf): string {
  return canonicalOf(name) ?? name;
}

/** Whether any of these budgets needs an estimate. */
export function needsEstimate(budgets: readonly Budget[]): boolean {
  return budgets.some(({ unit }) => unit === 'tokens' || unit === 'money');
}

/**
 * The needs of a request on its budgets. Of tokens and money it needs the most that it may use or, where that is unknown,
 * that anything is left: then it is charged at its end. Throws `budget_exceeded` where a hard budget of money meets a model
 * without a price: its cost would be unknown.
 */
export function budgetNeeds(
  budgets: readonly Budget[],
  model: string | null,
  { tokens, cost }: Estimate,
): Need[] {
  return budgets.map((budget) => {
    let amount = 1;
    if (budget.unit === 'tokens' && tokens) amount = Math.max(1, tokens.prompt + tokens.answer);
    if (budget.unit === 'money' && tokens) {
      const most = cost(tokens);
      if (typeof most === 'number') amount = Math.max(1, most);
      else if (budget.hard) throw unpriced(budget, model, most);
    }
    return needOf(budget, amount);
  });
}

/** The needs on its budgets of a request that is not refused for its use: no tokens and money until it is settled. */
export function countingNeeds(budgets: readonly Budget[]): Need[] {
  return budgets.map((budget) => needOf(budget, budget.unit === 'tokens' || budget.unit === 'money' ? 0 : 1));
}

export function needOf(budget: Budget, amount: number): Need {
  const { unit, hard, id } = budget;
  return { bucket: bucketOf(budget), amount, unit: units[unit], name: id, hard };
}

/** The bucket of a soft budget has no limit: it only counts. */
export function bucketOf({ id, tenantId, window, limit, hard }: Budget): Bucket {
  return { id: `${tenantId}${path}${id}`, window, limit: hard ? limit : null };
}

/** The id of the budget that a bucket is of, by the bucket's id; null: of none. */
export function budgetIdOf(id: string): string | null {
  const at = id.indexOf(path);
  return at < 0 ? null : id.slice(at + path.length);
}

/** The error of a request that a budget of money refuses; null: it was refused for something else. */
export function budgetExceeded(
  { need, setAside, retryAfterMs, shouldRetry }: Rejection,
  budgets: readonly Budget[],
  now: number,
): ServiceError | null {
  const id = need ? budgetIdOf(need.bucket.id) : null;
  const budget = budgets.find((one) => one.id === id);
  if (!need || budget?.unit !== 'money') return null;
  const waits = setAside !== undefined;
  const spent = waits
    ? `${dollars(Math.max(0, need.used - setAside))} of it is used, requests under way have set aside ${dollars(setAside)}`
    : `${dollars(need.used)} of it is used or set aside`;
  const end = endOf(budget, now);
  const resets = end === null ? '' : ` It resets on ${isoTime(end)}.`;
  const message =
    `The budget ${nameOf(budget)} of ${dollars(budget.limit)}${periods[budget.window]} leaves too little: ${spent}, ` +
    `and this request may cost ${dollars(need.amount)}.${waits ? ` ${setAsideReturns}` : resets}`;
  return new ServiceError('budget_exceeded', message, {
    retryable: waits,
    shouldRetry: waits && shouldRetry,
    ...(retryAfterMs !== null && { retryAfter: Math.ceil(retryAfterMs / 1000) }),
  });
}

/** When the day or month of a budget ends; null: it has none. */
export function endOf({ window }: Pick<Budget, 'window'>, now: number): number | null {
  if (window === 'day') return startOfDay(dayOf(now) + 1);
  return window === 'month' ? startOfMonth(monthOf(now) + 1) : null;
}

/** The title of a budget's limit in a refusal, unless it is one of money. */
export function limitTitle(budget: Budget): string {
  const things = {
    requests: 'requests',
    tokens: 'tokens',
    concurrency: 'requests at the same time',
    money: '',
  };
  return `${things[budget.unit]}${periods[budget.window]} of the budget ${nameOf(budget)}`;
}

const periods: Readonly<Record<Budget['window'], string>> = {
  minute: ' in any 60 seconds',
  day: ' a day',
  month: ' a month',
  ever: '',
  running: '',
};

function nameOf({ id, label }: Budget): string {
  return JSON.stringify(label || id);
}

function unpriced(budget: Budget, model: string | null, { unpriced: target }: Unpriced): ServiceError {
  const isNamed = model !== null && `/${target}`.endsWith(`/${model}`);
  const role = isNamed ? '' : `, which may answer for ${model ?? 'the default model'}`;
  const message = `The budget ${nameOf(budget)} limits costs, and no price is known for ${target}${role}. The operator can set one in \`prices\`.`;
  return new ServiceError('budget_exceeded', message, { shouldRetry: false });
}

/** At least two decimals, and as many as it has. */
function dollars(microUsd: number): string {
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: 6 };
  return `$${(microUsd / 1e6).toLocaleString('en', digits)}`;
}
