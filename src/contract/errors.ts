import { type ErrorCodeInfo, errorCodes } from '../../generated/error-codes.gen.ts';
import type { ErrorCode, ErrorDetail } from '../../generated/types.gen.ts';
import type { LimitState } from './limit-state.ts';

export interface ServiceErrorOptions {
  /** Path of the first field that was wrong, for example `messages[0].role`; that of the first detail if left out. */
  readonly param?: string;
  readonly details?: readonly ErrorDetail[];
  /** Whole seconds after which the same request may succeed. */
  readonly retryAfter?: number;
  /** Further reply headers, for example `allow`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** How the caller's limits stand, where one of them refused the request. */
  readonly limits?: LimitState;
  /** Whether a client should send the same request again by itself; nothing is said if left out. */
  readonly shouldRetry?: boolean;
  /** Whether the same request may succeed later, where that differs from what holds for the code. */
  readonly retryable?: boolean;
  /** Whether the prompt does not fit into the model's context, which each wire says in words of its own. */
  readonly tooLong?: boolean;
  /** The underlying error. It is logged and never shown. */
  readonly cause?: unknown;
}

/**
 * A failure that the client sees. `message` reaches the client as it is, so it must not hold secrets or
 * internal names; details for the operator alone go into `cause`.
 */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;
  /** Never empty: a problem of the body as a whole has no path. */
  readonly param: string | null;
  readonly details: readonly ErrorDetail[];
  readonly retryAfter: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly limits: LimitState;
  readonly shouldRetry: boolean | undefined;
  readonly tooLong: boolean;
  readonly #retryable: boolean | undefined;

  constructor(code: ErrorCode, message: string, options: ServiceErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.details = options.details ?? [];
    this.param = (options.param ?? this.details[0]?.path) || null;
    this.retryAfter = options.retryAfter;
    this.headers = options.headers ?? {};
    this.limits = options.limits ?? [];
    this.shouldRetry = options.shouldRetry;
    this.tooLong = options.tooLong ?? false;
    this.#retryable = options.retryable;
  }

  /** HTTP status and error type. */
  get info(): ErrorCodeInfo {
    return errorCodes[this.code];
  }

  get retryable(): boolean {
    return this.#retryable ?? this.info.retryable;
  }
}

/** The error for a field of the request. @param message the rest of the sentence after the path, without a full stop */
export function fieldError(path: string, code: string, message: string): ServiceError {
  return new ServiceError('invalid_request', `${path} ${message}.`, { details: [{ path, code, message }] });
}

/** A failure inside a domain or a port, in its own words; the edge turns it into the client's error. */
export abstract class InnerError extends Error {
  /** Throws nothing. The message is shown to the client. */
  abstract toServiceError(): ServiceError;
}

/** Turns what was thrown into the client's error: anything unknown is an `internal_error`. */
export function toServiceError(thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  if (thrown instanceof InnerError) return thrown.toServiceError();
  const message = 'The server failed to answer. The problem is logged under this request id.';
  return new ServiceError('internal_error', message, { cause: thrown });
}

/** Seconds after which there may be room again: many answers take no longer to be read. */
const retryAfter = 2;

/** There is no memory left for this request or its answer. */
export function buffersFull(): ServiceError {
  const message = 'The server has no memory left for this request at the moment. Try again in a moment.';
  return new ServiceError('buffers_full', message, { retryAfter });
}
