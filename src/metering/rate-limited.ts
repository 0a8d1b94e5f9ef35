import { ServiceError } from '../contract/errors.ts';
import { type Rejection, rejectionMessage } from './limit-state.ts';

/** What the client is told when a limit refuses its request. */
export function rateLimited(rejection: Rejection): ServiceError {
  const { state, retryAfterMs, shouldRetry } = rejection;
  return new ServiceError('rate_limited', rejectionMessage(rejection), {
    limits: state,
    retryable: retryAfterMs !== null,
    shouldRetry,
    ...(retryAfterMs !== null && { retryAfter: Math.ceil(retryAfterMs / 1000) }),
  });
}
