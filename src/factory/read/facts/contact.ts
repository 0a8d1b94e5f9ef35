import type { Span, Token } from '../draft.ts';
import type { Lexicon } from '../lexicon.ts';
import { anyOf, spanOf } from './patterns.ts';

const phone = /(?<![\p{L}\d.,€$£])(?:\+|\()?\d[\d ()/.-]{5,20}\d(?![\d]|[.,]\d|\s?[€$£%])/gu;
const minDigits = 7;
const maxDigits = 13;

/** Telephone numbers: with a prefix, or long enough to be nothing else. */
export function phonesIn(prompt: string, { data }: Lexicon): Span[] {
  return [...prompt.matchAll(phone)].flatMap(({ 0: text, index }) => {
    const digits = text.replace(/\D/g, '').length;
    const words = prompt.slice(Math.max(0, index - 24), index).toLowerCase();
    const told = (data.types.phone ?? []).some((word) =>
      new RegExp(`(?<!\\p{L})${word}[.:\\s]*$`, 'u').test(words),
    );
    const prefixed = /^(?:\+|0|\()/.test(text);
    const grouped = /^\d{3}[ -]\d{2,4}[ -]\d{2,4}(?:[ -]\d{2,4})?$/.test(text);
    if (
      digits < minDigits ||
      digits > maxDigits ||
      !(told || prefixed || (grouped && digits >= 9 && !/[A-Z]{3,}\s$/.test(prompt.slice(0, index))))
    )
      return [];
    const trimmed = text.trim();
    return [{ text: trimmed, start: index, end: index + trimmed.length }];
  });
}

export const emailsOf = (tokens: readonly Token[]): Span[] =>
  tokens.filter(({ text }) => /.@.+\../.test(text)).map(plain);
export const urlsOf = (tokens: readonly Token[]): Span[] =>
  tokens.filter(({ text }) => /^(?:https?:\/\/|www\.)./.test(text)).map(plain);

const plain = ({ text, start, end }: Token): Span => ({ text: text.replace(/[.,;]+$/, ''), start, end });

const patterns = new Map<string, RegExp>();

/** A street with its number, on either side, and the town with its post code behind it. */
function patternOf({ lang, data }: Lexicon): RegExp {
  const known = patterns.get(lang);
  if (known) return known;
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
  const made = new RegExp(`(?<![\\p{L}\\d])(?:${street})${town}`, 'gu');
  patterns.set(lang, made);
  return made;
}

export const addressesIn = (prompt: string, lexicon: Lexicon): Span[] =>
  [...prompt.matchAll(patternOf(lexicon))].map((match) => {
    const { text, start } = spanOf(match);
    const clean = text.replace(/[.,\s]+$/, '');
    return { text: clean, start, end: start + clean.length };
  });
