/** Where the time comes from, so that tests can set it. */
export interface Clock {
  /** Whole milliseconds since the epoch. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };
