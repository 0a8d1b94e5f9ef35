import { ServiceError } from '../../contract/errors.ts';
import { minutesInWords } from '../../lib/duration-in-words.ts';

/** What the client is told when it may not sign up for a while. */
export function tooManySignups(waitMs: number): ServiceError {
  const message = `Too many sign-ups came from your address. Try again in ${minutesInWords(waitMs)}.`;
  return new ServiceError('too_many_signups', message, { retryAfter: Math.ceil(waitMs / 1000) });
}
