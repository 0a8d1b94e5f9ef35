import { oncePer } from '../../../lib/once.ts';
import type { Span, Token } from '../draft.ts';
import type { Lexicon } from '../lexicon.ts';
import { anyOf, spansOf } from '../spans.ts';

const phone = /(?<![\p{L}\d.,€$£])(?:\+|\()?\d[\d ()/.-]{5,20}\d(?![\d]|[.,]\d|\s?[€$£%])/gu;
const minDigits = 7;
const maxDigits = 13;

/** Telephone numbers: with a prefix, or long enough to be nothing else. */
export const phonesIn = (prompt: string, { data }: Lexicon): Span[] =>
  spansOf(prompt, phone).filter(({ text, start }) => {
    const digits = text.replace(/\D/g, '').length;
    const words = prompt.slice(Math.max(0, start - 24), start).toLowerCase();
    const named = (data.types.phone ?? []).some((word) =>
      new RegExp(`(?<!\\p{L})${word}[.:\\s]*$`, 'u').test(words),
    );
    const prefixed = /^(?:\+|0|\()/.test(text);
    const grouped = /^\d{3}[ -]\d{2,4}[ -]\d{2,4}(?:[ -]\d{2,4})?$/.test(text);
    const isLong = grouped && digits >= 9 && !/[A-Z]{3,}\s$/.test(prompt.slice(0, start));
    return digits >= minDigits && digits <= maxDigits && (named || prefixed || isLong);
  });

export const emailsOf = (tokens: readonly Token[]): Span[] =>
  tokens.filter(({ text }) => /.@.+\../.test(text)).map(plain);
export const urlsOf = (tokens: readonly Token[]): Span[] =>
  tokens.filter(({ text }) => /^(?:https?:\/\/|www\.)./.test(text)).map(plain);

const plain = ({ text, start, end }: Token): Span => ({ text: text.replace(/[.,;]+$/, ''), start, end });

/** A street with its number, on either side, and the town with its post code behind it. */
const patternOf = oncePer(({ data }: Lexicon): RegExp => {
  const cased = (words: readonly string[]) =>
    anyOf(words).replace(/(?<=^|\|)\p{L}/gu, (first) => `[${first}${first.toUpperCase()}]`);
  const days = cased([...data.weekdays.flat(), ...data.months.flat()]);
  const name = String.raw`(?!(?:${days})\b)\p{Lu}[\p{L}\p{M}'’-]{0,40}(?!\p{L})`;
  const small = String.raw`(?:d[eaio]s?|d[eu]i?|del|dell[ae]|degli|of|l[aeo]s?|the)\s|[dl]['’]`;
  const names = `(?:${small}){0,2}${name}(?:\\s(?:${small}){0,2}${name}){0,4}`;
  const number = String.raw`\d{1,4}(?:\s?[a-h])?(?![\p{L}\d]|[.,:]\d)`;
  const before = cased(data.streets.before);
  const after = cased(data.streets.after);
  const street = [
    ...(before === ''
      ? []
      : [`(?:${before})\\.?\\s${names},?\\s?${number}`, `${number}\\s(?:${before})\\s${names}`]),
    ...(after === ''
      ? []
      : [
          `(?:${name}\\s)?(?:\\p{Lu}[\\p{L}-]{0,40})?(?:${after})\\.?\\s${number}`,
          `\\d{1,4}\\s(?:${name}\\s){0,3}(?:\\p{Lu}\\p{L}{0,40})?(?:${after})(?!\\p{L})`,
        ]),
  ].join('|');
  const town = String.raw`(?:,?\s(?:\d{4,5}(?:-\d{3})?\s)?${name}(?:\s${name}){0,2}(?!\s?[€$£\d]))?`;
  return new RegExp(`(?<![\\p{L}\\d])(?:${street})${town}`, 'gu');
});

export const addressesIn = (prompt: string, lexicon: Lexicon): Span[] =>
  spansOf(prompt, patternOf(lexicon)).map(({ text, start }) => {
    const clean = text.replace(/[.,\s]+$/, '');
    return { text: clean, start, end: start + clean.length };
  });
