import type { Limits } from '../accounts/plans.ts';
import type { StoreClock } from '../lib/clock.ts';
import { dayMs, dayOf, monthOf, startOfDay, startOfMonth } from '../lib/utc.ts';
import type { CounterMove, Counters, TenantState } from '../store/ledger.ts';
import { AdmissionWindow, windowMs } from './admission-window.ts';
import type { LimitState, Rejection } from './limit-state.ts';
import {
  calendar,
  concurrency,
  type Live,
  limitStateOf,
  type Measure,
  overflow,
  reject,
  tokenMeasure,
} from './measures.ts';

export type Verdict =
  | { readonly admitted: true; readonly seq: number; readonly state: LimitState }
  | { readonly admitted: false; readonly rejection: Rejection };

export interface Decision {
  readonly at: number;
  readonly verdicts: readonly Verdict[];
  /** What the admitted ones change; null when there are none. */
  readonly move: CounterMove | null;
}

/** A point in time, on the scale of the stamps. */
export interface Moment {
  readonly now: number;
  /** What was stamped then or before is at least a minute old: a minute before `now`, unless that has stepped since. */
  readonly minuteAgo: number;
}

export function momentOf(clock: StoreClock): Moment {
  return { now: clock.now(), minuteAgo: clock.ago(windowMs) };
}

/** First second whose tokens still count: a second counts until 60 seconds after its end, so the window is never short. */
export function firstTokenSecond({ minuteAgo }: Moment): number {
  return Math.floor((minuteAgo - 1000) / 1000) + 1;
}

/**
 * A tenant's counters and recent admissions as this process knows them, and the decisions on top of them. What it
 * knows may be out of date, as other processes admit too; a decision to admit becomes real only if the counters in
 * the database still are those it rests on, and a decision to reject is right all the same, since what others do can
 * only use up more.
 */
export class TenantLimiter {
  #counters: Counters;
  /** Null for a tenant that has had no limit per minute. */
  #window: AdmissionWindow | null = null;

  constructor(counters: Counters) {
    this.#counters = counters;
  }

  /** Time of the last admission. */
  get lastAt(): number {
    return this.#counters.last_at;
  }

  lacksWindow(limits: Limits): boolean {
    return limits.requestsPerMinute !== null && this.#window === null;
  }

  /** From when on admissions have to be read to bring this up to date. */
  windowStart({ now, minuteAgo }: Moment): number {
    const latest = this.#window?.latest ?? null;
    // One that is ahead by more than a window is from before the time went back.
    return latest === null || latest > now + windowMs ? minuteAgo + 1 : latest;
  }

  /** Takes over what was read, with the admissions from `windowStart` on; null: they were not read. */
  update({ counters, admitted }: TenantState, since: number | null, now: number): void {
    this.#counters = counters;
    if (since === null) {
      // Without what others have admitted it would be wrong once there is a limit again.
      this.#window = null;
      return;
    }
    this.#window ??= new AdmissionWindow();
    // Rows of the future were written under a wrong clock; see `#time`.
    this.#window.replaceFrom(
      since,
      admitted.filter(({ at }) => at <= now + windowMs),
    );
  }

  /**
   * Decides on requests that arrive together, in their order.
   * @param asked the tokens that each may use.
   */
  decide(moment: Moment, limits: Limits, asked: readonly number[], live: Live): Decision {
    const at = this.#time(moment);
    const measures = this.#measures(at, moment, limits, live);
    const verdicts: Verdict[] = [];
    let taken = 0;
    let tokens = 0;
    for (const want of asked) {
      const violated = measures.filter((measure) => overflow(measure, taken, tokens, want) > 0);
      if (violated.length === 0) {
        taken += 1;
        tokens += want;
        const state = limitStateOf(measures, taken, tokens, true);
        verdicts.push({ admitted: true, seq: this.#counters.seq + taken, state });
      } else {
        verdicts.push({ admitted: false, rejection: reject(measures, violated, taken, tokens, want) });
      }
    }
    return {
      at,
      verdicts,
      move: taken === 0 ? null : this.#move(at, taken, limits.tokensPerMinute === null ? 0 : tokens),
    };
  }

  /** How the limits stand when nothing is asked for. */
  state(moment: Moment, limits: Limits, live: Live): LimitState {
    return limitStateOf(this.#measures(this.#time(moment), moment, limits, live), 0, 0, false);
  }

  /** A move that has happened. */
  confirm({ to, from }: CounterMove): void {
    this.#counters = to;
    this.#window?.add(to.last_at, to.seq - from);
  }

  /**
   * Time of an admission: never before the last one, so that the order of numbers is the order of times. A last one
   * more than a minute ahead is from before the store's time went back by a day or more, or of a version that let it
   * step; holding on to it could lock a tenant out for as long as the clock was wrong, so the window starts anew. What
   * it held must be over by then: see `#minute`.
   */
  #time({ now }: Moment): number {
    const { last_at } = this.#counters;
    if (last_at <= now) return now;
    if (last_at <= now + windowMs) return last_at;
    if (this.#window) this.#window = new AdmissionWindow();
    return now;
  }

  #move(at: number, taken: number, tokens: number): CounterMove & { readonly tenantId: '' } {
    const { seq } = this.#counters;
    const { dayUsed, monthUsed, day, month } = this.#used(at);
    const to = {
      seq: seq + taken,
      last_at: at,
      day,
      day_used: dayUsed + taken,
      month,
      month_used: monthUsed + taken,
    };
    return { tenantId: '', from: seq, to, tokens };
  }

  #used(at: number) {
    const day = dayOf(at);
    const month = monthOf(at);
    const counters = this.#counters;
    return {
      day,
      month,
      // Days of the future were counted under a clock that was ahead: their requests count for today.
      dayUsed: counters.day >= day ? counters.day_used : 0,
      monthUsed: counters.month >= month ? counters.month_used : 0,
    };
  }

  #measures(at: number, moment: Moment, limits: Limits, live: Live): Measure[] {
    const measures: Measure[] = [];
    const { requestsPerMinute, requestsPerDay, requestsPerMonth, tokensPerMinute, concurrentRequests } =
      limits;
    if (requestsPerMinute !== null) measures.push(this.#minute(moment, requestsPerMinute));
    if (requestsPerDay !== null || requestsPerMonth !== null) {
      const { dayUsed, monthUsed, day, month } = this.#used(at);
      if (requestsPerDay !== null) {
        measures.push(calendar('day', requestsPerDay, dayUsed, startOfDay(day + 1) - at, dayMs));
      }
      if (requestsPerMonth !== null) {
        const end = startOfMonth(month + 1);
        measures.push(calendar('month', requestsPerMonth, monthUsed, end - at, end - startOfMonth(month)));
      }
    }
    if (tokensPerMinute !== null) {
      measures.push(tokenMeasure(moment.minuteAgo + windowMs, tokensPerMinute, live.tokens));
    }
    if (concurrentRequests !== null) measures.push(concurrency(concurrentRequests, live.running));
    return measures;
  }

  #minute({ now, minuteAgo }: Moment, limit: number): Measure {
    const window = this.#window ?? new AdmissionWindow();
    // The end of the window on the scale of the stamps: 60 seconds after those that are just leaving it.
    const end = minuteAgo + windowMs;
    // Less than a minute after the store's time has gone back by far nobody knows what else would count.
    const used = minuteAgo > now ? Math.max(limit, window.used(end)) : window.used(end);
    // Where the time has jumped ahead within the window, stamps lie further apart than the admissions.
    const wait = (freedAt: number) => Math.min(Math.max(1, freedAt - end), windowMs);
    return {
      name: 'minute',
      limit,
      used,
      windowSeconds: 60,
      idleResetMs: used === 0 ? 0 : wait((window.latest ?? end) + windowMs),
      busyResetMs: windowMs,
      waitMs: (count) => (count <= used && window.latest !== null ? wait(window.freedAt(count)) : windowMs),
    };
  }
}
