import type { ErrorCode } from '../../../generated/types.gen.ts';
import { ServiceError, type ServiceErrorOptions } from '../../contract/errors.ts';

export interface ProviderErrorOptions
  extends Pick<ServiceErrorOptions, 'param' | 'cause' | 'retryable' | 'shouldRetry' | 'tooLong' | 'headers'> {
  /** The vendor's HTTP status, where there was one. */
  readonly status?: number;
  /** Whether the same vendor may answer the same request when asked again. Default: as the contract says. */
  readonly worthRetrying?: boolean;
  /** Whether it shows that the vendor is not working, as opposed to not liking this request. Default: false. */
  readonly outage?: boolean;
  /** How long the vendor asked to be left alone, in milliseconds. */
  readonly waitMs?: number | null;
}

/** A vendor's failure: the client's error, and the facts that retries and the breaker need. */
export class ProviderError extends ServiceError {
  readonly status: number | null;
  readonly worthRetrying: boolean;
  readonly outage: boolean;
  readonly waitMs: number | null;
  readonly #options: ProviderErrorOptions;

  constructor(code: ErrorCode, message: string, options: ProviderErrorOptions = {}) {
    const { status, worthRetrying, outage, waitMs, ...rest } = options;
    super(code, message, waitMs == null ? rest : { ...rest, retryAfter: Math.ceil(waitMs / 1000) });
    this.#options = options;
    this.status = status ?? null;
    this.worthRetrying = worthRetrying ?? this.retryable;
    this.outage = outage ?? false;
    this.waitMs = waitMs ?? null;
  }

  /** The same where the client is not to send the request again by itself, as that has been done for it. */
  notToBeRepeated(): ProviderError {
    return new ProviderError(this.code, this.message, { ...this.#options, shouldRetry: false });
  }
}
