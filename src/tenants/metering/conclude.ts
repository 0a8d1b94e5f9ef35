/** An answer waits until the ledger holds it, so that what a client has been told survives whatever ends then. */
import { untilAborted } from '../../lib/until-aborted.ts';
import { StoreError } from '../../store/errors.ts';
import type { Admission, Outcome } from './admission.ts';

/** How a request ends that did not succeed. */
export type Ending = Pick<Outcome, 'status' | 'errorCode' | 'told'>;

/** From here on it is worth listening for a client that goes away, in milliseconds. */
const soonMs = 250;
/** How long a success waits to be written, in milliseconds. */
const successMs = 10_000;
/** How long an error waits to be written, in milliseconds. It is told in any case. */
const failureMs = 1_000;

/**
 * Settles a request as succeeded. When it resolves, that is on disk and the answer may go out. While the database cannot
 * be written it waits for 10 seconds; then it throws `StoreError`, and the row is to say what the client gets instead,
 * with the same usage, as far as it is not written by then. It throws the signal's reason when that is aborted first.
 * @param endingOf how the request ends that fails with what is thrown
 */
export async function conclude(
  admission: Pick<Admission, 'settle' | 'amend'>,
  outcome: Outcome,
  signal: AbortSignal,
  endingOf: (thrown: unknown) => Ending,
): Promise<void> {
  const written = admission.settle(outcome);
  if (await within(written, soonMs)) return;
  const late = new StoreError('unreachable', 'Storage: the end of a request could not be written in time.');
  const deadline = AbortSignal.timeout(successMs - soonMs);
  try {
    await untilAborted(written, AbortSignal.any([signal, deadline]));
  } catch {
    const reason: unknown = signal.aborted ? signal.reason : late;
    admission.amend({ ...outcome, ...endingOf(reason) });
    throw reason;
  }
}

/** Settles a request as failed. Resolves when that is on disk, or after a second: the error is told in any case. */
export async function concludeFailed(admission: Pick<Admission, 'settle'>, outcome: Outcome): Promise<void> {
  await within(admission.settle(outcome), failureMs);
}

/** Resolves with whether the promise did within the time. */
function within(promise: Promise<void>, milliseconds: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds, false);
    void promise.then(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}
