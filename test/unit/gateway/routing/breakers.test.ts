/** Whose failures leave a model alone, and for whom. */
import { beforeEach, describe, expect, test } from 'vitest';
import { Breakers, type Passage } from '../../../../src/gateway/routing/breakers.ts';
import { ProviderError } from '../../../../src/gateway/upstream/provider-error.ts';
import type { Ability } from '../../../../src/model/port.ts';

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
