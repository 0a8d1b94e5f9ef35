import type { ErrorObject, ErrorResponse } from './types.gen.js';

/** An error reply, or an answer that broke off. Its fields are those of the `error` object. */
export class SwitchyardError extends Error {
  override readonly name: string = 'SwitchyardError';
  /** HTTP status of the reply; 200 for a stream that broke off. */
  readonly status: number;
  readonly code: ErrorObject['code'];
  readonly type: ErrorObject['type'];
  /** Path of the first field that was wrong, or null. */
  readonly param: string | null;
  /** Every problem that was found in the request. */
  readonly details: ErrorObject['details'];
  readonly requestId: string;
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  readonly docsUrl: string;
  readonly headers: Headers;

  constructor(status: number, error: ErrorObject, headers: Headers) {
    super(error.message);
    this.status = status;
    this.code = error.code;
    this.type = error.type;
    this.param = error.param;
    this.details = error.details;
    this.requestId = error.request_id;
    this.retryable = error.retryable;
    this.docsUrl = error.docs_url;
    this.headers = headers;
  }

  /** Seconds to wait before the same request may succeed, where the server knows. */
  get retryAfter(): number | null {
    const value = this.headers.get('retry-after');
    return value === null ? null : Number(value);
  }
}

/** 400: a field is wrong, or the model is not known. */
export class InvalidRequestError extends SwitchyardError {
  override readonly name = 'InvalidRequestError';
}
/** 401: the key is missing or invalid. */
export class AuthenticationError extends SwitchyardError {
  override readonly name = 'AuthenticationError';
}
/** 403: the key lacks the scope that the operation needs. */
export class PermissionError extends SwitchyardError {
  override readonly name = 'PermissionError';
}
/** 404: there is nothing of this id or at this path. */
export class NotFoundError extends SwitchyardError {
  override readonly name = 'NotFoundError';
}
/** 429: a limit is reached; `retryAfter` says when to come back. */
export class RateLimitError extends SwitchyardError {
  override readonly name = 'RateLimitError';
}
/** 5xx: the server or the model provider failed. */
export class ServerError extends SwitchyardError {
  override readonly name = 'ServerError';
}

/** The server could not be reached, or the connection broke. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
}

/** The time that `timeout` allows is over. The server may have carried out the request all the same. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
  /** The time that was allowed, in milliseconds. */
  readonly timeout: number;

  constructor(timeout: number) {
    super(`There was no answer within ${timeout} ms.`);
    this.timeout = timeout;
  }
}

/** A stream that ended without its last event: what was delivered is incomplete. */
export class StreamInterruptedError extends Error {
  override readonly name = 'StreamInterruptedError';
  constructor(options?: ErrorOptions) {
    super('The stream ended without its last event. What was delivered is incomplete.', options);
  }
}

const byStatus: Readonly<Record<number, typeof SwitchyardError>> = {
  400: InvalidRequestError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  429: RateLimitError,
};

/** The error that a reply stands for; `body` is its JSON, or its text if it was none. */
export function errorOf(status: number, body: unknown, headers: Headers): SwitchyardError {
  const error = isErrorResponse(body) ? body.error : unreadable(status, headers);
  const Class = byStatus[status] ?? (status >= 500 ? ServerError : SwitchyardError);
  return new Class(status, error, headers);
}

function isErrorResponse(body: unknown): body is ErrorResponse {
  return typeof body === 'object' && body !== null && typeof (body as ErrorResponse).error === 'object';
}

/** For a reply that did not come from Switchyard, such as the error page of a proxy. */
function unreadable(status: number, headers: Headers): ErrorObject {
  return {
    code: 'internal_error',
    type: 'api_error',
    message: `The server answered ${status} without saying why.`,
    param: null,
    details: [],
    request_id: headers.get('x-request-id') ?? '',
    retryable: status >= 500,
    docs_url: '',
  };
}
