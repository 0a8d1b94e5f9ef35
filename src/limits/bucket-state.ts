/** The state of one bucket at an authority, and its changes. Pure: the time comes with each call. */
import { dayOf, monthOf, startOfDay, startOfMonth } from '../lib/utc.ts';
import type { BucketStatus, Seed, Window } from './authority.ts';
import { exactEntries, minuteMs, roundedMs, runningWaitMs } from './authority.ts';

/** When an authority decides. */
export interface Moment {
  /** Milliseconds elapsed since some moment: never faster than real time, and never set. Minutes are measured by it. */
  readonly elapsed: number;
  /** Milliseconds since the epoch. Days and months go by it. */
  readonly stamp: number;
  /** How much two callers may differ about the elapsed time, in milliseconds: a minute counts that much longer. */
  readonly doubtMs: number;
}

export interface BucketState {
  readonly window: Window;
  /** When it was last looked at, in the time that its window goes by: whoever comes later is not earlier. */
  at: number;
  /** Where the day or the month ends that `used` is of; 0 for other windows. */
  end: number;
  used: number;
  /** Of a minute: when what was granted stops counting, in order, and how much it is. */
  readonly untils: number[];
  readonly amounts: number[];
  /** Of running requests: how many each holder has. */
  readonly holders: Record<string, number>;
}

export function emptyBucket(window: Window): BucketState {
  return { window, at: 0, end: 0, used: 0, untils: [], amounts: [], holders: {} };
}

/**
 * Lets go what does not count any more.
 * @param isAlive whether a holder is there, of which something runs
 * @returns the time that it is for the bucket
 */
export function advance(bucket: BucketState, moment: Moment, isAlive: (holder: string) => boolean): number {
  const { window } = bucket;
  const time = window === 'minute' ? moment.elapsed : moment.stamp;
  const ahead = bucket.at > time && bucket.at <= time + minuteMs;
  const now = ahead ? bucket.at : time;
  if (window === 'minute') {
    // Further ahead than a window is from another time than this one.
    const from = bucket.at > now ? bucket.untils.length : countPast(bucket.untils, now);
    for (let index = 0; index < from; index += 1) bucket.used -= bucket.amounts[index] ?? 0;
    if (from > 0) {
      bucket.untils.splice(0, from);
      bucket.amounts.splice(0, from);
    }
  } else if (window === 'running') {
    bucket.used = 0;
    for (const [holder, amount] of Object.entries(bucket.holders)) {
      if (isAlive(holder)) bucket.used += amount;
      else delete bucket.holders[holder];
    }
  } else if (window !== 'ever') {
    const end = ahead ? bucket.end : endOf(window, now);
    // A count made under a clock that was ahead counts for today.
    if (bucket.end < end) bucket.used = 0;
    bucket.end = end;
  }
  bucket.at = now;
  return now;
}

/** Counts an amount until a time. Returns until when it does count. */
export function add(bucket: BucketState, amount: number, until: number): number {
  bucket.used += amount;
  if (bucket.window !== 'minute') return bucket.end;
  const { untils, amounts } = bucket;
  const last = untils.at(-1);
  if (last !== undefined && until <= last) {
    amounts[amounts.length - 1] = (amounts.at(-1) ?? 0) + amount;
    return last;
  }
  const end = untils.length >= exactEntries ? Math.ceil(until / roundedMs) * roundedMs : until;
  untils.push(end);
  amounts.push(amount);
  return end;
}

export function addRunning(bucket: BucketState, holder: string, amount: number): void {
  const had = bucket.holders[holder] ?? 0;
  const has = Math.max(0, had + amount);
  bucket.used += has - had;
  if (has > 0) bucket.holders[holder] = has;
  else delete bucket.holders[holder];
}

/** Takes back an amount granted until then, or charges more. Amounts that no longer count stay as they are. */
export function giveBack(bucket: BucketState, amount: number, until: number, now: number): void {
  if (bucket.window === 'minute') {
    if (until <= now) return;
    const index = bucket.untils.indexOf(until);
    if (index >= 0) {
      const given = Math.min(amount, bucket.amounts[index] ?? 0);
      bucket.amounts[index] = (bucket.amounts[index] ?? 0) - given;
      bucket.used -= given;
    } else if (amount < 0) {
      add(bucket, -amount, until);
    }
  } else if (bucket.window === 'ever' || bucket.end === until) {
    bucket.used = Math.max(0, bucket.used - amount);
  }
}

/** Raises what is used to what the ledger says. */
export function raise(bucket: BucketState, seed: Seed, { doubtMs }: Moment, now: number): void {
  if (bucket.window !== 'minute') {
    bucket.used = Math.max(bucket.used, seed.used);
    return;
  }
  const counting = seed.entries.filter(([at]) => at + minuteMs + doubtMs > now);
  // Amounts that have left the window since it was read, or were rounded up, are no reason to count more.
  const total = counting.reduce((sum, [, amount]) => sum + amount, 0);
  const more = Math.min(total, seed.used) - bucket.used;
  if (bucket.untils.length === 0) {
    for (const [at, amount] of counting) add(bucket, amount, at + minuteMs + doubtMs);
  } else if (more > 0) {
    add(bucket, more, (counting.at(-1)?.[0] ?? now) + minuteMs + doubtMs);
  }
}

/** Milliseconds until so much is given back; null: unknown. */
export function freedIn(bucket: BucketState, amount: number, now: number): number | null {
  const { window, end, untils, amounts } = bucket;
  if (window === 'ever') return null;
  if (window === 'running') return runningWaitMs;
  if (window !== 'minute') return end - now;
  let left = amount;
  for (let index = 0; index < untils.length; index += 1) {
    left -= amounts[index] ?? 0;
    if (left <= 0) return (untils[index] ?? now) - now;
  }
  return null;
}

export function standingOf({ window, used, untils, end }: BucketState, now: number): BucketStatus {
  if (window === 'minute') return { used, resetMs: Math.max(0, (untils.at(-1) ?? now) - now) };
  return { used, resetMs: window === 'day' || window === 'month' ? end - now : null };
}

function endOf(window: 'day' | 'month', now: number): number {
  return window === 'day' ? startOfDay(dayOf(now) + 1) : startOfMonth(monthOf(now) + 1);
}

function countPast(untils: readonly number[], now: number): number {
  let count = 0;
  while (count < untils.length && (untils[count] ?? 0) <= now) count += 1;
  return count;
}
