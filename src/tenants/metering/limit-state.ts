import type * as Contract from '../../contract/limit-state.ts';
import type { BucketStatus, Need } from '../../limits/authority.ts';
import type { Limits } from '../accounts/plans.ts';

/** The limits that a tenant has. */
export type LimitName = Exclude<Contract.LimitName, Contract.DemoLimitName>;
export type LimitStatus = Contract.LimitStatus<LimitName>;
export type LimitState = readonly LimitStatus[];

/** The reason for a refusal. */
export interface Rejection {
  readonly state: LimitState;
  /** The limit that was hit; of several, the one that takes longest. */
  readonly limit: LimitStatus;
  /** The need that could not be met, and how much of its bucket is used. */
  readonly need?: Need & BucketStatus;
  /** How much of that requests under way have set aside, where it would be enough without; undefined: it would not. */
  readonly setAside?: number | undefined;
  /** Milliseconds until the same request may succeed; null: it cannot, the limit leaves no room for it at all. */
  readonly retryAfterMs: number | null;
  /** Whether a client should wait and try again by itself. */
  readonly shouldRetry: boolean;
}

/** Each limit's field in `Limits`, and what it is called to people. */
export const limitDescriptions: Readonly<
  Record<LimitName, { readonly field: keyof Limits; readonly title: string }>
> = {
  minute: { field: 'requestsPerMinute', title: 'requests in any 60 seconds' },
  day: { field: 'requestsPerDay', title: 'requests in a calendar day (UTC)' },
  month: { field: 'requestsPerMonth', title: 'requests in a calendar month (UTC)' },
  tokens: { field: 'tokensPerMinute', title: 'tokens in any 60 seconds' },
  concurrency: { field: 'concurrentRequests', title: 'requests at the same time' },
};

/** The message of a rejection. Names the limit, its window and when to try again. */
export function rejectionMessage({ limit, need, setAside, retryAfterMs }: Rejection, named?: string): string {
  // A limit that is not of a plan has a name of its own.
  const own = Object.hasOwn(limitDescriptions, limit.name) ? limitDescriptions[limit.name].title : limit.name;
  const title = named ?? own;
  const counted = limit.limit === 1 ? title.replace(/^(request|token)s/, '$1') : title;
  const quota = `The limit of ${inWords(limit.limit)} ${counted}`;
  const what = `${quota} is reached.`;
  if (need && setAside !== undefined)
    return (
      `${quota} leaves too little: ${inWords(Math.max(0, need.used - setAside))} of them are used, requests under way have set ` +
      `aside ${inWords(setAside)}, and this request may use ${inWords(need.amount)}. ${setAsideReturns}`
    );
  if (retryAfterMs === null && named !== undefined && need?.unit === 'tokens')
    return (
      `${quota} leaves too little: ${inWords(need.used)} of them are used or reserved, and this request may use ` +
      `${inWords(need.amount)}. Lower its maximum of tokens, or shorten the prompt.`
    );
  if (retryAfterMs === null)
    return limit.name === 'tokens'
      ? `${what} It leaves no room for this prompt and its answer: lower maxTokens, or shorten the prompt.`
      : `${what} It leaves no room for this request.`;
  if (limit.name === 'concurrency') return `${what} Wait until one of them has ended.`;
  return `${what} Try again in ${spoken(Math.ceil(retryAfterMs / 1000))}.`;
}

/** When there is room again where requests under way have set it aside. */
export const setAsideReturns = 'What they do not use comes back when they end. Try again in a second.';

const inWords = (count: number) => count.toLocaleString('en');

function spoken(seconds: number): string {
  if (seconds <= 120) return `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
  if (seconds <= 7_200) return `${Math.ceil(seconds / 60)} minutes`;
  if (seconds <= 172_800) return `${Math.ceil(seconds / 3_600)} hours`;
  return `${Math.ceil(seconds / 86_400)} days`;
}
