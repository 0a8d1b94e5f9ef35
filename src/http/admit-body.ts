import type { Context } from 'koa';
import { ServiceError } from '../contract/errors.ts';

/**
 * Lets the body of a request come: refuses one whose length is too large already, and tells a client that waits for it
 * to go on (RFC 9110 section 10.1.1). To be called when everything else about the request has been found right.
 * Throws `ServiceError('payload_too_large')`.
 */
export function admitBody({ req, res }: Context, maxBytes: number): void {
  if (declaredBytes(req.headers) > maxBytes) throw tooLarge(maxBytes);
  const waits = req.httpVersion === '1.1' && /(?:^|\W)100-continue(?:$|\W)/i.test(req.headers.expect ?? '');
  if (waits) res.writeContinue();
}

/** As it was declared, compressed or not; 0 where it was not. */
export function declaredBytes(headers: Context['req']['headers']): number {
  return Number(headers['content-length'] ?? 0);
}

export function tooLarge(maxBytes: number): ServiceError {
  // What is left of the body is not read, so the connection cannot carry another request.
  const headers = { connection: 'close' };
  return new ServiceError('payload_too_large', `The request body may have at most ${maxBytes} bytes.`, {
    headers,
  });
}
