import type { Hours, Span, Time } from '../draft.ts';
import type { Lexicon } from '../lexicon.ts';
import { anyOf, wordEnd, wordStart } from './patterns.ts';

export interface TimesFound {
  readonly hours: readonly Hours[];
  readonly times: readonly Time[];
}

interface Patterns {
  readonly clock: RegExp;
  readonly days: RegExp;
  readonly opens: RegExp;
}

const cache = new Map<string, Patterns>();

function patternsOf({ lang, data }: Lexicon): Patterns {
  const known = cache.get(lang);
  if (known) return known;
  const unit = String.raw`\s?(?:am|pm|a\.m\.|p\.m\.|uhr|heures|horas|ore|hrs|o'clock|h)(?![\p{L}])`;
  const time = (name: string) =>
    `(?<${name}h>[01]?\\d|2[0-4])(?:(?:[:.]|\\s?h\\s?)(?<${name}m>[0-5]\\d)(?!\\d))?(?<${name}u>${unit})?`;
  const sep = `\\s?(?:${anyOf(data.range)})\\s?(?:l[ae]s?\\s)?`;
  const before = `(?<before>${wordStart}(?:${anyOf(data.clock.filter((word) => !/^(?:h|de|uhr|horas|heures|o'clock)$/.test(word)))})\\s(?:l[ae]s?\\s)?)?`;
  const names = anyOf(data.weekdays.flat());
  const day = `(?:${names})${wordEnd}\\.?`;
  const made: Patterns = {
    clock: new RegExp(
      `${before}(?<![\\d.,:/€$£-])${time('a')}(?:${sep}${time('b')})?(?![\\d:/%€$£]|[.,]\\d|\\s?[€$£%])`,
      'giu',
    ),
    days: new RegExp(
      `${wordStart}${day}(?:\\s?(?:,|&|/|${anyOf([...data.range, ...data.and])})\\s?(?:l[eoa]s?\\s)?${day}){0,6}`,
      'giu',
    ),
    opens: new RegExp(`${wordStart}(?:${anyOf(data.open)})${wordEnd}`, 'giu'),
  };
  cache.set(lang, made);
  return made;
}

const two = (value: string | number) => String(value).padStart(2, '0');

/** A time of day as HH:MM, afternoon reckoned in; empty without an hour. */
function clockOf(hour: string | undefined, minute: string | undefined, unit: string | undefined): string {
  if (hour === undefined) return '';
  const isAfternoon = /p\.?m/i.test(unit ?? '');
  const isMorning = /a\.?m/i.test(unit ?? '');
  return `${two((Number(hour) % (isAfternoon || isMorning ? 12 : 24)) + (isAfternoon ? 12 : 0))}:${two(minute ?? 0)}`;
}

/** Times and opening hours: `Tue–Sat 7–13`, `8h30 à 12h30`, `7pm`. */
export function timesIn(prompt: string, lexicon: Lexicon, free: (span: Span) => boolean): TimesFound {
  const patterns = patternsOf(lexicon);
  const days = matches(prompt, patterns.days).filter(({ text, start }) => realDay(text, prompt, start));
  const opens = matches(prompt, patterns.opens);
  const hours: Hours[] = [];
  const times: Time[] = [];
  for (const match of prompt.matchAll(patterns.clock)) {
    const clock = clockIn(match, days, opens, free);
    if (!clock) continue;
    const { text, start, end, from, to, day, isOpen } = clock;
    const last = hours.at(-1);
    const time = `${from}–${to}`;
    if (
      isOpen &&
      last &&
      start - last.end <= maxApart &&
      !days.some((other) => other.start >= last.end && other.start < start)
    )
      hours[hours.length - 1] = {
        ...last,
        time: `${last.time}, ${time}`,
        end,
        text: prompt.slice(last.start, end),
      };
    else if (isOpen) {
      const begin = day?.start ?? start;
      const shown = day ? daysShown(day.text, lexicon) : lexicon.data.daily;
      hours.push({ days: shown, time, start: begin, end, text: prompt.slice(begin, end) });
    } else times.push({ text, start, end, from, to });
  }
  return { hours, times };
}

/** So far apart two ranges of hours are of the same day. */
const maxApart = 8;

const matches = (prompt: string, pattern: RegExp): Span[] =>
  [...prompt.matchAll(pattern)].map(({ 0: text, index }) => ({
    text,
    start: index,
    end: index + text.length,
  }));

/** One or two small letters are a day only before a time or another day: “so” and “mar” are words too. */
const realDay = (text: string, prompt: string, start: number): boolean =>
  text.length > 3 || /[-–]/.test(text) || /^\.?\s?(?:\d|[-–:])/.test(prompt.slice(start + text.length));

/** A time that is written as one, or a range beside a day or a word of opening; else null. */
function clockIn(
  match: RegExpMatchArray,
  days: readonly Span[],
  opens: readonly Span[],
  free: (span: Span) => boolean,
) {
  const { ah, am, au, bh, bm, bu, before } = match.groups ?? {};
  const whole = match[0].trimEnd();
  const lead = before?.length ?? 0;
  const start = (match.index ?? 0) + lead;
  const span = { text: whole.slice(lead), start, end: (match.index ?? 0) + whole.length };
  const near = (spans: readonly Span[], reach: number) =>
    spans.findLast((other) => other.end <= start && start - other.end <= reach) ?? null;
  const day = near(days, 12);
  const isOpen = bh !== undefined && (day !== null || near(opens, 24) !== null);
  const isTime = /\d:\d|\dh|\d\s?(?:[ap]\.?m|uhr|heures|horas|ore|hrs|o'clock|h$|h[\s-])/i.test(span.text);
  if (!free(span) || !(isOpen || isTime || (before !== undefined && bh === undefined))) return null;
  // “2–4pm” is in the afternoon.
  const afternoon = !au && /p\.?m/i.test(bu ?? '') && Number(ah) <= Number(bh) && Number(bh) < 12 ? bu : au;
  return { ...span, from: clockOf(ah, am, afternoon), to: clockOf(bh, bm, bu), day, isOpen };
}

const shortest = 40;

/** Days as they are shown: `mon to fri` is `Mon–Fri`. */
function daysShown(text: string, { data, lang }: Lexicon): string {
  const to = new RegExp(`\\s(?:${anyOf(data.range)})\\s|\\s?[-–]\\s?`, 'giu');
  return text
    .replace(/\.$/, '')
    .split(to)
    .map((part) => part.slice(0, 1).toLocaleUpperCase(lang) + part.slice(1))
    .join('–')
    .slice(0, shortest);
}
