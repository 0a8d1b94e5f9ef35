import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  costOf,
  divideHalfUp,
  type Price,
  type Rates,
  type TokenUsage,
  toBillionths,
  tokenUsage,
} from '../../../../src/model/usage.ts';
import { priceOfIn, versionOf, versionsIn } from '../../../../src/tenants/metering/price-book.ts';

/** Rates as vendors have them: up to six decimals. */
const rate = fc.integer({ min: 0, max: 1_000_000_000 }).map((millionths) => millionths / 1_000_000);
const rates: fc.Arbitrary<Rates> = fc.record(
  {
    prompt: rate,
    completion: rate,
    cachedPrompt: rate,
    cacheWrite5m: rate,
    cacheWrite1h: rate,
    audioPrompt: rate,
    imagePrompt: rate,
    reasoning: rate,
    audioCompletion: rate,
    imageCompletion: rate,
  },
  { requiredKeys: ['prompt', 'completion'] },
);
const count = fc.integer({ min: 0, max: 50_000_000 });
/** Each class by itself: what is text, sound or image of a prompt outside the cache, and so on. */
const classes = fc.record({
  text: count,
  audioIn: count,
  imageIn: count,
  cacheRead: count,
  cacheWrite5m: count,
  cacheWrite1h: count,
  said: count,
  reasoning: count,
  audioOut: count,
  imageOut: count,
});
type Classes = typeof classes extends fc.Arbitrary<infer Value> ? Value : never;

function usageOf(each: Classes): TokenUsage {
  const { text, said, audioIn, imageIn, audioOut, imageOut, reasoning, ...cache } = each;
  return tokenUsage({
    ...cache,
    inputUncached: text + audioIn + imageIn,
    output: said + reasoning + audioOut + imageOut,
    audioIn,
    imageIn,
    audioOut,
    imageOut,
    reasoning,
  });
}

it('what a request costs is the exact sum of its classes, each token in one, rounded once', () => {
  fc.assert(
    fc.property(rates, classes, (price, each) => {
      const units = (value: number) => BigInt(Math.round(value * 1_000_000));
      const { prompt, completion, cacheWrite5m = prompt } = price;
      const sum =
        BigInt(each.text) * units(prompt) +
        BigInt(each.audioIn) * units(price.audioPrompt ?? prompt) +
        BigInt(each.imageIn) * units(price.imagePrompt ?? prompt) +
        BigInt(each.cacheRead) * units(price.cachedPrompt ?? prompt) +
        BigInt(each.cacheWrite5m) * units(cacheWrite5m) +
        BigInt(each.cacheWrite1h) * units(price.cacheWrite1h ?? cacheWrite5m) +
        BigInt(each.said) * units(completion) +
        BigInt(each.reasoning) * units(price.reasoning ?? completion) +
        BigInt(each.audioOut) * units(price.audioCompletion ?? completion) +
        BigInt(each.imageOut) * units(price.imageCompletion ?? completion);
      expect(costOf(price, usageOf(each))).toBe(Number((2n * sum + 1_000_000n) / 2_000_000n));
    }),
    { numRuns: 500 },
  );
});

it('a token more never costs less', () => {
  const names = ['text', 'audioIn', 'cacheRead', 'cacheWrite1h', 'said', 'reasoning', 'imageOut'] as const;
  fc.assert(
    fc.property(rates, classes, fc.constantFrom(...names), (price, each, name) => {
      const more = { ...each, [name]: each[name] + 1 };
      expect(costOf(price, usageOf(more))).toBeGreaterThanOrEqual(costOf(price, usageOf(each)) ?? 0);
    }),
  );
});

it('a sum that floating-point numbers get wrong is exact', () => {
  // 0.1 + 0.2 of anything, and 35 tokens at 0.0143: 0.5005 as decimals, 0.50049999… as doubles.
  expect(costOf({ prompt: 0.0143, completion: 0 }, tokenUsage({ inputUncached: 35 }))).toBe(1);
  expect(costOf({ prompt: 0.1, completion: 0.2 }, tokenUsage({ inputUncached: 5, output: 5 }))).toBe(2);
  expect(costOf({ prompt: 0.1, completion: 0 }, tokenUsage({ inputUncached: 2 ** 52 + 5 }))).toBe(
    450_359_962_737_050,
  );
});

it('decimals are taken as they are written', () => {
  expect(toBillionths(0.1)).toBe(100_000_000n);
  expect(toBillionths(1e-7)).toBe(100n);
  expect(toBillionths(1.5e21)).toBe(1_500_000_000_000_000_000_000n * 1_000_000_000n);
  expect(toBillionths(0.0000000005)).toBe(1n);
  expect(toBillionths(0.00000000049)).toBe(0n);
  expect(toBillionths(-2.5)).toBe(-2_500_000_000n);
  expect([divideHalfUp(1n, 2n), divideHalfUp(4n, 3n), divideHalfUp(5n, 3n)]).toEqual([1n, 1n, 2n]);
});

it('a tier holds for the whole request from one token above its border on, by all tokens of the prompt', () => {
  const price: Price = {
    prompt: 2,
    completion: 12,
    cachedPrompt: 0.2,
    tiers: [
      { above: 200_000, prompt: 4, completion: 18, cachedPrompt: 0.4 },
      { above: 500_000, prompt: 8, completion: 36 },
    ],
  };
  const cost = (inputUncached: number, cacheRead = 0, output = 0) =>
    costOf(price, tokenUsage({ inputUncached, cacheRead, output }));
  expect(cost(200_000, 0, 10)).toBe(400_000 + 120);
  expect(cost(200_001, 0, 10)).toBe(800_004 + 180);
  expect(cost(100_000, 100_000)).toBe(200_000 + 20_000);
  expect(cost(100_000, 100_001)).toBe(Math.round(400_000 + 100_001 * 0.4));
  expect(cost(500_000)).toBe(2_000_000);
  // A tier is a price of its own: what it leaves out is not that of the others.
  expect(cost(500_001, 1)).toBe(500_002 * 8);
});

it('the price that holds is the last one before the request', () => {
  const book = {
    'openai/gpt-5.5': {
      prompt: 1,
      completion: 2,
      changes: [
        { from: 1000, price: { prompt: 3, completion: 4 } },
        { from: 2000, price: { prompt: 5, completion: 6 } },
      ],
    },
  };
  const priceOf = priceOfIn(book, () => 1500);
  const prompts = [0, 999, 1000, 1999, 2000, 9999].map((at) => priceOf('openai', 'gpt-5.5', at)?.prompt);
  expect(prompts).toEqual([1, 1, 3, 3, 5, 5]);
  expect(priceOf('openai', 'gpt-5.5')?.prompt).toBe(3);
  expect(priceOf('openai', 'gpt-5')).toBeNull();
  expect(versionsIn(book).map(({ price }) => price.prompt)).toEqual([1, 3, 5]);
});

it('a version names the rates of a model, whatever order they stand in and whatever comes after', () => {
  const price = { prompt: 1, completion: 2, cachedPrompt: 0.5 };
  const id = versionOf(price, 'openai', 'gpt-5.5');
  expect(id).toMatch(/^[0-9a-f]{16}$/);
  expect(versionOf({ cachedPrompt: 0.5, completion: 2, prompt: 1 }, 'openai', 'gpt-5.5')).toBe(id);
  const changing = { ...price, changes: [{ from: 1, price: { prompt: 9, completion: 9 } }] };
  expect(versionOf(changing, 'openai', 'gpt-5.5')).toBe(id);
  const others = [
    versionOf(price, 'openai', 'gpt-5'),
    versionOf({ ...price, prompt: 1.5 }, 'openai', 'gpt-5.5'),
    versionOf({ ...price, tiers: [{ above: 1, prompt: 2, completion: 2 }] }, 'openai', 'gpt-5.5'),
  ];
  expect(new Set([id, ...others]).size).toBe(4);
});
