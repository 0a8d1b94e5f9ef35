import { expect, it } from 'vitest';
import { createRandom } from '../random.ts';

const drawn = (seed: string) => {
  const random = createRandom(seed);
  return Array.from({ length: 50 }, () => [
    random.int(1, 1_000_000),
    random.chance(0.5),
    random.pick('abcdef'.split('')),
  ]);
};

it('gives the same under the same seed, and something else under another', () => {
  expect(drawn('7')).toEqual(drawn('7'));
  expect(drawn('7')).not.toEqual(drawn('8'));
});

it('gives a fork the same numbers whatever was drawn before', () => {
  const one = createRandom('7');
  const other = createRandom('7');
  for (let n = 0; n < 10; n += 1) other.next();
  expect(one.fork('load').int(0, 1e9)).toBe(other.fork('load').int(0, 1e9));
  expect(one.fork('load').int(0, 1e9)).not.toBe(one.fork('faults').int(0, 1e9));
});

it('meets every number of a range, and none beyond', () => {
  const random = createRandom('range');
  const met = new Set(Array.from({ length: 1000 }, () => random.int(3, 7)));
  expect([...met].sort()).toEqual([3, 4, 5, 6, 7]);
});

it('takes different ones, and no more than there are', () => {
  const random = createRandom('some');
  expect(random.some([1, 2, 3], 5).toSorted()).toEqual([1, 2, 3]);
  for (let n = 0; n < 50; n += 1) expect(new Set(random.some([1, 2, 3, 4], 2)).size).toBe(2);
});
