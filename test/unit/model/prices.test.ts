import { expect, it } from 'vitest';
import { costOf, type Price, tokenUsage } from '../../../src/model/usage.ts';

const million = 1_000_000;
const flat: Price = { prompt: 3, completion: 15 };

it('a cost is in whole millionths of a dollar, and free only if the price says so', () => {
  const tokens = tokenUsage({ inputUncached: 2, cacheRead: 1, output: 1 });
  expect(costOf({ prompt: 0.15, completion: 0.6 }, tokens)).toBe(1);
  expect(costOf({ prompt: 0, completion: 0 }, tokens)).toBe(0);
  expect(costOf({ ...flat, cachedPrompt: 0.3 }, tokenUsage({ cacheRead: million }))).toBe(300_000);
  expect(costOf(null, tokens)).toBeNull();
});

const classes = [
  ['cacheRead', 'cachedPrompt', { cacheRead: million }, 3],
  ['cacheWrite5m', 'cacheWrite5m', { cacheWrite5m: million }, 3],
  ['cacheWrite1h', 'cacheWrite1h', { cacheWrite1h: million }, 3],
  ['audioIn', 'audioPrompt', { inputUncached: million, audioIn: million }, 3],
  ['imageIn', 'imagePrompt', { inputUncached: million, imageIn: million }, 3],
  ['reasoning', 'reasoning', { output: million, reasoning: million }, 15],
  ['audioOut', 'audioCompletion', { output: million, audioOut: million }, 15],
  ['imageOut', 'imageCompletion', { output: million, imageOut: million }, 15],
] as const;

for (const [name, field, told, without] of classes) {
  it(`tokens of the class ${name} cost what they are priced at, and else as their whole`, () => {
    const tokens = tokenUsage(told);
    expect(costOf(flat, tokens)).toBe(without * million);
    expect(costOf({ ...flat, [field]: 40 }, tokens)).toBe(40 * million);
    expect(costOf({ ...flat, [field]: 0 }, tokens)).toBe(0);
  });
}

it('tokens written for an hour cost as those for five minutes where only these have a price', () => {
  expect(costOf({ ...flat, cacheWrite5m: 3.75 }, tokenUsage({ cacheWrite1h: million }))).toBe(3.75 * million);
});

it('each class of one answer costs its own price', () => {
  const price: Price = { ...flat, cachedPrompt: 0.3, cacheWrite5m: 3.75, cacheWrite1h: 6, audioPrompt: 32 };
  const tokens = tokenUsage({
    inputUncached: 100,
    audioIn: 40,
    cacheRead: 1000,
    cacheWrite5m: 200,
    cacheWrite1h: 10,
    output: 50,
  });
  expect(costOf(price, tokens)).toBe(60 * 3 + 40 * 32 + 1000 * 0.3 + 200 * 3.75 + 10 * 6 + 50 * 15);
});
