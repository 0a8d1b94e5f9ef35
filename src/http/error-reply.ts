import type { ErrorObject } from '../../generated/types.gen.ts';
import { type ServiceError, toServiceError } from '../contract/errors.ts';

/** The one shape of every error, as the contract describes it. */
export function errorObject(thrown: unknown, requestId: string, publicUrl: string): ErrorObject {
  const error = toServiceError(thrown);
  return {
    code: error.code,
    type: error.info.type,
    message: error.message,
    param: error.param,
    details: [...error.details],
    request_id: requestId,
    retryable: error.retryable,
    docs_url: `${publicUrl}/docs#/errors/${error.code}`,
  };
}

/** The headers that belong to an error reply. */
export function errorHeaders(error: ServiceError): Record<string, string> {
  const retryAfter = error.retryAfter === undefined ? {} : { 'retry-after': String(error.retryAfter) };
  return { ...error.headers, ...retryAfter };
}
