/** How long a batch of the ledger waits, so that more share its transaction. */

/**
 * While so many requests are open, batches begin at least so many milliseconds apart: streams that begin and end one by one would have a
 * transaction each, at four times the cost. PostgreSQL does it likewise, by `commit_siblings` and `commit_delay`
 * (https://www.postgresql.org/docs/current/runtime-config-wal.html#GUC-COMMIT-DELAY).
 */
const siblings = 8;
const spacingMs = 2;
/**
 * After a batch of so many events, or of half as many as are open, the next one does not wait: enough come together by themselves, and
 * the server would idle. Waiting cost a sixth of the answers of chats as JSON over 32 connections, and half of them over 12 (2026-11-27).
 */
const wellFilled = 16;

export interface LastBatch {
  /** When it began, in milliseconds of the monotonic clock. */
  readonly at: number;
  /** How many admissions and settlements it had. */
  readonly size: number;
}

/**
 * How long the next batch waits for others.
 * @param open requests that are admitted and not settled
 * @param now by the monotonic clock
 * @returns whole milliseconds; 0: it begins at once
 */
export function spacingAfter({ at, size }: LastBatch, open: number, now: number): number {
  if (open < siblings || size >= Math.min(wellFilled, open / 2)) return 0;
  return Math.max(0, Math.ceil(at + spacingMs - now));
}
