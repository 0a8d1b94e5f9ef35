import {
  divideHalfUp,
  one,
  type Price,
  type PriceBook,
  type PriceHistory,
  type Rates,
  toBillionths,
} from '../model/usage.ts';
import type { ConfigFile, ExchangeRateEntry, PricedEntry, PriceEntry, RatesEntry } from './parse-file.ts';

/** The currency of the ledger, and of prices that name none (ISO 4217). */
const bookCurrency = 'USD';

type Convert = (amount: number) => number;

/** The prices of the file in US dollars. What contradicts itself goes to `problems`. */
export function readPrices({ content, problem }: ConfigFile, problems: string[]): PriceBook {
  const rates = content.exchange_rates ?? {};
  for (const [currency, { usd }] of Object.entries(rates)) {
    if (toBillionths(usd) > 0n) continue;
    const wrong = 'this is zero at nine decimals; expected at least 0.000000001.';
    problems.push(problem(['exchange_rates', currency, 'usd'], wrong));
  }
  const book = Object.entries(content.prices ?? {}).map(([name, entry]) => {
    const at = ['prices', name];
    const convert = converter(entry, rates);
    if (convert === null) {
      const wrong = `expected an entry of \`exchange_rates\` for ${entry.currency}.`;
      problems.push(problem([...at, 'currency'], wrong));
    }
    for (const path of repeated(entry))
      problems.push(problem([...at, ...path], 'expected each threshold and each time once.'));
    for (const path of vanishing(entry, convert ?? same)) {
      const wrong =
        'this is zero US dollars at nine decimals; expected 0, or at least 0.000000001 US dollars.';
      problems.push(problem([...at, ...path], wrong));
    }
    return [name, historyOf(entry, convert ?? same)] as const;
  });
  return Object.assign(Object.create(null), Object.fromEntries(book));
}

const same: Convert = (amount) => amount;

/** Null: the currency has no rate. */
function converter(
  { currency }: PriceEntry,
  rates: Readonly<Record<string, ExchangeRateEntry>>,
): Convert | null {
  if (currency === undefined || currency === bookCurrency) return same;
  const rate = rates[currency];
  if (rate === undefined) return null;
  const usd = toBillionths(rate.usd);
  // A decimal of nine digits after the point is a number of our own again, as long as it is below a few millions.
  return (amount) => Number(divideHalfUp(toBillionths(amount) * usd, one)) / Number(one);
}

/** Where the same threshold or the same time stands twice. */
function repeated({ changes = [], ...first }: PriceEntry): string[][] {
  const tiers = (entry: PricedEntry, at: string[]) =>
    doubles((entry.tiers ?? []).map((tier) => tier.above_prompt_tokens)).map((index) => [
      ...at,
      'tiers',
      index,
      'above_prompt_tokens',
    ]);
  return [
    ...tiers(first, []),
    ...doubles(changes.map(({ from }) => Date.parse(from))).map((index) => ['changes', index, 'from']),
    ...changes.flatMap((change, index) => tiers(change, ['changes', String(index)])),
  ];
}

/** Where an amount that is given counts as zero. */
function vanishing({ changes = [], ...first }: PriceEntry, convert: Convert): string[][] {
  const within = (entry: RatesEntry, at: string[]) =>
    (Object.keys(rateFields) as (keyof RatesEntry)[])
      .filter((name) => entry[name] && toBillionths(convert(entry[name])) === 0n)
      .map((name) => [...at, name]);
  const withTiers = (entry: PricedEntry, at: string[]) => [
    ...within(entry, at),
    ...(entry.tiers ?? []).flatMap((tier, index) => within(tier, [...at, 'tiers', String(index)])),
  ];
  return [
    ...withTiers(first, []),
    ...changes.flatMap((change, index) => withTiers(change, ['changes', String(index)])),
  ];
}

/** The indexes of what stands further up as well. */
function doubles(values: readonly number[]): string[] {
  return values.flatMap((value, index) => (values.indexOf(value) < index ? [String(index)] : []));
}

function historyOf({ changes, ...first }: PriceEntry, convert: Convert): PriceHistory {
  if (changes === undefined) return priceOf(first, convert);
  const later = changes.map((entry) => ({ from: Date.parse(entry.from), price: priceOf(entry, convert) }));
  return { ...priceOf(first, convert), changes: later.sort((a, b) => a.from - b.from) };
}

function priceOf({ tiers, ...rates }: PricedEntry, convert: Convert): Price {
  if (tiers === undefined) return ratesOf(rates, convert);
  const all = tiers.map((tier) => ({ above: tier.above_prompt_tokens, ...ratesOf(tier, convert) }));
  return { ...ratesOf(rates, convert), tiers: all.sort((a, b) => a.above - b.above) };
}

/** What is given of an entry, under the domain's names. */
function ratesOf(entry: RatesEntry, convert: Convert): Rates {
  const given = Object.entries(rateFields).flatMap(([name, field]) => {
    const amount = entry[name as keyof RatesEntry];
    return amount === undefined ? [] : [[field, convert(amount)]];
  });
  return Object.fromEntries(given);
}

/** The file's names of the fields, which are those of the wire, and the domain's. */
const rateFields: Readonly<Record<keyof RatesEntry, keyof Rates>> = {
  prompt: 'prompt',
  completion: 'completion',
  cached_prompt: 'cachedPrompt',
  cache_write_5m: 'cacheWrite5m',
  cache_write_1h: 'cacheWrite1h',
  audio_prompt: 'audioPrompt',
  image_prompt: 'imagePrompt',
  reasoning: 'reasoning',
  audio_completion: 'audioCompletion',
  image_completion: 'imageCompletion',
};
