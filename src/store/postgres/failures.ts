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

/** Whether no answer came although the server would have given one by then. */
export function isSilence(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.message === 'Query read timeout';
}

/** Whether the server has undone the statement to end a deadlock. */
export function isDeadlock(error: unknown): boolean {
  const { cause } = error as StoreError;
  return cause instanceof Error && 'code' in cause && cause.code === '40P01';
}
