/** Limits against what is used of them: the arithmetic of admission, without any state. */
import { windowMs } from './admission-window.ts';
import type { LimitName, LimitState, LimitStatus, Rejection } from './limit-state.ts';

/** What only some tenants' limits need, read anew for every batch. */
export interface Live {
  /** Requests that run. */
  readonly running: number;
  /** Tokens by second, oldest first. */
  readonly tokens: readonly { readonly second: number; readonly tokens: number }[];
}

/** One limit against what is used of it. */
export interface Measure {
  readonly name: LimitName;
  readonly limit: number;
  readonly used: number;
  readonly windowSeconds: number | null;
  /** Milliseconds until all that was used before is given back. */
  readonly idleResetMs: number | null;
  /** The same once something is used now. */
  readonly busyResetMs: number | null;
  /** Milliseconds until `count` of what is used is given back. */
  readonly waitMs: (count: number) => number;
}

export function calendar(
  name: 'day' | 'month',
  limit: number,
  used: number,
  resetMs: number,
  length: number,
): Measure {
  const windowSeconds = length / 1000;
  return {
    name,
    limit,
    used,
    windowSeconds,
    idleResetMs: resetMs,
    busyResetMs: resetMs,
    waitMs: () => resetMs,
  };
}

/** @param at the end of the window, on the scale of the seconds */
export function tokenMeasure(at: number, limit: number, seconds: Live['tokens']): Measure {
  const freeAt = ({ second }: { second: number }) => second * 1000 + 1000 + windowMs;
  const maxWaitMs = windowMs + 1000;
  // Where the time has jumped ahead, seconds lie further apart than they were.
  const wait = (entry: { second: number }) => Math.min(freeAt(entry) - at, maxWaitMs);
  const held = seconds.filter((entry) => freeAt(entry) > at && entry.tokens > 0);
  const last = held.at(-1);
  return {
    name: 'tokens',
    limit,
    used: held.reduce((sum, { tokens }) => sum + tokens, 0),
    windowSeconds: 60,
    idleResetMs: last ? wait(last) : 0,
    busyResetMs: maxWaitMs,
    waitMs(count) {
      let left = count;
      for (const entry of held) {
        left -= entry.tokens;
        if (left <= 0) return wait(entry);
      }
      return maxWaitMs;
    },
  };
}

export function concurrency(limit: number, used: number): Measure {
  // Nobody knows when a request ends; a second is what most take.
  return {
    name: 'concurrency',
    limit,
    used,
    windowSeconds: null,
    idleResetMs: null,
    busyResetMs: null,
    waitMs: () => 1000,
  };
}

/** By how much a limit would be exceeded. */
export function overflow(
  { name, limit, used }: Measure,
  taken: number,
  tokens: number,
  want: number,
): number {
  // A request that names no tokens still needs a limit that is not spent.
  if (name === 'tokens') return used + tokens + Math.max(want, 1) - limit;
  return used + taken + 1 - limit;
}

function statusOf(measure: Measure, taken: number, tokens: number, busy: boolean): LimitStatus {
  const { name, limit, used, windowSeconds, idleResetMs, busyResetMs } = measure;
  const more = name === 'tokens' ? tokens : taken;
  const resetMs = busy && more > 0 ? busyResetMs : idleResetMs;
  return { name, limit, remaining: Math.max(0, limit - used - more), resetMs, windowSeconds };
}

export function limitStateOf(
  measures: readonly Measure[],
  taken: number,
  tokens: number,
  busy: boolean,
): LimitState {
  return measures.map((measure) => statusOf(measure, taken, tokens, busy));
}

export function reject(
  measures: readonly Measure[],
  violated: readonly Measure[],
  taken: number,
  tokens: number,
  want: number,
): Rejection {
  let longest: { measure: Measure; wait: number } | null = null;
  for (const measure of violated) {
    const min = measure.name === 'tokens' ? Math.max(want, 1) : 1;
    const wait =
      measure.limit < min ? Number.POSITIVE_INFINITY : measure.waitMs(overflow(measure, taken, tokens, want));
    if (longest === null || wait > longest.wait) longest = { measure, wait };
  }
  if (longest === null) throw new Error('rejected without a reason');
  const { measure, wait } = longest;
  const spent = measure.name === 'day' || measure.name === 'month';
  return {
    state: limitStateOf(measures, taken, tokens, taken > 0),
    limit: statusOf(measure, taken, tokens, taken > 0),
    retryAfterMs: Number.isFinite(wait) ? wait : null,
    shouldRetry: Number.isFinite(wait) && !spent,
  };
}
