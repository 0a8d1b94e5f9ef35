import type { OutgoingHttpHeaders } from 'node:http';
import type { Context } from 'koa';
import { securityHeaders } from './headers.ts';

export type ReplyHeaders = Readonly<Record<string, string | readonly string[]>>;

/**
 * Writes the head of a reply: security headers, `x-request-id` (set before) and these. Koa's own way of answering would
 * look at each header several times; on the way of a request that is worth avoiding.
 */
export function sendHead(
  { res }: Context,
  status: number,
  headers: ReplyHeaders,
  security: ReplyHeaders = securityHeaders,
): void {
  res.writeHead(status, { ...security, ...headers } as OutgoingHttpHeaders);
}

/** Writes a whole reply. HEAD gets the same head and no body. */
export function send(
  context: Context,
  status: number,
  headers: ReplyHeaders,
  body: string | Buffer | null,
  security?: ReplyHeaders,
): void {
  context.respond = false;
  const length = body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  sendHead(context, status, { ...headers, ...length }, security);
  if (body === null || context.method === 'HEAD') context.res.end();
  else context.res.end(body);
}
