import type { ServiceError } from '../../contract/errors.ts';
import { ProviderError } from '../upstream/provider-error.ts';
import type { Target } from './catalogue.ts';

const firstBackoffMs = 250;
/**
 * No wait is longer. Where a vendor asks for more a fallback takes over, or the client learns how long it may take.
 */
const patienceMs = 5000;

export interface RetryQuestion {
  readonly error: ServiceError;
  /** Attempts at this target so far, at least 1. */
  readonly attempts: number;
  /** Attempts that may still be made, those reserved for the fallbacks not counted. */
  readonly attemptsLeft: number;
  /** Milliseconds until the request's deadline. */
  readonly remaining: number;
}

/**
 * How long to wait before the same target is asked again, in milliseconds; null: not at all. Exponential backoff with
 * full jitter, or what the vendor asked for if that is longer, as long as patience and the deadline last.
 */
export function retryDelay(question: RetryQuestion): number | null {
  const { error, attempts, attemptsLeft, remaining } = question;
  if (!(error instanceof ProviderError) || !error.worthRetrying || attemptsLeft <= 0) return null;
  const ceiling = Math.min(patienceMs, firstBackoffMs * 2 ** (attempts - 1));
  const delay = Math.max(Math.random() * ceiling, error.waitMs ?? 0);
  return delay < Math.min(remaining, patienceMs) ? delay : null;
}

/**
 * A vendor's limit that holds after all attempts. Other failures of vendors are not to be asked again either, which each
 * interface says for itself; of a limit a client could think that it is its turn to wait.
 */
export function withAttemptsSpent(error: ServiceError): ServiceError {
  return error instanceof ProviderError && error.code === 'provider_rate_limited'
    ? error.notToBeRepeated()
    : error;
}

/** Whether another model may do better: not when the request itself is at fault. */
export function mayFallBack({ code }: ServiceError): boolean {
  return (
    code !== 'provider_rejected' &&
    code !== 'invalid_request' &&
    code !== 'shutting_down' &&
    code !== 'buffers_full'
  );
}

/**
 * The error for the client when every target has failed: the first temporary failure, since it concerns the requested model
 * and may say when to retry; else the first.
 */
export function mostTelling(errors: readonly ServiceError[]): ServiceError {
  const telling = errors.find(({ retryable }) => retryable) ?? errors[0];
  if (!telling) throw new Error('No attempt was made, so none can have failed.');
  return telling;
}

/** The refusal of a target that its breaker avoids for so many milliseconds. */
export function leftAlone({ provider, model }: Target, waitMs: number): ProviderError {
  const names = `The model ${JSON.stringify(model)} of the provider ${JSON.stringify(provider)}`;
  const message = `${names} failed repeatedly and is left alone for a moment.`;
  return new ProviderError('provider_unavailable', message, { waitMs, worthRetrying: false });
}
