import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Caller } from '../../../../src/tenants/accounts/caller.ts';
import { plansOf } from '../../../../src/tenants/accounts/plans.ts';
import {
  expectedWait,
  openOverload,
  ProcessSignals,
} from '../../../../src/tenants/overload/open-overload.ts';
import { Pressure } from '../../../../src/tenants/overload/pressure.ts';

const settings = {
  thresholds: { delay: { high: 100, low: 50 }, heap: { high: 0.9, low: 0.8 } },
  maxRunning: 1_000,
  minRunning: 10,
};
const calm = { delay: 0, heap: 0.1 };

/** Looks at the same signals every half a second, so many times. */
function look(
  pressure: Pressure<'delay' | 'heap'>,
  signals: { delay: number; heap: number },
  times: number,
  running = 0,
) {
  for (let time = 0; time < times; time += 1) pressure.take(signals, 500, running);
  return pressure.state;
}

describe('the state', () => {
  it('is normal at first, and while nothing is beyond its upper threshold', () => {
    const pressure = new Pressure(settings);
    expect(look(pressure, { delay: 100, heap: 0.9 }, 100, 800)).toBe('normal');
    expect([pressure.limit, pressure.worst]).toEqual([1_000, null]);
  });

  it('is shedding when one signal has been beyond it for a second', () => {
    const pressure = new Pressure(settings);
    expect(look(pressure, { ...calm, delay: 101 }, 1)).toBe('normal');
    expect(look(pressure, { ...calm, delay: 101 }, 1)).toBe('shedding');
    expect(pressure.worst).toBe('delay');
  });

  it('is shedding after one look that stands for a longer time, as after a block', () => {
    const pressure = new Pressure(settings);
    pressure.take({ ...calm, delay: 1_500 }, 3_000, 0);
    expect(pressure.state).toBe('shedding');
  });

  it('stays normal through short peaks, however high', () => {
    const pressure = new Pressure(settings);
    for (let peak = 0; peak < 20; peak += 1) {
      expect(look(pressure, { ...calm, delay: 10_000 }, 1)).toBe('normal');
      expect(look(pressure, { ...calm, delay: 99 }, 1)).toBe('normal');
    }
  });

  it('is normal again when all has been below the lower thresholds for five seconds on end', () => {
    const pressure = new Pressure(settings);
    look(pressure, { ...calm, heap: 0.95 }, 2);
    expect(pressure.worst).toBe('heap');
    expect(look(pressure, { ...calm, heap: 0.85 }, 100)).toBe('shedding');
    expect(look(pressure, calm, 9)).toBe('shedding');
    expect(look(pressure, { ...calm, delay: 60 }, 1)).toBe('shedding');
    expect(look(pressure, calm, 9)).toBe('shedding');
    expect(look(pressure, calm, 1)).toBe('normal');
  });

  it('never changes more often than its times allow', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(200), { minLength: 50, maxLength: 400 }), (delays) => {
        const pressure = new Pressure(settings);
        let changedAt = Number.NEGATIVE_INFINITY;
        for (const [index, delay] of delays.entries()) {
          const before = pressure.state;
          pressure.take({ ...calm, delay }, 500, 100);
          if (pressure.state === before) continue;
          const minMs = pressure.state === 'normal' ? 5_000 : 1_000;
          expect((index - changedAt) * 500).toBeGreaterThanOrEqual(minMs);
          changedAt = index;
        }
      }),
    );
  });
});

describe('the limit', () => {
  it('falls from what runs, step by step, and no further than the least', () => {
    const pressure = new Pressure(settings);
    const high = { ...calm, delay: 110 };
    look(pressure, high, 2, 500);
    expect(pressure.limit).toBe(400);
    look(pressure, high, 1, 500);
    expect(pressure.limit).toBe(320);
    look(pressure, high, 1, 200);
    expect(pressure.limit).toBe(160);
    look(pressure, high, 100, 160);
    expect(pressure.limit).toBe(10);
  });

  it('falls faster the further a signal is beyond its threshold, to half at most', () => {
    for (const [delay, limit] of [
      [101, 400],
      [160, 312],
      [200, 250],
      [10_000, 250],
    ] as const) {
      const pressure = new Pressure(settings);
      look(pressure, { ...calm, delay }, 2, 500);
      expect(pressure.limit).toBe(limit);
    }
  });

  it('stays between the thresholds, and grows while all is calm, also after the state is normal', () => {
    const pressure = new Pressure(settings);
    look(pressure, { ...calm, delay: 200 }, 100, 100);
    look(pressure, { ...calm, delay: 75 }, 100, 10);
    expect(pressure.limit).toBe(10);
    look(pressure, calm, 4, 10);
    expect(pressure.limit).toBe(28);
    look(pressure, calm, 100, 10);
    expect([pressure.limit, pressure.state]).toEqual([1_000, 'normal']);
  });

  it('is always between the least and the most', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(300), fc.nat(2_000)), { maxLength: 200 }), (looks) => {
        const pressure = new Pressure(settings);
        for (const [delay, running] of looks) {
          pressure.take({ ...calm, delay }, 500, running);
          expect(pressure.limit).toBeGreaterThanOrEqual(10);
          expect(pressure.limit).toBeLessThanOrEqual(1_000);
        }
      }),
    );
  });
});

describe('the signals of a process', () => {
  it('what happens during a long turn counts for its length', () => {
    // One turn of 1,000 ms and 100 of 10: half of all time falls into the one, whose rest is 500 ms on average.
    const turns = [1_000, ...Array.from({ length: 100 }, () => 10)];
    const sumOf = (power: number) => turns.reduce((sum, turn) => sum + turn ** power, 0);
    expect(expectedWait({ first: sumOf(1), second: sumOf(2) })).toBe(252.5);
    expect(expectedWait({ first: 20, second: 200 })).toBe(5);
    expect(expectedWait({ first: 0, second: 0 })).toBe(0);
  });

  it('a blocked event loop shows, and what is measured again begins at nothing', async () => {
    const signals = new ProcessSignals({ waitingAdmissions: () => 7 });
    onTestFinished(() => signals.close());
    await sleep(100);
    signals.read();
    const until = performance.now() + 600;
    while (performance.now() < until);
    await sleep(50);
    const blocked = signals.read();
    expect(blocked.event_loop).toBeGreaterThan(150);
    expect(blocked.admissions).toBe(7);
    expect(blocked.memory).toBeGreaterThanOrEqual(0);
    await expect
      .poll(() => signals.read().event_loop, { interval: 200 })
      .toBeLessThan(blocked.event_loop / 2);
  });

  it('the heap counts only when garbage has had time to go', () => {
    const signals = new ProcessSignals({ waitingAdmissions: () => 0 });
    onTestFinished(() => signals.close());
    const shares = Array.from({ length: 8 }, () => signals.read().heap);
    expect(shares.slice(0, 7)).toEqual([0, 0, 0, 0, 0, 0, 0]);
    expect(shares[7]).toBeGreaterThan(0);
    expect(shares[7]).toBeLessThan(1);
  });
});

describe('overload', () => {
  const caller = { tenantId: 't', plan: 'free', keyId: 'k', scopes: new Set() } as unknown as Caller;

  it('requests that keep the event loop from its timers are seen by what they bring', async () => {
    const changes: string[] = [];
    const overload = openOverload(
      { maxRunning: 1_000, maxWaiting: 100, maxWaitMs: 1_000, maxLoopDelayMs: 100, minRunning: 8 },
      plansOf('A'),
      { waitingAdmissions: () => 0 },
      {
        requestShed: () => undefined,
        loadChanged: (state, signal) => void changes.push(`${state} ${signal}`),
      },
    );
    onTestFinished(() => overload.close());
    const { signal } = new AbortController();
    const turns = Array.from({ length: 400 }, () => overload.turns.take(caller, signal));
    expect(overload.load()).toMatchObject({ state: 'normal', running: 400, limit: 1_000 });
    await expect(overload.check()).resolves.toContain('400 of 1000 requests run, 0 wait');
    // No timer fires in the meantime.
    while (overload.load().state === 'normal' || overload.load().limit > 100)
      overload.turns.take(null, signal);
    expect(changes).toEqual(['shedding event_loop']);
    expect(overload.load().running).toBe(400);
    await expect(overload.check()).rejects.toThrow('The event loop is late: requests are shed.');
    for (const turn of turns) turn?.end();
    expect(overload.load().running).toBe(0);
  });
});
