import type { OutgoingHttpHeaders } from 'node:http';
import type { Context } from 'koa';
import { buffersFull, toServiceError } from '../contract/errors.ts';
import { exchangeOf } from './exchange.ts';
import { exposedHeaders, securityHeaders } from './headers.ts';
import type { Recording } from './recording.ts';
import { endInTime, pieceBytes, pipe, pour } from './sse.ts';

export type ReplyHeaders = Readonly<Record<string, string | readonly string[]>>;

/**
 * Writes the head of a reply: security headers, those of the exchange, such as `x-request-id`, and these. Koa's own way of answering would
 * look at each header several times; on the way of a request that is worth avoiding.
 */
export function sendHead(
  context: Context,
  status: number,
  headers: ReplyHeaders,
  security: ReplyHeaders = securityHeaders,
  length: string | null = null,
): void {
  const { ownHeaders } = exchangeOf(context);
  const asksAcross = context.req.headers.origin !== undefined && 'access-control-allow-origin' in headers;
  const all = (
    asksAcross
      ? { ...security, ...ownHeaders, ...exposedHeaders, ...headers }
      : { ...security, ...ownHeaders, ...headers }
  ) as OutgoingHttpHeaders;
  if (length !== null) all['content-length'] = length;
  context.res.writeHead(status, all);
}

export interface SendOptions {
  readonly security?: ReplyHeaders | undefined;
  /** Whether the body is one for all requests, so that this one adds nothing to it. */
  readonly shared?: boolean;
  /** Whether it is sent even when there is no memory for it. */
  readonly always?: boolean;
}

const defaults: SendOptions = {};

/**
 * Writes a whole reply, one that is recorded when it is kept. HEAD gets the same head and no body. A reader that takes nothing for too long is cut off. Throws
 * `buffers_full` before anything is written.
 */
export function send(
  context: Context,
  status: number,
  headers: ReplyHeaders,
  body: string | Buffer | null,
  { security, shared = false, always = false }: SendOptions = defaults,
): void {
  const bytes = body === null ? 0 : Buffer.byteLength(body);
  const { memory, writeTimeoutMs, recording } = exchangeOf(context);
  const empty = body === null || context.method === 'HEAD';
  const own = empty || shared ? 0 : bytes;
  if (own > 0) {
    // The error that says so would take as much as a small reply.
    if (own <= pieceBytes || always) memory.forceCover(own);
    else if (!memory.cover(own)) throw buffersFull();
  }
  // The reply is all that is left of the request.
  memory.keep(own);
  context.respond = false;
  const length = body === null ? null : String(bytes);
  const whole = { status, headers, length, body: empty ? null : body, security, bytes, writeTimeoutMs };
  if (recording) void record(context, recording, body, whole);
  else write(context, whole);
}

interface Whole {
  readonly status: number;
  readonly headers: ReplyHeaders;
  /** The `Content-Length`; null: none, as there is no body. */
  readonly length: string | null;
  readonly body: string | Buffer | null;
  readonly security: ReplyHeaders | undefined;
  /** Of the body. */
  readonly bytes: number;
  readonly writeTimeoutMs: number;
}

function write(context: Context, whole: Whole): void {
  const { res } = context;
  const { status, headers, length, body, security, bytes, writeTimeoutMs } = whole;
  sendHead(context, status, headers, security, length);
  if (body === null) res.end();
  else if (bytes > pieceBytes)
    void pour(res, typeof body === 'string' ? Buffer.from(body) : body, writeTimeoutMs);
  else {
    res.end(body);
    // Most connections take a small reply at once.
    if (res.writableLength > 0) endInTime(res, writeTimeoutMs);
  }
}

/** Writes a reply that its client can ask for again. Never rejects: its caller is done. */
async function record(
  context: Context,
  recording: Recording,
  body: string | Buffer | null,
  whole: Whole,
): Promise<void> {
  const { status, headers, length } = whole;
  recording.head(status, length === null ? headers : { ...headers, 'content-length': length });
  if (body !== null) recording.chunk(body);
  await recording.end();
  if (context.res.destroyed) return;
  try {
    write(context, whole);
  } catch (error) {
    exchangeOf(context).report(toServiceError(error));
    context.res.destroy();
  }
}

/**
 * Sends a text while it is made, as fast as its reader takes it. An error before the first piece is thrown; after it the
 * connection is cut, the only way left to show that the text is incomplete. Resolves when it is sent or the reader has
 * left.
 */
export async function sendChunks(
  context: Context,
  status: number,
  headers: ReplyHeaders,
  chunks: AsyncIterable<string>,
): Promise<void> {
  const { res } = context;
  const { writeTimeoutMs } = exchangeOf(context);
  const pieces = chunks[Symbol.asyncIterator]();
  const first = await pieces.next();
  context.respond = false;
  sendHead(context, status, headers);
  if (context.method === 'HEAD') {
    res.end();
    await pieces.return?.();
    return;
  }
  if (!first.done) res.write(first.value);
  const rest = { [Symbol.asyncIterator]: () => pieces };
  await pipe(res, rest, { write: (text) => res.write(text), pingMs: 0, writeTimeoutMs });
  if (res.destroyed) return;
  if (res.writableNeedDrain) endInTime(res, writeTimeoutMs);
  res.end();
}

/** Whether the client's copy is current (RFC 9110 section 13.1.2). */
export function isFresh(context: Context, etag: string): boolean {
  const tags = context.get('if-none-match').split(',');
  return tags.some((tag) => tag.trim().replace(/^W\//, '') === etag || tag.trim() === '*');
}

/** A body in an encoding that the client takes, with the headers that belong to it. */
export interface Encoded {
  readonly body: string | Buffer;
  readonly headers: ReplyHeaders;
}

/**
 * @param etag strong validator of the text; the compressed form gets a weak one, as its bytes are others
 * @param gzip left out: the text is not compressed
 */
export async function encodedFor(
  context: Context,
  text: string | Buffer,
  etag: string,
  gzip?: () => Promise<Buffer>,
): Promise<Encoded> {
  if (!gzip || context.acceptsEncodings('gzip', 'identity') !== 'gzip')
    return { body: text, headers: { etag } };
  return { body: await gzip(), headers: { etag: `W/${etag}`, 'content-encoding': 'gzip' } };
}
