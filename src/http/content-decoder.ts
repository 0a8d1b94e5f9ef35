import type { IncomingMessage } from 'node:http';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import { ServiceError } from '../contract/errors.ts';
import { brotliIsSafeHere } from '../lib/node-faults.ts';

/** Those that `inflation` undoes for co-body and koa-body (https://github.com/stream-utils/inflation). */
const inflated = ['gzip', 'deflate', 'br'];

export type Decoder = ReturnType<typeof createGunzip>;

const decoded = ['gzip', 'deflate', 'br', 'zstd'];

/**
 * What undoes the `Content-Encoding`; null: there is none. Throws `ServiceError('unsupported_media_type')`.
 * @param brotli whether it can be decoded
 */
export function decoder(req: IncomingMessage, brotli = brotliIsSafeHere): Decoder | null {
  const encoding = (req.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  switch (encoding) {
    case 'identity':
    case '':
      return null;
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'deflate':
      return createInflate();
    case 'br':
      if (!brotli) throw refusedEncoding(encoding, decoded, brotli);
      return createBrotliDecompress();
    case 'zstd':
      return createZstdDecompress();
    default:
      throw refusedEncoding(encoding, decoded, brotli);
  }
}

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
function refusedEncoding(encoding: string, known: readonly string[], brotli: boolean): ServiceError {
  const taken = known.filter((one) => one !== 'br' || brotli);
  const message =
    encoding === 'br' && !brotli
      ? 'This server does not take bodies in br at present. Send it with "Content-Encoding: gzip", or as it is.'
      : `The Content-Encoding of the body is not supported; ${taken.slice(0, -1).join(', ')} and ${taken.at(-1)} are.`;
  return new ServiceError('unsupported_media_type', message, {
    headers: { 'accept-encoding': taken.join(', ') },
  });
}
