import type { Context, Middleware } from 'koa';
import { buffersFull, ServiceError } from '../contract/errors.ts';
import { brotliIsSafeHere } from '../lib/brotli-guard.ts';
import type { Holding } from '../lib/byte-budget.ts';
import { once } from '../lib/once.ts';
import { admitBody, readingError, refusedEncoding } from './body.ts';
import { asksForJson } from './check-request.ts';
import type { Exchange } from './exchange.ts';
import { frameableHeaders } from './headers.ts';
import { isSameOrigin } from './own-hosts.ts';
import type { HostedPage, Page, PageReply, PageRequest } from './page.ts';
import { encodedFor, isFresh, type ReplyHeaders, send, sendChunks } from './send.ts';

const mediaType = 'application/x-www-form-urlencoded';

/** No form of ours comes near it. */
const maxBytes = 64 * 1024;

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

/**
 * Answers with a page or a file of a page.
 * @param brotli whether a form in it can be decoded; as this Node.js has it if left out
 */
export async function answerPage(
  context: Context,
  exchange: Exchange,
  page: Page,
  params: PageRequest['params'],
  publicUrl: string,
  brotli?: boolean,
): Promise<void> {
  const reply = await page.render({
    method: context.method,
    params,
    query: new URLSearchParams(context.querystring),
    form: await readForm(context, exchange.memory, brotli),
    sameOrigin: isSameOrigin(context.headers, publicUrl),
    client: exchange.client,
    destination: context.get('sec-fetch-dest') || null,
    cookie: (name) => exchange.cookie(name),
  });
  if (reply.error && asksForJson(context)) throw reply.error;
  if (reply.chunks) {
    const { status, mediaType, cacheControl = 'no-store', chunks } = reply;
    const own = { 'content-type': mediaType, 'cache-control': cacheControl, ...reply.headers };
    await sendChunks(context, status, own, chunks);
    return;
  }
  const { etag, gzip } = reply;
  if (etag === undefined) sendPage(context, reply);
  else if (isFresh(context, etag)) sendPage(context, { ...reply, status: 304, body: null }, { etag });
  else {
    const { body, headers } = await encodedFor(context, reply.body, etag, gzip);
    sendPage(context, { ...reply, body }, gzip ? { ...headers, vary: 'accept-encoding' } : headers);
  }
}

/** @param further headers that the reply has none of. */
export function sendPage(
  context: Context,
  {
    status,
    mediaType,
    body,
    contentSecurityPolicy,
    cacheControl = 'no-cache',
    headers,
    framed = false,
    ownBytes = false,
  }: Omit<PageReply, 'body'> & { readonly body: PageReply['body'] | null },
  further: ReplyHeaders = {},
): void {
  const policy = contentSecurityPolicy ? { 'content-security-policy': contentSecurityPolicy } : {};
  const own = { 'content-type': mediaType, 'cache-control': cacheControl, ...policy, ...headers };
  const shared = Buffer.isBuffer(body) && !ownBytes;
  send(context, status, { ...further, ...own }, body, {
    security: framed ? frameableHeaders : undefined,
    shared,
  });
}

/** Answers on a host of a page's own, where nothing else is. Throws `ServiceError`: `not_found`, `method_not_allowed`. */
export async function answerHosted(
  context: Context,
  exchange: Exchange,
  { page, params }: HostedPage,
  publicUrl: string,
): Promise<void> {
  if (context.path !== '/') throw new ServiceError('not_found', 'There is nothing at this path.');
  if (context.method !== 'GET' && context.method !== 'HEAD') {
    throw new ServiceError('method_not_allowed', 'This path takes GET, HEAD.', {
      headers: { allow: 'GET, HEAD' },
    });
  }
  await answerPage(context, exchange, page, params, publicUrl);
}

/** The encodings that koa-body decodes (https://github.com/stream-utils/inflation). */
const inflated = ['gzip', 'deflate', 'br'];

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
  const encoding = context.headers['content-encoding'] || 'identity';
  if (encoding !== 'identity' && (!inflated.includes(encoding) || (encoding === 'br' && !brotli)))
    throw refusedEncoding(encoding, inflated, brotli);
  admitBody(context, maxBytes);
  if (!memory.begin(maxBytes)) throw buffersFull();
  const read = await reader();
  await read(context, async () => undefined).catch((error: unknown) => {
    throw readingError(error, maxBytes);
  });
  return new URLSearchParams(String(context.request.body ?? ''));
}
