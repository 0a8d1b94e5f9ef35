import { ServiceError } from '../contract/errors.ts';
import { type Rejection, rejectionMessage } from './limit-state.ts';
import { rejectionHeaders } from './rate-limit-headers.ts';

/** What the client is told when a limit refuses its request. */
export function rateLimited(rejection: Rejection): ServiceError {
  const headers = rejectionHeaders(rejection);
  const retryable = rejection.retryAfterMs !== null;
  return new ServiceError('rate_limited', rejectionMessage(rejection), { headers, retryable });
}
