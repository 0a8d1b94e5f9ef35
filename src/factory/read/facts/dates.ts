import { oncePer } from '../../../lib/once.ts';
import type { DraftDate, Span } from '../draft.ts';
import type { Lexicon } from '../lexicon.ts';
import { fold } from '../phrases.ts';
import { anyOf, Claims, spanOf, wordEnd, wordStart } from '../spans.ts';

const two = (value: number) => String(value).padStart(2, '0');

/** A date of the calendar; null for 31 February. Without a year it is of every year. */
function dateValue(year: number | null, month: number, day: number): string | null {
  const date = new Date(Date.UTC(year ?? 2024, month - 1, day));
  if (month < 1 || month > 12 || date.getUTCMonth() !== month - 1 || day < 1) return null;
  return year === null ? `@${two(month)}-${two(day)}` : `${year}-${two(month)}-${two(day)}`;
}

const patternsOf = oncePer(({ data }: Lexicon): readonly RegExp[] => {
  const month = `(?<month>${anyOf(data.months.flat())})${wordEnd}\\.?`;
  const of = String.raw`(?:\s?(?:de|di|do|of|del)\s)?`;
  const day = String.raw`(?<day>[0-3]?\d)(?:st|nd|rd|th|er|º|°|\.)?`;
  const year = String.raw`(?:,?\s?(?:de\s|del\s)?(?<year>(?:19|20)\d\d)(?!\d))?`;
  return [
    new RegExp(`${wordStart}(?<year>(?:19|20)\\d\\d)-(?<number>[01]\\d)-(?<day>[0-3]\\d)(?!\\d)`, 'gu'),
    new RegExp(`${wordStart}${day}\\s?${of}${month}${year}`, 'giu'),
    new RegExp(`${wordStart}${month}\\s${day}(?![\\d:.])${year}`, 'giu'),
    new RegExp(
      `${wordStart}(?<day>[0-3]?\\d)[./](?<number>[01]?\\d)[./](?<year>(?:(?:19|20)\\d\\d|\\d\\d(?!\\d))?)`,
      'gu',
    ),
  ];
});

/** The dates of a prompt: 12 July 2027, July 12th, 12.7.2027, 2027-07-12. */
export function datesIn(prompt: string, lexicon: Lexicon): DraftDate[] {
  const found = patternsOf(lexicon).flatMap((pattern) =>
    [...prompt.matchAll(pattern)].flatMap((match) => {
      const { day, month, number, year } = match.groups ?? {};
      const monthNumber = number ? Number(number) : monthOf(month ?? '', lexicon);
      const years = year ? Number(year.length === 2 ? `20${year}` : year) : null;
      const value = dateValue(years, monthNumber, Number(day));
      return value ? [{ ...withoutStop(spanOf(match), month ?? ''), value }] : [];
    }),
  );
  return new Claims().take(found).toSorted((a, b) => a.start - b.start);
}

/** The full stop behind a month that is written out ends a sentence. */
const withoutStop = (span: Span, month: string): Span =>
  span.text.endsWith('.') && month.length > 4
    ? { ...span, text: span.text.slice(0, -1), end: span.end - 1 }
    : span;

function monthOf(word: string, { data }: Lexicon): number {
  const wanted = fold(word.replace(/\.$/, ''));
  return data.months.findIndex((names) => names.some((name) => fold(name) === wanted)) + 1;
}
