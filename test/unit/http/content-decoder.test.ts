import type { IncomingMessage } from 'node:http';
import zlib from 'node:zlib';
import { expect, it, onTestFinished, vi } from 'vitest';
import { ServiceError } from '../../../src/contract/errors.ts';
import { decoder } from '../../../src/http/content-decoder.ts';

const requestIn = (encoding: string) =>
  ({ headers: { 'content-encoding': encoding } }) as unknown as IncomingMessage;
function refusal(encoding: string, brotli: boolean): ServiceError {
  try {
    decoder(requestIn(encoding), brotli);
  } catch (error) {
    if (error instanceof ServiceError) return error;
  }
  throw new Error('It was not refused.');
}

it.each(['gzip', 'x-gzip', 'deflate', 'zstd'])('%s is undone wherever it runs', (encoding) => {
  for (const brotli of [true, false]) expect(decoder(requestIn(encoding), brotli)).not.toBeNull();
});

it.each(['br', 'BR', ' br '])(
  '%j is undone where that is safe, and no decoder is made elsewhere',
  (encoding) => {
    const made = vi.spyOn(zlib, 'createBrotliDecompress');
    onTestFinished(() => made.mockRestore());
    expect(decoder(requestIn(encoding), true)).not.toBeNull();
    made.mockClear();
    const { code, message, headers } = refusal(encoding, false);
    expect([code, headers['accept-encoding']]).toEqual(['unsupported_media_type', 'gzip, deflate, zstd']);
    expect(message).toContain('Content-Encoding: gzip');
    expect(made).not.toHaveBeenCalled();
  },
);

it.each([
  [true, 'gzip, deflate, br, zstd'],
  [false, 'gzip, deflate, zstd'],
])('what is unknown is told what is taken, with Brotli: %s', (brotli, taken) => {
  expect(refusal('lzma', brotli).headers).toEqual({ 'accept-encoding': taken });
});
