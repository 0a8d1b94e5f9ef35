import { type PromptLang, promptLangs, type Spellings, spellingsOf } from './prompt-set.ts';
import type { Thing } from './spec-view.ts';
import { containsText, fold } from './text.ts';

export interface FoundDate {
  readonly year: number | null;
  readonly month: number;
  readonly day: number;
}

/** Something found in a folded text, with its place. */
interface Found<T> {
  readonly value: T;
  readonly start: number;
  readonly end: number;
}

/** All that the numbers of a text can mean: `1.200` is 1.2 and 1200, `8,50` is 8.5. */
export const numbersIn = (text: string): number[] =>
  (text.match(/\d+(?:[.,']\d+)*/g) ?? []).flatMap((token) => readings(token));

function readings(token: string): number[] {
  const separators = token.match(/[.,']/g) ?? [];
  const last = separators.at(-1);
  const joined = Number(token.replace(/[.,']/g, ''));
  if (last === undefined) return [joined];
  const cut = token.lastIndexOf(last);
  const decimal = Number(`${token.slice(0, cut).replace(/[.,']/g, '')}.${token.slice(cut + 1)}`);
  if (separators.length > 1) return [new Set(separators).size > 1 ? decimal : joined];
  return token.length - cut === 4 && cut <= 3 ? [joined, decimal] : [decimal];
}

/** Hours that a bare number may mean when it stands where a time would. */
const eitherHalf = (hour: number) => (hour >= 1 && hour < 12 ? [hour * 60, (hour + 12) * 60] : [hour * 60]);

/** The times that are spelled out as such, in minutes since midnight: `7:30`, `7h30`, `7.30 Uhr`, `7 pm`, `19h`. */
export function clockTimes(folded: string): Found<number>[] {
  const found: Found<number>[] = [];
  const pattern =
    /(?<![\d.,])(\d{1,2})(?:(?::|h)(\d{2})(?!\d)|\.(\d{2})(?= ?uhr))?( ?(?:am|pm|a\.m\.|p\.m\.|uhr|hrs?|h)\b)?/g;
  for (const match of folded.matchAll(pattern)) {
    const [all, hours, colon, dot, suffix] = match;
    const minutes = colon ?? dot;
    if (minutes === undefined && suffix === undefined) continue;
    let hour = Number(hours);
    if (/p/.test(suffix ?? '') && hour < 12) hour += 12;
    if (/a/.test(suffix ?? '') && hour === 12) hour = 0;
    if (hour > 24 || Number(minutes ?? 0) > 59) continue;
    found.push({
      value: hour * 60 + Number(minutes ?? 0),
      start: match.index,
      end: match.index + all.length,
    });
  }
  return found;
}

/** Every time that a text may say, also by a bare hour: `7-13`, `9am-6`, `ore 11`, `18.30`. */
export function timesIn(text: string): Set<number> {
  const folded = fold(text);
  const times = new Set(clockTimes(folded).map(({ value }) => value));
  const range =
    /(?<![:.\d])(\d{1,2})([:.h]\d{2})? ?(?:h|am|pm|uhr)? ?(?:-|to|bis|a|as|e|till|until) ?(\d{1,2})([:.h]\d{2})?(?!\d)/g;
  for (const [, from, fromMinutes, to, toMinutes] of folded.matchAll(range)) {
    const bare = [fromMinutes === undefined ? from : undefined, toMinutes === undefined ? to : undefined];
    for (const hours of bare)
      if (hours !== undefined) for (const hour of eitherHalf(Number(hours))) times.add(hour);
  }
  for (const [, hours, minutes] of folded.matchAll(/\b(\d{1,2})\.(\d{2})\b/g))
    if (Number(hours) < 24 && Number(minutes) < 60) times.add(Number(hours) * 60 + Number(minutes));
  const before = /\b(?:at|from|um|ab|ore|alle|dalle|a las|as|kl|vers|de|till|until|bis) (\d{1,2})\b/g;
  for (const [, hours] of folded.matchAll(before))
    for (const hour of eitherHalf(Number(hours))) times.add(hour);
  return times;
}

/** The names of the months in every language, longest first, with the number of each. */
const months = new Map<string, number>(
  promptLangs
    .flatMap((lang) =>
      (['long', 'short'] as const).flatMap((width) =>
        Array.from({ length: 12 }, (_, month) => {
          const name = new Intl.DateTimeFormat(lang, { month: width, day: 'numeric' })
            .formatToParts(new Date(2026, month, 15))
            .find(({ type }) => type === 'month');
          return [fold(name?.value ?? '').replace('.', ''), month + 1] as const;
        }),
      ),
    )
    .toSorted(([one], [other]) => other.length - one.length),
);
const month = `(${[...months.keys()].join('|')})\\b\\.?`;
/** A day of the month, and no hour. */
const day = '(\\d{1,2})(?![\\d:]|h| ?uhr| ?am\\b| ?pm\\b)(?:st|nd|rd|th|er|o|\\.)?';
const datePatterns: readonly (readonly [RegExp, readonly ('year' | 'month' | 'day' | 'other')[]])[] = [
  [/(\d{4})-(\d{2})-(\d{2})/g, ['year', 'month', 'day']],
  [/\b(\d{1,2})\.(\d{1,2})\.(\d{4})?/g, ['day', 'month', 'year']],
  [/\b(\d{1,2})\/(\d{1,2})\/(\d{4})\b/g, ['day', 'month', 'year']],
  [/\b(\d{1,2})\/(\d{1,2})\/(\d{4})\b/g, ['month', 'day', 'year']],
  [
    new RegExp(
      `\\b${day} ?(?:-|&|e|y|et|und|and|a|bis|to) ?${day} ?(?:de |of )?${month}(?:,? (?:de )?(\\d{4}))?`,
      'g',
    ),
    ['day', 'other', 'month', 'year'],
  ],
  [
    new RegExp(
      `\\b${day} ?(?:-|&|e|y|et|und|and|a|bis|to) ?${day} ?(?:de |of )?${month}(?:,? (?:de )?(\\d{4}))?`,
      'g',
    ),
    ['other', 'day', 'month', 'year'],
  ],
  [new RegExp(`\\b${day} ?(?:de |of )?${month}(?:,? (?:de )?(\\d{4}))?`, 'g'), ['day', 'month', 'year']],
  [new RegExp(`\\b${month} ${day}(?:,? (\\d{4}))?`, 'g'), ['month', 'day', 'year']],
];

/** The dates of a folded text, each place read once; what can be read in two ways, such as `3/4/2026`, is read in both. */
export function datesOf(folded: string): Found<FoundDate>[] {
  const all: Found<FoundDate>[] = [];
  for (const [pattern, parts] of datePatterns) {
    for (const match of folded.matchAll(pattern)) {
      const value = dateOf(match, parts);
      const [start, end] = [match.index, match.index + match[0].length];
      const clash = all.some(
        (other) => start < other.end && other.start < end && (start !== other.start || end !== other.end),
      );
      if (value && !clash) all.push({ value, start, end });
    }
  }
  return all;
}

function dateOf(match: RegExpMatchArray, parts: readonly string[]): FoundDate | null {
  const read = (part: string) => {
    const text = match[parts.indexOf(part) + 1];
    return text === undefined ? null : (months.get(text) ?? Number(text));
  };
  const [year, month, day] = [read('year'), read('month') ?? 0, read('day') ?? 0];
  return month < 1 || month > 12 || day < 1 || day > 31 ? null : { year, month, day };
}

/** The dates of a text. */
export const datesIn = (text: string): FoundDate[] => datesOf(fold(text)).map(({ value }) => value);

const isNumber = /^\d+([.,]\d+)?$/;
const isTime = /^(\d{2}):(\d{2})$/;
const isDate = /^(?:(\d{4})-)?(\d{2})-(\d{2})$/;
const isPhone = /^[\d\s()+./-]{7,}$/;
const digitsOf = (text: string) => text.replace(/\D/g, '');

/** Whether a fact stands among texts and numbers: by value if it is a number, a time, a date or a phone number. */
export function hasFact({ texts, numbers }: Thing, fact: string, lang: PromptLang): boolean {
  const [, hours, minutes] = isTime.exec(fact) ?? [];
  if (hours !== undefined) {
    const time = Number(hours) * 60 + Number(minutes);
    return texts.some((text) => timesIn(text).has(time));
  }
  const date = isDate.exec(fact);
  if (date) {
    const [year, month, day] = date.slice(1).map((part) => (part === undefined ? null : Number(part)));
    return texts
      .flatMap(datesIn)
      .some((found) => found.month === month && found.day === day && (year === null || found.year === year));
  }
  if (isNumber.test(fact)) {
    const [wanted] = numbersIn(fact);
    return [...numbers, ...texts.flatMap(numbersIn)].some((number) => number === wanted);
  }
  if (isPhone.test(fact)) return texts.some((text) => digitsOf(text).includes(digitsOf(fact)));
  return texts.some((text) => containsText(text, fact, lang));
}

/** Whether one of the spellings of a fact stands among texts and numbers. */
export const hasFactIn = (where: Thing, fact: Spellings, lang: PromptLang): boolean =>
  spellingsOf(fact).some((spelling) => hasFact(where, spelling, lang));
