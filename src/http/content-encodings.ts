import { ServiceError } from '../contract/errors.ts';

/** Those that `inflation` undoes for co-body and koa-body (https://github.com/stream-utils/inflation). */
const inflated = ['gzip', 'deflate', 'br'];

/**
 * Lets through the encodings of bodies that co-body and koa-body undo. Throws `ServiceError('unsupported_media_type')`.
 * @param brotli whether this Node.js can decode it, see `brotliIsSafe`
 */
export function requireKnownEncoding(encoding = 'identity', brotli: boolean): void {
  if (encoding === 'identity') return;
  if (!inflated.includes(encoding) || (encoding === 'br' && !brotli))
    throw refusedEncoding(encoding, inflated, brotli);
}

/**
 * What a client is told whose `Content-Encoding` is not taken. `Accept-Encoding` says by which to send it again (RFC 9110, section 12.5.3).
 * @param known those that are taken where Brotli is safe
 */
export function refusedEncoding(encoding: string, known: readonly string[], brotli: boolean): ServiceError {
  const taken = known.filter((one) => one !== 'br' || brotli);
  const message =
    encoding === 'br' && !brotli
      ? 'This server does not take bodies in br at present. Send it with "Content-Encoding: gzip", or as it is.'
      : `The Content-Encoding of the body is not supported; ${taken.slice(0, -1).join(', ')} and ${taken.at(-1)} are.`;
  return new ServiceError('unsupported_media_type', message, {
    headers: { 'accept-encoding': taken.join(', ') },
  });
}
