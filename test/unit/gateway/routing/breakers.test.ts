import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest';
import {
  type Breaker,
  Breakers,
  createBreaker,
  type Pass,
  type Passage,
} from '../../../../src/gateway/routing/breakers.ts';
import { retryDelay } from '../../../../src/gateway/routing/retry.ts';
import { ProviderError } from '../../../../src/gateway/upstream/provider-error.ts';
import type { Ability } from '../../../../src/model/port.ts';

/** Whose failures leave a model alone, and for whom. */

let now = 0;
let breakers: Breakers;

beforeEach(() => {
  now = 1000;
  breakers = new Breakers(() => now);
});

const outage = new ProviderError('provider_error', 'It failed.', { outage: true });
const refusal = new ProviderError('provider_rejected', 'No.');

const enter = (of: string | null, model = 'm', ability: Ability = 'answers') =>
  breakers.enter(model, ability, of);
const entered = (...asking: Parameters<typeof enter>): Passage => {
  const passage = enter(...asking);
  if (typeof passage === 'number') throw new Error('It is refused.');
  return passage;
};
const isRefused = (...asking: Parameters<typeof enter>): boolean => {
  const passage = enter(...asking);
  if (typeof passage === 'number') return true;
  passage.close();
  return false;
};
function fail(times: number, ...asking: Parameters<typeof enter>): void {
  for (let n = 0; n < times; n += 1) {
    const passage = entered(...asking);
    passage.failed(outage);
    passage.close();
  }
}

test('the failures of one tenant leave the model alone for that tenant only', () => {
  fail(5, 'a');
  expect([isRefused('a'), isRefused('b'), isRefused(null)]).toEqual([true, false, false]);
});

test('those of two leave it alone for all', () => {
  fail(4, 'a');
  fail(1, 'b');
  expect([isRefused('a'), isRefused('b'), isRefused('c'), isRefused(null)]).toEqual([true, true, true, true]);
});

test('one tenant that fails on and on does not count for the others, however many requests it sends', () => {
  for (let round = 0; round < 20; round += 1) {
    if (!isRefused('a')) fail(1, 'a');
    entered('b').answered();
    now += 1000;
  }
  expect(isRefused('b')).toBe(false);
});

test('the server itself is one of them', () => {
  fail(5, null);
  expect([isRefused(null), isRefused('a')]).toEqual([true, false]);
  fail(1, 'a');
  expect(isRefused('a')).toBe(true);
});

test.each<Ability>(['counts', 'embeddings', 'images', 'speech', 'transcriptions', 'moderations'])(
  'what fails as %s still answers',
  (ability) => {
    fail(3, 'a', 'm', ability);
    fail(2, 'b', 'm', ability);
    expect([isRefused('a', 'm', ability), isRefused('a'), isRefused('b')]).toEqual([true, false, false]);
  },
);

test('another model is left as it is', () => {
  fail(3, 'a');
  fail(2, 'b');
  expect([isRefused('c'), isRefused('c', 'other')]).toEqual([true, false]);
});

describe('a request', () => {
  test('counts once, whatever attempts it takes', () => {
    for (const who of ['a', 'b', 'a', 'b']) {
      const passage = entered(who);
      for (let attempt = 0; attempt < 4; attempt += 1) passage.failed(outage);
      passage.close();
      passage.close();
    }
    expect(isRefused('a')).toBe(false);
    fail(1, 'b');
    expect(isRefused('a')).toBe(true);
  });

  type Step = 'fails' | 'is refused' | 'is answered';
  const steps: Readonly<Record<Step, (passage: Passage) => void>> = {
    fails: (passage) => passage.failed(outage),
    'is refused': (passage) => passage.failed(refusal),
    'is answered': (passage) => passage.answered(),
  };

  test.each<[readonly Step[], boolean]>([
    [['fails', 'is answered'], false],
    [['fails', 'is refused'], false],
    [['is refused', 'fails'], true],
    [[], false],
    // It broke off.
    [['is answered', 'fails'], true],
  ])('that %j: the last attempt decides', (taken, opens) => {
    for (const who of ['a', 'b', 'a', 'b', 'a', 'b']) {
      const passage = enter(who);
      if (typeof passage === 'number') break;
      for (const step of taken) steps[step](passage);
      passage.close();
    }
    expect(isRefused('c')).toBe(opens);
  });

  test('tries no more once the model is left alone, or as the probe', () => {
    const early = entered('c');
    expect(early.mayRetry()).toBe(true);
    fail(3, 'a');
    fail(2, 'b');
    expect(early.mayRetry()).toBe(false);
    now += 5000;
    const probe = entered('c');
    expect(probe.mayRetry()).toBe(false);
    expect(enter('d')).toBeGreaterThan(0);
    probe.answered();
    expect(entered('d').mayRetry()).toBe(true);
  });
});

test('a tenant that is refused for its own failures leaves the probe to others', () => {
  fail(5, 'a');
  now += 5000;
  // Its probe fails, and one of another: its own is closed for ten seconds now, that for all for five.
  fail(1, 'a');
  fail(1, 'b');
  expect([isRefused('a'), isRefused('b'), isRefused('c')]).toEqual([true, true, true]);
  now += 5000;
  expect(isRefused('a')).toBe(true);
  entered('c').answered();
  expect([isRefused('a'), isRefused('b'), isRefused('c')]).toEqual([true, false, false]);
});

test('a thousand names of models are known at most, and the first goes', () => {
  fail(3, 'a', 'first');
  fail(2, 'b', 'first');
  expect(isRefused('c', 'first')).toBe(true);
  for (let n = 0; n < 1000; n += 1) isRefused('a', `model-${n}`);
  expect(isRefused('c', 'first')).toBe(false);
});

describe('retries', () => {
  const failure = (waitMs: number | null = null) =>
    new ProviderError('provider_error', 'It failed.', { waitMs });
  const question = { error: failure(), attempts: 1, attemptsLeft: 1, remaining: 60_000 };

  describe('the wait before a retry', () => {
    afterEach(() => vi.restoreAllMocks());

    it.each([
      [1, 250],
      [2, 500],
      [5, 4000],
      [6, 5000],
      [50, 5000],
    ])('after attempt %i is random, up to %i ms, and never a reason to give up', (attempts, ceiling) => {
      const random = vi.spyOn(Math, 'random').mockReturnValue(0);
      expect(retryDelay({ ...question, attempts })).toBe(0);
      random.mockReturnValue(1 - 2 ** -20);
      const delay = retryDelay({ ...question, attempts });
      expect(delay).toBeGreaterThan(ceiling * 0.999);
      expect(delay).toBeLessThan(ceiling);
    });

    it('is what the vendor asks for, as long as patience and the deadline last', () => {
      vi.spyOn(Math, 'random').mockReturnValue(0);
      expect(retryDelay({ ...question, error: failure(4999) })).toBe(4999);
      expect(retryDelay({ ...question, error: failure(5000) })).toBeNull();
      expect(retryDelay({ ...question, error: failure(3000), remaining: 3000 })).toBeNull();
    });

    it('is none without attempts or for what would fail again', () => {
      expect(retryDelay({ ...question, attemptsLeft: 0 })).toBeNull();
      const hopeless = new ProviderError('provider_error', 'It failed.', { worthRetrying: false });
      expect(retryDelay({ ...question, error: hopeless })).toBeNull();
    });
  });
});

describe('one breaker', () => {
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
});
