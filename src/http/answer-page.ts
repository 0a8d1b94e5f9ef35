import type { Context } from 'koa';
import { ServiceError } from '../contract/errors.ts';
import { asksForJson } from './accept.ts';
import type { Exchange } from './exchange.ts';
import { readForm } from './form.ts';
import { frameableHeaders } from './headers.ts';
import type { HostedPage, Page, PageReply, PageRequest } from './page.ts';
import { encodedFor, isFresh } from './representation.ts';
import { isSameOrigin } from './same-origin.ts';
import { type ReplyHeaders, send } from './send.ts';
import { sendChunks } from './send-chunks.ts';

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
  }: Omit<PageReply, 'body'> & { readonly body: PageReply['body'] | null },
  further: ReplyHeaders = {},
): void {
  const policy = contentSecurityPolicy ? { 'content-security-policy': contentSecurityPolicy } : {};
  const own = { 'content-type': mediaType, 'cache-control': cacheControl, ...policy, ...headers };
  // What a page keeps as bytes is the same for everybody.
  const shared = Buffer.isBuffer(body);
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
