import { ServiceError } from '../../contract/errors.ts';

/** draft-ietf-httpapi-idempotency-key-header, section 2.7: "reused with a different request payload". */
export function reused(): ServiceError {
  const message = 'This Idempotency-Key was used for another request. A new request needs a new key.';
  return new ServiceError('idempotency_key_reused', message);
}

/** Section 2.7 as well: "a request is retried, while the original request is still being processed". */
export function inUse(retryAfter: number): ServiceError {
  const message = 'A request with this Idempotency-Key still runs. Ask again for its answer.';
  return new ServiceError('idempotency_key_in_use', message, { retryAfter });
}

export function notKept(): ServiceError {
  const message =
    'The request with this Idempotency-Key was carried out, but its answer was not kept, and it is not carried out again. Send a new key to have that done.';
  return new ServiceError('idempotency_answer_not_kept', message, { shouldRetry: false });
}

export function tooManyKeys(maxKeys: number, retryAfter: number): ServiceError {
  const message = `At most ${maxKeys} Idempotency-Keys are remembered for a tenant. Send the request without one, or later.`;
  return new ServiceError('too_many_idempotency_keys', message, { retryAfter, shouldRetry: false });
}
