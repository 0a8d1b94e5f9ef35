import type { Hours, Span, Time } from '../draft.ts';
import type { Lexicon } from '../lexicon.ts';
import { anyOf, wordEnd, wordStart } from './patterns.ts';

interface Clock extends Time {
  /** It is written as a time: `9:30`, `6pm`, `19 Uhr`, or behind “at”. A bare `9-17` is one only beside a day. */
  readonly certain: boolean;
  readonly day: Span | null;
  readonly range: boolean;
}

export interface TimesFound {
  readonly hours: readonly Hours[];
  readonly times: readonly Time[];
  readonly days: readonly Span[];
}

interface Patterns {
  readonly clock: RegExp;
  readonly days: RegExp;
  readonly opens: RegExp;
  readonly closed: RegExp;
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
    closed: new RegExp(`${wordStart}(?:${anyOf(data.closed)})${wordEnd}`, 'giu'),
  };
  cache.set(lang, made);
  return made;
}

const two = (value: string | number) => String(value).padStart(2, '0');

/** A time of day as HH:MM, afternoon reckoned in; empty for 31 o’clock. */
function clockOf(
  hour: string | undefined,
  minute: string | undefined,
  unit: string | undefined,
  other?: string,
): string {
  if (hour === undefined) return '';
  const half = /p\.?m/i.test(unit ?? '') || (!unit && /p\.?m/i.test(other ?? '') && false);
  const morning = /a\.?m/i.test(unit ?? '');
  const hours = (Number(hour) % (half || morning ? 12 : 24)) + (half ? 12 : 0);
  return `${two(hours)}:${two(minute ?? 0)}`;
}

/** Times and opening hours: `Tue–Sat 7–13`, `8h30 à 12h30`, `7pm`. Days that stand with no hours are given too. */
export function timesIn(prompt: string, lexicon: Lexicon, free: (span: Span) => boolean): TimesFound {
  const patterns = patternsOf(lexicon);
  const days = matches(prompt, patterns.days).filter(({ text, start }) => realDay(text, prompt, start));
  const closed = closedDays(prompt, days, patterns, lexicon);
  const open = days.filter(({ start, end }) =>
    closed.every((shut) => end <= shut.start || start >= shut.end),
  );
  const opens = matches(prompt, patterns.opens);
  const read = [...prompt.matchAll(patterns.clock)].flatMap(
    (match) => clockIn(match, open, opens, free) ?? [],
  );
  const clocks = lexicon.lang === 'en' ? afternoons(read) : read;
  const hours = hoursOf(prompt, clocks, open, opens, lexicon);
  const used = new Set(hours.flatMap((found) => found.from));
  return {
    hours: [...hours.map(({ from: _from, ...rest }) => rest), ...closed].toSorted(
      (a, b) => a.start - b.start,
    ),
    times: clocks
      .filter((clock) => clock.certain && !used.has(clock))
      .map(({ text, start, end, from, to }) => ({ text, start, end, from, to })),
    days,
  };
}

/** “From 7pm, dinner at 8”: bare hours behind an afternoon are of the same one. */
function afternoons(clocks: readonly Clock[]): Clock[] {
  let after = '';
  return clocks.map((clock) => {
    const bare = /^\d{1,2}(?::\d\d)?$/.test(clock.text);
    const later = `${two(Number(clock.from.slice(0, 2)) + 12)}${clock.from.slice(2)}`;
    if (bare && after !== '' && clock.from < '12:00' && later > after) return { ...clock, from: later };
    if (/p\.?m/i.test(clock.text)) after = clock.from;
    return clock;
  });
}

const matches = (prompt: string, pattern: RegExp): Span[] =>
  [...prompt.matchAll(pattern)].map(({ 0: text, index }) => ({
    text,
    start: index,
    end: index + text.length,
  }));

/** One or two small letters are a day only before a time or another day: “so” and “mar” are words too. */
const realDay = (text: string, prompt: string, start: number): boolean =>
  text.length > 3 ||
  /[-–]/.test(text) ||
  /^\.?\s?(?:\d|[-–:])/.test(prompt.slice(start + text.length)) ||
  (/^\p{Lu}/u.test(text) && text.length > 1 && /[,\s(]$/.test(prompt.slice(0, start)));

function clockIn(
  match: RegExpMatchArray,
  days: readonly Span[],
  opens: readonly Span[],
  free: (span: Span) => boolean,
): Clock | null {
  const { ah, am, au, bh, bm, bu, before } = match.groups ?? {};
  const whole = match[0].trimEnd();
  const lead = before?.length ?? 0;
  const start = (match.index ?? 0) + lead;
  const span = { text: whole.slice(lead), start, end: (match.index ?? 0) + whole.length };
  if (!free(span)) return null;
  const range = bh !== undefined;
  const near = (spans: readonly Span[], reach: number) =>
    spans.findLast((other) => other.end <= start && start - other.end <= reach) ?? null;
  const day = near(days, 12);
  const colon = /\d:\d|\dh|\d\s?(?:[ap]\.?m|uhr|heures|horas|ore|hrs|o'clock|h$|h[\s-])/i.test(span.text);
  const certain =
    colon ||
    (before !== undefined && (!range || day !== null || near(opens, 24) !== null)) ||
    (range && (day !== null || near(opens, 16) !== null));
  const afternoon =
    !au &&
    /p\.?m/i.test(bu ?? '') &&
    Number(ah) <= 12 &&
    Number(ah) > Number(bh) === false &&
    Number(bh) !== 12
      ? bu
      : au;
  return {
    ...span,
    from: clockOf(ah, am, afternoon),
    to: clockOf(bh, bm, bu),
    certain,
    day,
    range,
  };
}

/** Ranges of hours that stand behind days, behind “open”, or behind another such range. */
function hoursOf(
  prompt: string,
  clocks: readonly Clock[],
  days: readonly Span[],
  opens: readonly Span[],
  lexicon: Lexicon,
) {
  const hours: (Hours & { readonly from: Clock[] })[] = [];
  for (const clock of clocks) {
    if (!clock.range || !clock.certain) continue;
    const shown = `${clock.from}–${clock.to}`;
    const last = hours.at(-1);
    const between = last ? prompt.slice(last.end, clock.start) : '';
    if (last && between.length <= 8 && !days.some(({ start }) => start >= last.end && start < clock.start)) {
      hours[hours.length - 1] = {
        ...last,
        time: `${last.time}, ${shown}`,
        end: clock.end,
        text: prompt.slice(last.start, clock.end),
        from: [...last.from, clock],
      };
      continue;
    }
    const { day } = clock;
    const follows = days.find(
      (other) =>
        other.start >= clock.end &&
        other.start - clock.end <= 4 &&
        !clocks.some((next) => next.day === other),
    );
    const open = opens.some(({ end }) => end <= clock.start && clock.start - end <= 24);
    if (!day && !follows && !open) continue;
    const told = day ?? follows;
    const start = Math.min(told?.start ?? clock.start, clock.start);
    const end = Math.max(told?.end ?? clock.end, clock.end);
    hours.push({
      days: told ? daysShown(told.text, lexicon) : lexicon.data.daily,
      time: shown,
      start,
      end,
      text: prompt.slice(start, end),
      from: [clock],
    });
  }
  return hours;
}

function closedDays(prompt: string, days: readonly Span[], patterns: Patterns, lexicon: Lexicon): Hours[] {
  return matches(prompt, patterns.closed).flatMap((word) => {
    const day = days.find(
      ({ start, end }) =>
        (start >= word.end && start - word.end <= 6) || (end <= word.start && word.start - end <= 6),
    );
    if (!day) return [];
    const start = Math.min(day.start, word.start);
    const end = Math.max(day.end, word.end);
    const shown = lexicon.data.closed[0] ?? '';
    return [{ days: daysShown(day.text, lexicon), time: shown, start, end, text: prompt.slice(start, end) }];
  });
}

const shortest = 40;

/** Days as they are shown: `mon to fri` is `Mon–Fri`. */
export function daysShown(text: string, { data, lang }: Lexicon): string {
  const to = new RegExp(`\\s(?:${anyOf(data.range)})\\s|\\s?[-–]\\s?`, 'giu');
  return text
    .replace(/\.$/, '')
    .split(to)
    .map((part) => part.slice(0, 1).toLocaleUpperCase(lang) + part.slice(1))
    .join('–')
    .slice(0, shortest);
}
