import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Limits, plansOf } from '../../../src/accounts/plans.ts';
import { steady } from '../../../src/lib/clock.ts';
import { AdmissionWindow } from '../../../src/metering/admission-window.ts';
import { momentOf, TenantLimiter } from '../../../src/metering/tenant-limiter.ts';

const { keys: _, ...unlimited } = plansOf('A').enterprise;
const start = Date.parse('2026-05-05T05:05:05Z');
const live = { running: 0, tokens: [] };
const at = (now: number) => momentOf(steady({ now: () => now }));

/** The plain rule: every admission so far, counted anew each time. */
function naive(limit: number) {
  const times: number[] = [];
  return {
    admit(now: number): boolean {
      if (times.filter((time) => time > now - 60_000).length >= limit) return false;
      times.push(now);
      return true;
    },
    times,
  };
}

function limiterOf(limits: Limits) {
  const none = { seq: 0, last_at: 0, day: 0, day_used: 0, month: 0, month_used: 0 };
  const limiter = new TenantLimiter(none);
  limiter.update({ counters: none, admitted: [] }, 0, start);
  return (now: number, count: number): boolean[] => {
    const { verdicts, move } = limiter.decide(at(now), limits, Array(count).fill(0), live);
    if (move) limiter.confirm(move);
    return verdicts.map((verdict) => verdict.admitted);
  };
}

const arrivals = fc.array(
  fc.record({
    gap: fc.oneof(fc.nat(50), fc.nat(20_000), fc.constantFrom(59_999, 60_000, 60_001)),
    count: fc.integer({ min: 1, max: 12 }),
  }),
  { minLength: 1, maxLength: 60 },
);

describe('the sliding minute', () => {
  it('admits exactly what the plain rule admits', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 15 }), arrivals, (limit, steps) => {
        const model = naive(limit);
        const decide = limiterOf({ ...unlimited, requestsPerMinute: limit });
        let now = start;
        for (const { gap, count } of steps) {
          now += gap;
          const expected = Array.from({ length: count }, () => model.admit(now));
          expect(decide(now, count)).toEqual(expected);
        }
        for (const time of model.times) {
          const within = model.times.filter((other) => other >= time && other < time + 60_000);
          expect(within.length).toBeLessThanOrEqual(limit);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('says exactly when there is room again', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 }), arrivals, (limit, steps) => {
        const none = { seq: 0, last_at: 0, day: 0, day_used: 0, month: 0, month_used: 0 };
        const limiter = new TenantLimiter(none);
        limiter.update({ counters: none, admitted: [] }, 0, start);
        const limits = { ...unlimited, requestsPerMinute: limit };
        let now = start;
        for (const { gap, count } of steps) {
          now += gap;
          const { verdicts, move } = limiter.decide(at(now), limits, Array(count).fill(0), live);
          if (move) limiter.confirm(move);
          const last = verdicts.at(-1);
          if (!last || last.admitted) continue;
          const wait = last.rejection.retryAfterMs ?? 0;
          expect(wait).toBeGreaterThan(0);
          expect(limiter.decide(at(now + wait - 1), limits, [0], live).move).toBeNull();
          const { move: then } = limiter.decide(at(now + wait), limits, [0], live);
          expect(then).not.toBeNull();
          now += wait;
        }
      }),
    );
  });

  it('keeps one entry a millisecond, however many requests', () => {
    const window = new AdmissionWindow();
    for (let n = 0; n < 300_000; n += 1) window.add(start + Math.floor(n / 5), 1);
    expect(window.used(start + 59_999)).toBe(300_000);
    expect(window.used(start + 60_000)).toBe(299_995);
    expect(window.freedAt(1)).toBe(start + 60_001);
    expect(window.used(start + 200_000)).toBe(0);
    expect(window.latest).toBeNull();
  });

  it('forgives a clock that was wrong for a while, instead of locking the tenant out', () => {
    const decide = limiterOf({ ...unlimited, requestsPerMinute: 2 });
    expect(decide(start + 86_400_000, 2)).toEqual([true, true]);
    expect(decide(start, 3)).toEqual([true, true, false]);
    expect(decide(start + 60_000, 3)).toEqual([true, true, false]);
  });

  it('counts days of a clock that was ahead for today, so that none is given twice', () => {
    const decide = limiterOf({ ...unlimited, requestsPerDay: 3, requestsPerMonth: 5 });
    expect(decide(start + 86_400_000, 2)).toEqual([true, true]);
    expect(decide(start, 2)).toEqual([true, false]);
    expect(decide(start + 86_400_000, 4)).toEqual([true, true, false, false]);
    expect(decide(start + 40 * 86_400_000, 1)).toEqual([true]);
  });

  it('refuses for the minute after the time has gone back by far, as nobody knows what counts', () => {
    const counters = { seq: 2, last_at: start, day: 0, day_used: 0, month: 0, month_used: 0 };
    const limiter = new TenantLimiter(counters);
    limiter.update({ counters, admitted: [] }, 0, start);
    const now = start - 30 * 86_400_000;
    const limits = { ...unlimited, requestsPerMinute: 2 };
    const refused = limiter.decide({ now, minuteAgo: start - 1 }, limits, [0], live);
    expect(refused.verdicts).toMatchObject([{ admitted: false, rejection: { retryAfterMs: 60_000 } }]);
    expect(limiter.decide(at(now + 60_000), limits, [0], live).move).not.toBeNull();
  });

  it('does not let a clock that goes back a little open the window', () => {
    const decide = limiterOf({ ...unlimited, requestsPerMinute: 2 });
    expect(decide(start, 2)).toEqual([true, true]);
    expect(decide(start - 5_000, 1)).toEqual([false]);
    expect(decide(start + 59_999, 1)).toEqual([false]);
    expect(decide(start + 60_000, 1)).toEqual([true]);
  });
});
