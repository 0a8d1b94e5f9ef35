import { beforeEach, describe, expect, test } from 'vitest';
import { type Breaker, createBreaker, type Pass } from '../../../../src/gateway/routing/breakers.ts';

let now = 0;
let breaker: Breaker;

beforeEach(() => {
  now = 1000;
  breaker = createBreaker({ now: () => now });
});

function enter(): Pass {
  const pass = breaker.enter();
  if (!pass) throw new Error('The breaker refused.');
  return pass;
}

function fail(times = 1, waitMs: number | null = null): void {
  for (let i = 0; i < times; i += 1) breaker.leave(enter(), 'outage', waitMs);
}

describe('closed', () => {
  test('it opens at the fifth failure', () => {
    fail(4);
    breaker.leave(enter(), 'unknown');
    fail();
    expect(breaker.enter()).toBeNull();
    expect(breaker.waitMs()).toBe(5000);
  });

  test('it stays closed while most attempts succeed', () => {
    for (let i = 0; i < 20; i += 1) {
      breaker.leave(enter(), 'alive');
      breaker.leave(enter(), 'alive');
      fail();
    }
    expect(breaker.enter()).not.toBeNull();
  });

  test('it forgets failures after a while', () => {
    for (let i = 0; i < 20; i += 1) {
      fail();
      now += 10_000;
    }
    expect(breaker.enter()).not.toBeNull();
  });
});

describe('open', () => {
  test('the longest wait wins, whatever comes in which order', () => {
    const [long, short] = [enter(), enter()];
    fail(5, 8000);
    expect(breaker.waitMs()).toBe(8000);
    breaker.leave(long, 'outage', 30_000);
    expect(breaker.waitMs()).toBe(30_000);
    breaker.leave(short, 'outage', 1000);
    expect(breaker.waitMs()).toBe(30_000);
    now += 29_999;
    expect(breaker.enter()).toBeNull();
    now += 1;
    expect(breaker.enter()).not.toBeNull();
  });

  test('a success from before does not close it', () => {
    const early = enter();
    fail(5);
    breaker.leave(early, 'alive');
    expect(breaker.enter()).toBeNull();
  });
});

describe('probing', () => {
  beforeEach(() => {
    fail(5);
    now += 5000;
  });

  test('one attempt goes through at a time', () => {
    const probe = enter();
    expect(breaker.enter()).toBeNull();
    expect(breaker.waitMs()).toBeGreaterThan(0);
    breaker.leave(probe, 'alive');
    expect(breaker.enter()).not.toBeNull();
    expect(breaker.enter()).not.toBeNull();
  });

  test('a probe that fails opens it for twice as long, up to a minute', () => {
    for (const wait of [10_000, 20_000, 40_000, 60_000, 60_000]) {
      fail();
      expect(breaker.enter()).toBeNull();
      expect(breaker.waitMs()).toBe(wait);
      now += wait;
    }
    breaker.leave(enter(), 'alive');
    fail(5);
    expect(breaker.waitMs()).toBe(5000);
  });

  test('a probe that is given up leaves the place to the next', () => {
    breaker.leave(enter(), 'unknown');
    const probe = enter();
    expect(breaker.enter()).toBeNull();
    breaker.leave(probe, 'alive');
    expect(breaker.enter()).not.toBeNull();
  });

  test('what an attempt from before it opened comes to does not decide', () => {
    const probe = enter();
    breaker.leave({ epoch: 0 }, 'alive');
    breaker.leave({ epoch: 0 }, 'outage');
    expect(breaker.enter()).toBeNull();
    breaker.leave(probe, 'alive');
    expect(breaker.enter()).not.toBeNull();
  });
});
