/** Where the time comes from, so that tests can set it. */
export interface Clock {
  /** Whole milliseconds since the epoch. */
  now(): number;
}

/** A clock that also knows the time really elapsed, whatever it was set to meanwhile. */
export interface StoreClock extends Clock {
  /** A stamp of this time or an earlier one is at least so many milliseconds old; any other may be younger. */
  ago(milliseconds: number): number;
  /** Whether it must be brought up to date before anything is decided by it. */
  readonly stale: boolean;
  /** Milliseconds elapsed since some moment, the same for all processes on the store. Whole, and never ahead. */
  elapsed(): number;
  /** When something was stamped, as `elapsed` says it; null: by a clock that was wrong by far. */
  elapsedAt(stamp: number): number | null;
  /** By how much two processes may differ about the elapsed time, in milliseconds. */
  readonly doubtMs: number;
  /** Milliseconds of this process by a clock that cannot be set and that counts the machine's sleep. */
  monotonic(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** A clock that never steps, as a store's. */
export function steady(clock: Clock): StoreClock {
  return {
    now: () => clock.now(),
    ago: (milliseconds) => clock.now() - milliseconds,
    stale: false,
    elapsed: () => clock.now(),
    elapsedAt: (stamp) => (stamp <= clock.now() ? stamp : null),
    doubtMs: 0,
    monotonic: () => clock.now(),
  };
}
