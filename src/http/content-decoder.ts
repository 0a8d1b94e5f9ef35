import type { IncomingMessage } from 'node:http';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import { brotliIsSafeHere } from '../lib/node-faults.ts';
import { refusedEncoding } from './content-encodings.ts';

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
