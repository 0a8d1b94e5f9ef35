import { ServiceError } from '../contract/errors.ts';
import { minutesInWords } from '../lib/duration-in-words.ts';
import { StoreError } from '../store/errors.ts';
import { AccountError } from './account-error.ts';

/** When a client may try again while the database cannot be used: about as long as it takes to see that it is back. */
const outageSeconds = 3;

/** What the client is told when it may not sign up for a while. */
export function tooManySignups(waitMs: number): ServiceError {
  const message = `Too many sign-ups came from your address. Try again in ${minutesInWords(waitMs)}.`;
  return new ServiceError('too_many_signups', message, { retryAfter: Math.ceil(waitMs / 1000) });
}

/** What the client is told of a failure inside the accounts; anything else comes back as it is. */
export function accountFailure(thrown: unknown): unknown {
  if (thrown instanceof StoreError) {
    const message = 'The database of the server cannot be used at the moment. Try again later.';
    return new ServiceError('storage_unavailable', message, { cause: thrown, retryAfter: outageSeconds });
  }
  if (thrown instanceof AccountError && thrown.reason === 'not_found') {
    return new ServiceError('not_found', thrown.message);
  }
  if (thrown instanceof AccountError && thrown.reason === 'invalid') {
    const path = thrown.field ?? '';
    return new ServiceError('invalid_request', thrown.message, {
      details: [{ path, code: 'invalid', message: thrown.message }],
    });
  }
  if (thrown instanceof AccountError) {
    const details =
      thrown.field === null ? [] : [{ path: thrown.field, code: 'taken', message: thrown.message }];
    return new ServiceError('conflict', thrown.message, { details });
  }
  return thrown;
}

/** Runs what may fail inside the accounts. Throws `ServiceError` for what the client can be told. */
export async function withAccounts<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (thrown) {
    throw accountFailure(thrown);
  }
}
