import { expect, it } from 'vitest';
import { problemsOf, readWithFile } from './helpers.ts';

it('reads tiers and changes in the order in which they hold, and other currencies in US dollars', async () => {
  const { prices } = await readWithFile(`exchange_rates:
  EUR: { usd: 1.08, on: 2026-11-01 }
prices:
  gemini/gemini-3.1-pro-preview:
    prompt: 2
    completion: 12
    tiers:
      - { above_prompt_tokens: 500000, prompt: 8, completion: 36 }
      - { above_prompt_tokens: 200000, prompt: 4, completion: 18, cached_prompt: 0.4 }
    changes:
      - { from: 2027-06-01T12:00:00Z, prompt: 1, completion: 5 }
      - from: 2027-01-01
        prompt: 3
        completion: 13
        tiers: [{ above_prompt_tokens: 9, prompt: 6, completion: 26 }]
  mistral/large: { prompt: 1.1, completion: 3.3, currency: EUR }
  openai/gpt-5.5: { prompt: 1, completion: 2, currency: USD }
`);
  expect({ ...prices }).toEqual({
    'gemini/gemini-3.1-pro-preview': {
      prompt: 2,
      completion: 12,
      tiers: [
        { above: 200_000, prompt: 4, completion: 18, cachedPrompt: 0.4 },
        { above: 500_000, prompt: 8, completion: 36 },
      ],
      changes: [
        {
          from: Date.UTC(2027, 0, 1),
          price: { prompt: 3, completion: 13, tiers: [{ above: 9, prompt: 6, completion: 26 }] },
        },
        { from: Date.UTC(2027, 5, 1, 12), price: { prompt: 1, completion: 5 } },
      ],
    },
    'mistral/large': { prompt: 1.188, completion: 3.564 },
    'openai/gpt-5.5': { prompt: 1, completion: 2 },
  });
});

it.each([
  [
    'a currency without a rate',
    'prices:\n  a/b: { prompt: 1, completion: 1, currency: EUR }',
    'file:2:46: prices.a/b.currency: expected an entry of `exchange_rates` for EUR.',
  ],
  [
    'a currency that is none',
    'prices:\n  a/b: { prompt: 1, completion: 1, currency: euro }',
    'file:2:46: prices.a/b.currency: expected a currency of ISO 4217, such as `EUR`.',
  ],
  [
    'a day that there is not',
    'prices:\n  a/b:\n    prompt: 1\n    completion: 1\n    changes: [{ from: 2026-02-30, prompt: 1, completion: 1 }]',
    'file:5:23: prices.a/b.changes.0.from: expected a day such as 2026-12-01, or a time in UTC such as 2026-12-01T06:00:00Z.',
  ],
  [
    'a time twice',
    'prices:\n  a/b:\n    prompt: 1\n    completion: 1\n    changes: [{ from: 2026-12-01, prompt: 1, completion: 1 }, { from: 2026-12-01T00:00:00Z, prompt: 2, completion: 1 }]',
    'prices.a/b.changes.1.from: expected each threshold and each time once.',
  ],
  [
    'a tier without its border',
    'prices:\n  a/b:\n    prompt: 1\n    completion: 1\n    tiers: [{ prompt: 1, completion: 1 }]',
    'expected the key `above_prompt_tokens`, which is missing.',
  ],
  [
    'a rate without a day',
    'exchange_rates:\n  EUR: { usd: 1.1 }',
    'exchange_rates.EUR: expected the key `on`, which is missing.',
  ],
])('refuses %s', async (_case, text, expected) => {
  expect(await problemsOf(readWithFile(text))).toEqual([expect.stringContaining(expected)]);
});
