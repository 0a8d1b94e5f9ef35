import type { Compose, Draft, Quantity } from '../../read/draft.ts';
import { neighbours, says } from '../../read/parts/words.ts';

interface Content {
  readonly names: Readonly<Record<string, string>>;
  readonly tagline: string;
  /** Words that tell rest from effort. */
  readonly rest: readonly string[];
  /** What is counted when something is repeated. */
  readonly rounds: readonly string[];
  readonly beats: readonly string[];
}

/** Seconds in a unit of time. */
const seconds: Readonly<Record<string, number>> = { second: 1, minute: 60, hour: 3600 };

/** Numbers by the setting that they are for, within what a timer can do. */
export const compose: Compose<Content> = (draft, { names, tagline, ...words }) => {
  const variant = draft.variant || 'countdown';
  return {
    spec: { variant, name: names[variant] ?? '', tagline, settings: settingsOf(variant, draft, words) },
    assumptions: [],
  };
};

type Words = Pick<Content, 'rest' | 'rounds' | 'beats'>;

function settingsOf(variant: string, draft: Draft, { rest, rounds, beats }: Words): Record<string, number> {
  const times = timesOf(variant, draft, rest);
  const pause = times.find(
    (time) => says(neighbours(draft, time, 2), rest) && !isFollowed(draft, time, rest),
  );
  const effort = times.find((time) => time !== pause);
  const still = pause ?? times.find((time) => time !== effort);
  const repeated = draft.quantities.find(({ unit }) => rounds.includes(unit) || unit === 'round');
  const turns = repeated ? { rounds: within(repeated.value, 1, 99) } : {};
  const in_ = (time: Quantity | undefined, unit: number, max: number, name: string) =>
    time
      ? { [name]: within((time.value * (seconds[time.unit] ?? 1)) / unit, unit === 1 ? 1 : 0.1, max) }
      : {};
  switch (variant) {
    case 'pomodoro':
      return {
        ...in_(effort, 60, 120, 'work'),
        ...in_(still, 60, 60, 'shortBreak'),
        ...(turns.rounds ? { rounds: Math.min(turns.rounds, 12) } : {}),
      };
    case 'intervals':
      return { ...in_(effort, 1, 3600, 'effort'), ...in_(still, 1, 3600, 'rest'), ...turns };
    case 'countdown': {
      const whole = times.reduce((sum, { value, unit }) => sum + value * (seconds[unit] ?? 0), 0);
      return whole > 0 ? { minutes: within(whole / 60, 0.1, 1440) } : {};
    }
    case 'chess':
      return {
        ...in_(
          times.find(({ unit }) => unit !== 'second'),
          60,
          180,
          'minutes',
        ),
        ...in_(
          times.find(({ unit }) => unit === 'second'),
          1,
          60,
          'increment',
        ),
      };
    case 'metronome': {
      const tempo = draft.quantities.find(({ unit }) => beats.includes(unit)) ?? draft.quantities[0];
      return tempo ? { beats: Math.round(within(tempo.value, 20, 300)) } : {};
    }
    default:
      return {};
  }
}

/** Numbers with a unit of time; `45/15` and `15 rest` have that which the variant is set in. */
function timesOf(variant: string, { quantities }: Draft, rest: readonly string[]): readonly Quantity[] {
  const usual = variant === 'intervals' ? 'second' : 'minute';
  const bare = (unit: string) => rest.includes(unit) || (unit === '' && variant !== 'metronome');
  const times = quantities.flatMap((time) =>
    time.unit in seconds ? [time] : bare(time.unit) ? [{ ...time, unit: usual }] : [],
  );
  return variant !== 'chess'
    ? times
    : times.map((time, at) => (at === 1 ? { ...time, unit: 'second' } : time));
}

/** In `25 minutes work, 5 minutes break` the break is nearer to the second. */
const isFollowed = (draft: Draft, time: Quantity, rest: readonly string[]): boolean => {
  const [next] = draft.quantities.filter(({ start, unit }) => start > time.start && unit in seconds);
  if (!next) return false;
  const between = draft.tokens.filter(({ start, end }) => start >= time.end && end <= next.start);
  return !says(between, rest) && says(neighbours(draft, next, 2), rest);
};

const within = (value: number, min: number, max: number): number => Math.min(max, Math.max(min, value));
