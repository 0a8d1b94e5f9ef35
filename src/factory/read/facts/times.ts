import { oncePer } from '../../../lib/once.ts';
import type { Facts, Hours, Span, Time } from '../draft.ts';
import type { Lexicon } from '../lexicon.ts';
import { anyOf, spansOf, wordEnd, wordStart } from '../spans.ts';

const patternsOf = oncePer(({ data }: Lexicon) => {
  const unit = String.raw`\s?(?:am|pm|a\.m\.|p\.m\.|uhr|heures|horas|ore|hrs|o'clock|h)(?![\p{L}])`;
  const time = (name: string) =>
    `(?<${name}h>[01]?\\d|2[0-4])(?:(?:[:.]|\\s?h\\s?)(?<${name}m>[0-5]\\d)(?!\\d))?(?<${name}u>${unit})?`;
  const sep = `\\s?(?:${anyOf(data.range)})\\s?(?:l[ae]s?\\s)?`;
  const before = `(?<before>${wordStart}(?:${anyOf(data.clock.filter((word) => !/^(?:h|de|uhr|horas|heures|o'clock)$/.test(word)))})\\s(?:l[ae]s?\\s)?)?`;
  const names = anyOf(data.weekdays.flat());
  const day = `(?:${names})${wordEnd}\\.?`;
  return {
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
});

const two = (value: string | number) => String(value).padStart(2, '0');

/** A time of day as HH:MM, afternoon reckoned in; empty without an hour. */
function clockOf(hour: string | undefined, minute: string | undefined, unit: string | undefined): string {
  if (hour === undefined) return '';
  const isAfternoon = /p\.?m/i.test(unit ?? '');
  const isMorning = /a\.?m/i.test(unit ?? '');
  return `${two((Number(hour) % (isAfternoon || isMorning ? 12 : 24)) + (isAfternoon ? 12 : 0))}:${two(minute ?? 0)}`;
}

type Free = (span: Span) => boolean;

/** Times and opening hours: `Tue–Sat 7–13`, `8h30 à 12h30`, `7pm`. */
export function timesIn(prompt: string, lexicon: Lexicon, free: Free): Pick<Facts, 'hours' | 'times'> {
  const patterns = patternsOf(lexicon);
  const days = spansOf(prompt, patterns.days).filter(({ text, start }) => realDay(text, prompt, start));
  const opens = spansOf(prompt, patterns.opens);
  const hours: Hours[] = [];
  const times: Time[] = [];
  for (const match of prompt.matchAll(patterns.clock)) {
    const clock = clockIn(match, days, opens, free);
    if (!clock) continue;
    const { text, start, end, from, to, day, isOpen } = clock;
    if (!isOpen) {
      times.push({ text, start, end, from, to });
      continue;
    }
    const last = hours.at(-1);
    const isFirst =
      !last ||
      start - last.end > maxApart ||
      days.some((other) => other.start >= last.end && other.start < start);
    const begin = isFirst ? (day?.start ?? start) : last.start;
    const shown = day ? daysShown(day.text, lexicon) : lexicon.data.daily;
    const span = { start: begin, end, text: prompt.slice(begin, end) };
    if (isFirst) hours.push({ days: shown, time: timeOf(clock), ...span });
    else hours[hours.length - 1] = { ...last, time: `${last.time}, ${timeOf(clock)}`, ...span };
  }
  return { hours, times };
}

/** `09:00`, or `09:00–10:00`. */
export const timeOf = ({ from, to }: Pick<Time, 'from' | 'to'>): string =>
  to === '' ? from : `${from}–${to}`;

/** So far apart two ranges of hours are of the same day. */
const maxApart = 8;

/** One or two small letters are a day only before a time or another day: “so” and “mar” are words too. */
const realDay = (text: string, prompt: string, start: number): boolean =>
  text.length > 3 || /[-–]/.test(text) || /^\.?\s?(?:\d|[-–:])/.test(prompt.slice(start + text.length));

/** A time that is written as one, or a range beside a day or a word of opening; else null. */
function clockIn(match: RegExpExecArray, days: readonly Span[], opens: readonly Span[], free: Free) {
  const { ah, am, au, bh, bm, bu, before } = match.groups ?? {};
  const whole = match[0].trimEnd();
  const lead = before?.length ?? 0;
  const start = match.index + lead;
  const span = { text: whole.slice(lead), start, end: match.index + whole.length };
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
