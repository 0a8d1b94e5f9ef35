/** Where the time comes from, so that tests can set it. */
export interface Clock {
  /** Whole milliseconds since the epoch. */
  now(): number;
}

/** A clock that also knows how much time has really gone by, whatever it was set to meanwhile. */
export interface StoreClock extends Clock {
  /** What was stamped with this time or an earlier one is at least so many milliseconds old; all else may be younger. */
  ago(milliseconds: number): number;
  /** Whether it must be brought up to date before anything is decided by it. */
  readonly stale: boolean;
}

export const systemClock: Clock = { now: () => Date.now() };

/** A clock that never steps, as a store's. */
export function steady(clock: Clock): StoreClock {
  return { now: () => clock.now(), ago: (milliseconds) => clock.now() - milliseconds, stale: false };
}
