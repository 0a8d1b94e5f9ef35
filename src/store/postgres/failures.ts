/** What an error of the driver says about the connection. */
import pg from 'pg';
import type { StoreError } from '../errors.ts';

/** Codes with which the server ends a connection, or does not let one begin. */
const farewells = /^(57P0|08|25P0[34])/;

/**
 * Whether the server has answered, if only to refuse: the statement was then not carried out, and the connection
 * works on.
 */
export function isAnswer(thrown: unknown): boolean {
  return thrown instanceof pg.DatabaseError && !farewells.test(thrown.code ?? '');
}

const silent = 'Query read timeout';

/** That no answer came although the server would have given one by then. */
export function silence(): Error {
  return new Error(silent);
}

export function isSilence(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.message === silent;
}

/** Whether a connection did not come about in time: the database is away, or has too much to do. */
export function isLate(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.message === 'timeout expired';
}

/** Codes of the ends of statements that took too long, waited too long for a lock, or were chosen to end a deadlock by. */
const byTime: ReadonlySet<unknown> = new Set(['57014', '55P03', '40P01']);

/** Whether the server has ended a statement that it had no time for. */
export function endedByItsTime(thrown: unknown): boolean {
  return thrown instanceof pg.DatabaseError && byTime.has(thrown.code);
}

/** Whether the server has undone the statement to end a deadlock. */
export function isDeadlock(error: unknown): boolean {
  const { cause } = error as StoreError;
  return cause instanceof Error && 'code' in cause && cause.code === '40P01';
}
