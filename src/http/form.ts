import type { Context, Middleware } from 'koa';
import { buffersFull } from '../contract/buffers-full.ts';
import { ServiceError } from '../contract/errors.ts';
import type { Holding } from '../lib/byte-budget.ts';
import { brotliIsSafeHere } from '../lib/node-faults.ts';
import { once } from '../lib/once.ts';
import { admitBody } from './admit-body.ts';
import { readingError } from './body.ts';
import { requireKnownEncoding } from './content-encodings.ts';

const mediaType = 'application/x-www-form-urlencoded';
/** No form of ours comes near it. */
const maxBytes = 64 * 1024;

/**
 * Reads the form that a page's request brings, with koa-body; no fields on GET or without a body.
 * Throws `ServiceError`: `unsupported_media_type`, `payload_too_large`, `malformed_request`, `buffers_full`.
 * @param brotli whether it can be decoded
 */
export async function readForm(
  context: Context,
  memory: Holding,
  brotli = brotliIsSafeHere,
): Promise<URLSearchParams> {
  if (context.method !== 'POST' || context.request.length === 0) return new URLSearchParams();
  if (!context.is(mediaType)) {
    const message = `A form must be sent as "Content-Type: ${mediaType}".`;
    throw new ServiceError('unsupported_media_type', message);
  }
  requireKnownEncoding(context.headers['content-encoding'] || undefined, brotli);
  admitBody(context, maxBytes);
  if (!memory.begin(maxBytes)) throw buffersFull();
  const read = await reader();
  await read(context, async () => undefined).catch((error: unknown) => {
    throw readingError(error, maxBytes);
  });
  return new URLSearchParams(String(context.request.body ?? ''));
}

/**
 * koa-body comes with what it checks its options and reads uploads with, which is 13 MB (74.7 MB of resident memory against
 * 61.5 with co-body alone) and 60 ms of loading, so only a server that gets a form loads it. It reads the form as text: its
 * own parser of forms makes objects of names like `a.b` and `a[b]`, where a form of ours is a list in which a name may stand
 * twice.
 */
const reader = once(async (): Promise<Middleware> => {
  const { koaBody } = await import('koa-body');
  return koaBody({ json: false, urlencoded: false, textTypes: [mediaType], textLimit: maxBytes });
});
