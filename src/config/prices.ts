import { camelCased } from '../lib/names.ts';
import {
  divideHalfUp,
  one,
  type Price,
  type PriceBook,
  type PriceHistory,
  type Rates,
  toBillionths,
} from '../model/usage.ts';
import { rates } from './file-schema.ts';
import type { ConfigFile, ExchangeRateEntry, PricedEntry, PriceEntry, RatesEntry } from './parse-file.ts';

/** The currency of the ledger, and of prices that name none (ISO 4217). */
const bookCurrency = 'USD';

type Convert = (amount: number) => number;

/** The prices of the file in US dollars. Contradictions are reported. */
export function readPrices({ content, report }: ConfigFile): PriceBook {
  const exchangeRates = content.exchange_rates ?? {};
  for (const [currency, { usd }] of Object.entries(exchangeRates)) {
    if (toBillionths(usd) > 0n) continue;
    const wrong = 'this is zero at nine decimals; expected at least 0.000000001.';
    report(['exchange_rates', currency, 'usd'], wrong);
  }
  const book = Object.entries(content.prices ?? {}).map(([name, entry]) => {
    const at = ['prices', name];
    const convert = converter(entry, exchangeRates);
    if (convert === null) {
      const wrong = `expected an entry of \`exchange_rates\` for ${entry.currency}.`;
      report([...at, 'currency'], wrong);
    }
    for (const path of repeated(entry))
      report([...at, ...path], 'expected each threshold and each time once.');
    for (const path of vanishing(entry, convert ?? same)) {
      const wrong =
        'this is zero US dollars at nine decimals; expected 0, or at least 0.000000001 US dollars.';
      report([...at, ...path], wrong);
    }
    return [name, historyOf(entry, convert ?? same)] as const;
  });
  return Object.assign(Object.create(null), Object.fromEntries(book));
}

const same: Convert = (amount) => amount;

const rateNames = Object.keys(rates) as (keyof RatesEntry)[];

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
    rateNames
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

/** The given rates of an entry, under the domain's names. */
function ratesOf(entry: RatesEntry, convert: Convert): Rates {
  const given = rateNames.filter((name) => entry[name] !== undefined);
  const amounts = given.map((name) => [name, convert(entry[name] ?? 0)]);
  return camelCased(Object.fromEntries(amounts) as RatesEntry);
}
