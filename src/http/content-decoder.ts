import type { IncomingMessage } from 'node:http';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import { ServiceError } from '../contract/errors.ts';

export type Decoder = ReturnType<typeof createGunzip>;

/** What undoes the `Content-Encoding`; null: there is none. Throws `ServiceError('unsupported_media_type')`. */
export function decoder(req: IncomingMessage): Decoder | null {
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
      return createBrotliDecompress();
    case 'zstd':
      return createZstdDecompress();
    default:
      throw new ServiceError(
        'unsupported_media_type',
        'The Content-Encoding of the body is not supported; gzip, deflate, br and zstd are.',
      );
  }
}
