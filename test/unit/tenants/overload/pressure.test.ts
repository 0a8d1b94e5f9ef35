import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
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
