/** The state of limits: found by metering, sent in the headers of replies and shown by reports. */

/** The limits of the public demo. */
export type DemoLimitName = 'demo' | 'demo-revisions' | 'demo-plans';

export type LimitName = 'minute' | 'day' | 'month' | 'tokens' | 'concurrency' | DemoLimitName;

/** The state of one limit. */
export interface LimitStatus<Name extends LimitName = LimitName> {
  readonly name: Name;
  readonly limit: number;
  /** The rest of it, at least 0. */
  readonly remaining: number;
  /** Milliseconds until it is whole again, if nothing more is used; null where that is unknown (concurrency). */
  readonly resetMs: number | null;
  /** Length of its current window in seconds; null for concurrency. */
  readonly windowSeconds: number | null;
}

/** All limits that a caller has, at one moment. Empty for one without any. */
export type LimitState = readonly LimitStatus[];

/**
 * The length that a limit's window always has, in seconds; null for one that has none, which a calendar month has not
 * either: `w=2592000` would be read as any 30 days.
 */
export function windowLength({ name, windowSeconds }: LimitStatus): number | null {
  return name === 'month' ? null : windowSeconds;
}
