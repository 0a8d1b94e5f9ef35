import type { Span, Token } from '../draft.ts';
import type { Lexicon } from '../lexicon.ts';
import { fold } from '../phrases.ts';

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

const maxStreetWords = 6;

/** Addresses: a street with its number, and the town with its post code behind it. */
export function addressesIn(prompt: string, tokens: readonly Token[], { data }: Lexicon): Span[] {
  const after = data.streets.after.map(fold);
  const before = data.streets.before.map(fold);
  const days = new Set([...data.weekdays.flat(), ...data.months.flat()]);
  const found: Span[] = [];
  for (let index = 0; index < tokens.length; index += 1) {
    const street = fold(tokens[index]?.text ?? '');
    const stretch = before.includes(street)
      ? streetForwards(tokens, index, days)
      : isStreet(street, after)
        ? streetAround(tokens, index)
        : null;
    if (!stretch) continue;
    const [first, last] = [stretch[0], townBehind(tokens, stretch[1])];
    const start = tokens[first]?.start ?? 0;
    const end = tokens[last]?.end ?? start;
    if (found.every((span) => span.end <= start)) found.push({ text: prompt.slice(start, end), start, end });
    index = last;
  }
  return found;
}

const isStreet = (word: string, endings: readonly string[]) =>
  endings.some(
    (ending) =>
      word === ending || (ending.length > 2 && word.length > ending.length + 2 && word.endsWith(ending)),
  );

const isNumber = (token: Token | undefined) => token !== undefined && /^\d{1,5}$/.test(token.text);
const isCapital = (token: Token | undefined) => token !== undefined && /^\p{Lu}/u.test(token.text);

/** calle Mayor 5, rua das Flores 33; in French the number may stand before: 3 place Carnot. */
function streetForwards(
  tokens: readonly Token[],
  index: number,
  days: ReadonlySet<string>,
): [number, number] | null {
  let last = index;
  let words = 0;
  for (let at = index + 1; at <= index + maxStreetWords; at += 1) {
    const token = tokens[at];
    if (!token || days.has(token.lower)) break;
    if (isNumber(token) && words > 0) return [index, at];
    if (token.text === '.' && at === index + 1) continue;
    if (token.text === ',' && isNumber(tokens[at + 1]) && words > 0) return [index, at + 1];
    if (
      isCapital(token) ||
      (words === 0 && token.pos === 'preposition') ||
      token.pos === 'determiner' ||
      (token.pos === 'preposition' && isCapital(tokens[at + 1]))
    ) {
      last = at;
      words += 1;
    } else break;
  }
  return isNumber(tokens[index - 1]) && words > 0 ? [index - 1, last] : null;
}

/** 12 Mill Street; Dorfstr. 5. */
function streetAround(tokens: readonly Token[], index: number): [number, number] | null {
  const dot = tokens[index + 1]?.text === '.' ? 1 : 0;
  if (isNumber(tokens[index + 1 + dot]) && isCapital(tokens[index])) {
    const first =
      index > 0 &&
      /^\p{Lu}/u.test(tokens[index - 1]?.text ?? '') &&
      tokens[index - 1]?.end === (tokens[index]?.start ?? 0) - 1 &&
      fold(tokens[index]?.text ?? '').length < 7
        ? index - 1
        : index;
    const letter = tokens[index + 2 + dot];
    return [first, letter && /^[a-h]$/.test(letter.text) ? index + 2 + dot : index + 1 + dot];
  }
  for (let at = index - 1; at >= Math.max(0, index - 4); at -= 1) {
    if (isNumber(tokens[at])) return at < index - 1 ? [at, index] : null;
    if (!isCapital(tokens[at])) return null;
  }
  return null;
}

/** The post code and the town that stand behind a street. */
function townBehind(tokens: readonly Token[], end: number): number {
  let last = end;
  let at = end + 1;
  for (let part = 0; part < 3; part += 1) {
    if (tokens[at]?.text === ',') at += 1;
    if (/^\d{4,5}$/.test(tokens[at]?.text ?? '') || /^(?:apto|apt|flat|bis)$/i.test(tokens[at]?.text ?? '')) {
      last = at;
      at += 1;
      if (/^\d{1,4}$/.test(tokens[at]?.text ?? '') && /^\D/.test(tokens[at - 1]?.text ?? '')) {
        last = at;
        at += 1;
      }
    }
    let words = 0;
    while (words < 3 && isCapital(tokens[at]) && tokens[at]?.pos !== 'verb') {
      last = at;
      at += 1;
      words += 1;
    }
    if (words > 0) return priced(tokens, last + 1) ? end : last;
  }
  return last;
}

/** What costs something is no town: “…, Solo walk £15”. */
const priced = (tokens: readonly Token[], at: number) => /^(?:[€$£]|\d)/.test(tokens[at]?.text ?? '');
