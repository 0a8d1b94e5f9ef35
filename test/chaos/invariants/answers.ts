import type { Call } from '../evidence.ts';

/** No client is told of an internal error: everything that happens here is foreseen, and has an answer of its own. */
export function answersAreForeseen(calls: readonly Call[]): string[] {
  return calls
    .filter(({ status, code }) => status === 500 || code === 'internal_error')
    .map(({ kind, id, status, code }) => `${kind} ${id} was answered ${status} ${code}`);
}
