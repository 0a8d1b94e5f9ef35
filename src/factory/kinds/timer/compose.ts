import type { Compose, Draft, Quantity, Span } from '../../read/draft.ts';
import { type Count, countOf, indexOfWords, neighbours } from '../../read/parts/words.ts';

interface Content {
  readonly names: Readonly<Record<string, string>>;
  readonly tagline: string;
  /** Words that tell rest from effort. */
  readonly rest: readonly string[];
  /** What is counted when something is repeated. */
  readonly rounds: readonly string[];
  readonly beats: readonly string[];
  /** Words that tell the long break from the short ones. */
  readonly long: readonly string[];
  /** Words for parts of an hour, by minutes. */
  readonly halves: Readonly<Record<string, readonly string[]>>;
}

type Settings = Record<string, number>;
interface Stated {
  readonly settings: Settings;
  /** What the settings say in other units than the prompt. */
  readonly taken: readonly Span[];
}

/** Seconds in a unit of time. */
const seconds: Readonly<Record<string, number>> = { second: 1, minute: 60, hour: 3600 };

/** Numbers by the setting that they are for, within what a timer can do. */
export const compose: Compose<Content> = (draft, content) => {
  const said = draft.variant || 'countdown';
  const variant = said === 'countdown' && isRepeated(draft, content) ? 'intervals' : said;
  const { settings, taken } = statedTimer(variant, draft, content);
  return {
    spec: {
      variant,
      name: content.names[variant] ?? '',
      tagline: content.tagline,
      settings,
    },
    assumptions: [],
    taken,
  };
};

/** Two times that are repeated are effort and rest, whatever the timer is called. */
const isRepeated = (draft: Draft, { rounds, rest }: Content): boolean =>
  roundsOf(draft, rounds) !== null &&
  timesOf('intervals', draft, rest).filter(({ unit }) => unit in seconds).length > 1;

/** How often something is done: `8 rounds`, `x 5`, `4 × 60 seconds`. */
function roundsOf(draft: Draft, rounds: readonly string[]): Count | null {
  const counted = countOf(draft, [...rounds, 'round'], 1, 99);
  if (counted) return counted;
  const written = /(?<![\p{L}\d])(?:[x×]\s?(\d{1,2})|(\d{1,2})\s?[x×](?=\s?\d))(?!\d)/iu.exec(draft.prompt);
  const value = Number(written?.[1] ?? written?.[2] ?? 0);
  return written && value > 0
    ? { value, span: { start: written.index, end: written.index + written[0].length, text: written[0] } }
    : null;
}

function statedTimer(variant: string, draft: Draft, content: Content): Stated {
  switch (variant) {
    case 'pomodoro':
    case 'intervals':
      return repeated(variant, draft, content);
    case 'countdown':
      return countdown(draft, content);
    case 'chess':
      return chess(draft, content);
    case 'metronome':
      return metronome(draft, content);
    default:
      return { settings: {}, taken: [] };
  }
}

/** Effort, rest and how often; the long break of a pomodoro timer is called that. */
function repeated(variant: 'pomodoro' | 'intervals', draft: Draft, { rest, rounds, long }: Content): Stated {
  const turns = roundsOf(draft, rounds);
  const times = timesOf(variant, draft, rest).filter(
    ({ start }) => !turns || start < turns.span.start || start >= turns.span.end,
  );
  const far = variant === 'pomodoro' ? timeOf(draft, times, long) : undefined;
  const near = times.filter((time) => time !== far);
  const pause = timeOf(draft, near, rest);
  const effort = near.find((time) => time !== pause);
  const still = pause ?? near.find((time) => time !== effort);
  const settings =
    variant === 'pomodoro'
      ? {
          ...setting('work', effort, 60, 120),
          ...setting('shortBreak', still, 60, 60),
          ...setting('longBreak', far, 60, 120),
          ...(turns ? { rounds: within(turns.value, 1, 12) } : {}),
        }
      : {
          ...setting('effort', effort, 1, 3600),
          ...setting('rest', still, 1, 3600),
          ...(turns ? { rounds: within(turns.value, 1, 99) } : {}),
        };
  const used = [effort, still, far].filter((time) => time !== undefined);
  return {
    settings,
    taken: [...used, ...wordsBeside(draft, used, [...rest, ...long]), ...(turns ? [turns.span] : [])],
  };
}

/** `rest` beside the time that is set as rest. */
const wordsBeside = (draft: Draft, times: readonly Quantity[], words: readonly string[]): Span[] =>
  times.flatMap((time) =>
    neighbours(draft, time, 2).filter(({ lemma, lower }) => words.includes(lemma) || words.includes(lower)),
  );

/** The first time, with the smaller units behind it: `1 hour 30 minutes`, `1h30`, `half an hour`. */
function countdown(draft: Draft, { rest, halves }: Content): Stated {
  const written = /(?<![\d:])(\d{1,2})\s?h\s?([0-5]\d)(?!\d)|(?<![\d:])(\d{1,3}):([0-5]\d)(?![\d:])/i.exec(
    draft.prompt,
  );
  if (written) {
    const [text, hours, minutes, first, second] = written;
    const span = { start: written.index, end: written.index + text.length, text };
    const value = hours ? Number(hours) * 60 + Number(minutes) : Number(first) + Number(second) / 60;
    if (value > 0) return { settings: { minutes: within(value, 0.1, 1440) }, taken: [span] };
  }
  for (const [minutes, words] of Object.entries(halves)) {
    const at = Math.max(...words.map((word) => indexOfWords(draft.tokens, word)));
    const token = draft.tokens[at];
    if (token) return { settings: { minutes: Number(minutes) }, taken: [token] };
  }
  const times = timesOf('countdown', draft, rest);
  const used = times.slice(0, 1);
  for (const time of times.slice(1)) {
    const last = used.at(-1);
    if (!last || time.start - last.end > maxGap || !isSmaller(time, last)) break;
    used.push(time);
  }
  const whole = used.reduce((sum, { value, unit }) => sum + value * (seconds[unit] ?? 0), 0);
  return whole > 0
    ? { settings: { minutes: within(whole / 60, 0.1, 1440) }, taken: used }
    : { settings: {}, taken: [] };
}

/** How many characters may stand between hours and minutes. */
const maxGap = 6;
const isSmaller = (one: Quantity, other: Quantity) => (seconds[one.unit] ?? 0) < (seconds[other.unit] ?? 0);

function chess(draft: Draft, { rest }: Content): Stated {
  const times = timesOf('chess', draft, rest);
  const minutes = times.find(({ unit }) => unit !== 'second');
  const increment = times.find(({ unit }) => unit === 'second');
  return {
    settings: { ...setting('minutes', minutes, 60, 180), ...setting('increment', increment, 1, 60) },
    taken: [minutes, increment].filter((time) => time !== undefined),
  };
}

/** Beats a minute, and those in a bar: `92 bpm in 6/8`. */
function metronome(draft: Draft, { beats }: Content): Stated {
  const bar = /(?<![\d/])(\d{1,2})\/(?:2|4|8|16)(?![\d/])/.exec(draft.prompt);
  const span = bar && { start: bar.index, end: bar.index + bar[0].length };
  const free = draft.quantities.filter(({ start, end }) => !span || end <= span.start || start >= span.end);
  const tempo = free.find(({ unit }) => beats.includes(unit)) ?? free[0];
  return {
    settings: {
      ...(tempo ? { beats: Math.round(within(tempo.value, 20, 300)) } : {}),
      ...(bar ? { bar: within(Number(bar[1]), 1, 12) } : {}),
    },
    taken: [],
  };
}

/** A time in a setting that has this many seconds in its unit. */
const setting = (name: string, time: Quantity | undefined, unit: number, max: number): Settings =>
  time ? { [name]: within((time.value * (seconds[time.unit] ?? 1)) / unit, unit === 1 ? 1 : 0.1, max) } : {};

/** Numbers with a unit of time; `45/15` and `15 rest` have that which the variant is set in. */
function timesOf(variant: string, { quantities }: Draft, rest: readonly string[]): readonly Quantity[] {
  const usual = variant === 'intervals' ? 'second' : 'minute';
  const bare = (unit: string) => rest.includes(unit) || unit === '' || unit === 'x';
  const times = quantities.flatMap((time) =>
    time.unit in seconds ? [time] : bare(time.unit) ? [{ ...time, unit: usual }] : [],
  );
  return variant !== 'chess'
    ? times
    : times.map((time, at) => (at === 1 ? { ...time, unit: 'second' } : time));
}

/** How far in front of a word its time may stand, in tokens. */
const maxApart = 3;

/** The time that one of these words is of: the one right behind it, as in `rest of 10`, else the one in front of it. */
function timeOf(
  { tokens }: Draft,
  times: readonly Quantity[],
  words: readonly string[],
): Quantity | undefined {
  for (const [at, { lemma, lower }] of tokens.entries()) {
    if (!words.includes(lemma) && !words.includes(lower)) continue;
    const next = tokens
      .slice(at + 1, at + maxApart)
      .find(({ pos }) => pos !== 'preposition' && pos !== 'mark');
    const behind = times.find(({ start }) => start === next?.start);
    const first = tokens[Math.max(0, at - maxApart)]?.start ?? 0;
    const before = times.findLast(
      ({ start, end }) => end <= (tokens[at]?.start ?? 0) && (start >= first || end > first),
    );
    const found = behind ?? before ?? times.find(({ unit }) => unit === lemma);
    if (found) return found;
  }
  return undefined;
}

const within = (value: number, min: number, max: number): number => Math.min(max, Math.max(min, value));
