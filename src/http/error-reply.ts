import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ErrorCode, ErrorObject } from '../../generated/types.gen.ts';
import { ServiceError, toServiceError } from '../contract/errors.ts';
import { ulid } from '../lib/ids.ts';
import { rateLimitHeaders, securityHeaders } from './headers.ts';

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

/** The challenge of a reply whose error has none of its own. */
const challenges: Partial<Record<ErrorCode, string>> = {
  invalid_credentials: 'Bearer realm="switchyard admin", error="invalid_token"',
};

/**
 * The headers that belong to an error reply. `Retry-After` is in whole seconds (RFC 9110 section 10.2.3). The official
 * SDKs retry a 429 by themselves, with pauses of seconds even where `Retry-After` asks for hours, unless
 * `x-should-retry` is `false` (openai-node and anthropic-sdk-typescript, `shouldRetry` in src/client.ts).
 */
export function errorHeaders({
  code,
  headers,
  limits,
  retryAfter,
  shouldRetry,
}: ServiceError): Record<string, string> {
  const challenge = challenges[code];
  return {
    ...(challenge !== undefined && { 'www-authenticate': challenge }),
    ...rateLimitHeaders(limits),
    ...headers,
    ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
    ...(shouldRetry !== undefined && { 'x-should-retry': String(shouldRetry) }),
  };
}

/** When a client may try again, in seconds. */
const retryAfter = 3;

/**
 * Answers while the server waits for its database: a supervisor hears that the process lives, and everybody else that
 * nothing can be done yet.
 */
export function answerUnready(publicUrl: string) {
  return (req: IncomingMessage, res: ServerResponse): void => {
    const requestId = `req_${ulid()}`;
    const lives = req.method === 'GET' && (req.url === '/livez' || req.url === '/healthz');
    const message = 'The server starts and waits for its database. Try again later.';
    const refusal = new ServiceError('storage_unavailable', message, { retryAfter });
    const body = lives ? { status: 'ok' } : { error: errorObject(refusal, requestId, publicUrl) };
    res.writeHead(lives ? 200 : refusal.info.status, {
      ...securityHeaders,
      ...(lives ? {} : errorHeaders(refusal)),
      'content-type': 'application/json; charset=utf-8',
      'x-request-id': requestId,
    });
    res.end(JSON.stringify(body));
  };
}
