import type { IncomingMessage, ServerResponse } from 'node:http';
import { ServiceError } from '../contract/errors.ts';
import { ulid } from '../lib/ids.ts';
import { errorHeaders, errorObject } from './error-reply.ts';
import { securityHeaders } from './headers.ts';

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
