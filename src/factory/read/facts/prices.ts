import { oncePer } from '../../../lib/once.ts';
import type { NamedCurrency, Price } from '../draft.ts';
import type { Lexicon } from '../lexicon.ts';
import { fold } from '../phrases.ts';
import { anyOf, spanOf, wordEnd, wordStart } from '../spans.ts';

const signs: Readonly<Record<string, string>> = {
  '€': 'EUR',
  $: 'USD',
  '£': 'GBP',
  r$: 'BRL',
  '¥': 'JPY',
  chf: 'CHF',
  eur: 'EUR',
  usd: 'USD',
  gbp: 'GBP',
  brl: 'BRL',
};
const amount = String.raw`\d{1,3}(?:[.,’ ]\d{3})+(?:[.,]\d{1,2})?(?!\d)|\d+(?:[.,]\d{1,2})?(?!\d)`;
const sign = String.raw`R\$|[€$£¥]|CHF(?!\p{L})|EUR(?!\p{L})|USD(?!\p{L})|GBP(?!\p{L})|BRL(?!\p{L})`;
const weights: readonly string[] = ['pound', 'pounds', 'pfund', 'libras'];

const patternOf = oncePer(({ data }: Lexicon): RegExp => {
  const words = anyOf(Object.keys(data.currencies));
  return new RegExp(
    `(?<![\\p{L}\\d.,])(?:(?<sign>${sign})\\s?(?<after>${amount})|(?<before>${amount})\\s?(?:(?<unit>${sign})|(?<word>${words})(?!\\p{L})))`,
    'giu',
  );
});

/** Prices with a currency, as they are written: `£8.50`, `3,20 €`, `R$ 1.850,00`. */
export function pricesIn(prompt: string, lexicon: Lexicon): Price[] {
  return [...prompt.matchAll(patternOf(lexicon))].map((match) => {
    const { sign: ahead, after, before, unit, word } = match.groups ?? {};
    const mark = (ahead ?? unit ?? '').toLowerCase();
    const currency = signs[mark] ?? lexicon.data.currencies[(word ?? '').toLowerCase()] ?? '';
    const digits = after ?? before ?? '';
    return {
      ...spanOf(match),
      amount: numberOf(digits),
      shown: word ? `${digits} ${fold(word) === 'euros' ? '€' : word}` : match[0],
      currency,
    };
  });
}

/** Currencies without an amount: `expenses in yen`, `Ausgaben in €`. What is also a weight, as pounds are, names none. */
export function currenciesIn(prompt: string, { data }: Lexicon): NamedCurrency[] {
  const words = Object.keys(data.currencies).filter((word) => !weights.includes(fold(word)));
  const pattern = new RegExp(
    `(?:${wordStart}(?:${anyOf(data.places)})\\s|\\()(?<name>${anyOf(words)}|${sign})${wordEnd}`,
    'giu',
  );
  return [...prompt.matchAll(pattern)].map((match) => {
    const text = match.groups?.['name'] ?? '';
    const end = match.index + match[0].length;
    const currency = data.currencies[text.toLowerCase()] ?? signs[text.toLowerCase()] ?? '';
    return { text, start: end - text.length, end, currency };
  });
}

/** A number as it is written in any of the languages: one or two digits behind the last mark are decimals. */
export function numberOf(text: string): number {
  const clean = text.replace(/[’ ]/g, '');
  const decimals = /[.,](\d{1,2})$/.exec(clean)?.[1];
  const whole = (decimals === undefined ? clean : clean.slice(0, -decimals.length - 1)).replace(/[.,]/g, '');
  return Number(decimals === undefined ? whole : `${whole}.${decimals}`);
}
