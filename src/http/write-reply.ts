import type { Context } from 'koa';
import { operations } from '../../generated/operations.gen.ts';
import type {
  BinaryReply,
  ChunkedReply,
  DocumentReply,
  EmptyReply,
  EventReply,
  OperationId,
  TextReply,
} from '../contract/registry.ts';
import type { ReplyCheck } from '../contract/reply-check.ts';
import { exchangeOf } from './exchange.ts';
import { corsHeaders, crossOriginHeaders, exposedHeaders } from './headers.ts';
import { encodedFor, isFresh, type ReplyHeaders, send, sendChunks, sendHead } from './send.ts';
import { eventStreamHeaders, type StreamOptions, writeEvents } from './sse.ts';

/** A reply as it leaves a handler, its operation's type forgotten. */
export type AnyReply =
  | { status: number; body: unknown; headers?: Record<string, string> }
  | EmptyReply<number>
  | EventReply<{ type: string }>
  | DocumentReply<string>
  | BinaryReply<string>
  | TextReply<string>
  | ChunkedReply<string>;

export interface ReplyOptions {
  /** Null: replies are not held against the contract (production). */
  readonly replyCheck: ReplyCheck | null;
  readonly stream: StreamOptions;
}

/**
 * Sends what a handler has given.
 * @returns what is to be waited for, such as the end of a stream of events; undefined: nothing
 */
export function writeReply(
  context: Context,
  id: OperationId,
  reply: AnyReply,
  options: ReplyOptions,
): Promise<void> | undefined {
  if ('events' in reply) return writeEventReply(context, id, reply, options);
  if ('etag' in reply && !('bytes' in reply)) return writeDocument(context, id, reply, options);
  if ('chunks' in reply) return writeChunked(context, id, reply, options);
  if ('bytes' in reply) writeBinary(context, id, reply, options);
  else if ('text' in reply) writeText(context, id, reply, options);
  else if ('body' in reply) writeJson(context, id, reply, options);
  else writeEmpty(context, id, reply, options);
  return undefined;
}

/** On every JSON reply: it is meant for this caller and this moment. */
const privateJsonHeaders: ReplyHeaders = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
};
const jsonHeaders: ReplyHeaders = { ...corsHeaders, ...privateJsonHeaders };

export function writeJson(
  context: Context,
  id: OperationId | null,
  { status, body, headers }: { status: number; body: unknown; headers?: ReplyHeaders },
  { replyCheck }: ReplyOptions,
): void {
  if (id) replyCheck?.reply(id, status, 'application/json', body);
  const defaults = id && operations[id].cookies ? privateJsonHeaders : jsonHeaders;
  send(context, status, headers ? { ...defaults, ...headers } : defaults, JSON.stringify(body));
}

function writeEmpty(
  context: Context,
  id: OperationId,
  { status, headers }: EmptyReply<number>,
  { replyCheck }: ReplyOptions,
): void {
  replyCheck?.reply(id, status, null, undefined);
  send(
    context,
    status,
    { ...crossOriginHeaders(operations[id]), 'cache-control': 'no-store', ...headers },
    null,
  );
}

function writeText(
  context: Context,
  id: OperationId,
  { status, mediaType, text }: TextReply<string>,
  { replyCheck }: ReplyOptions,
): void {
  replyCheck?.reply(id, status, mediaType, text);
  const type = `${mediaType}; charset=utf-8`;
  send(
    context,
    status,
    { ...crossOriginHeaders(operations[id]), 'content-type': type, 'cache-control': 'no-store' },
    text,
    // An operator has to see the metrics when the memory is full.
    { always: true },
  );
}

/** A text of any length, of which nothing is gathered. */
async function writeChunked(
  context: Context,
  id: OperationId,
  { status, mediaType, chunks, headers }: ChunkedReply<string>,
  { replyCheck }: ReplyOptions,
): Promise<void> {
  replyCheck?.passed(id, status, mediaType);
  const own = { 'content-type': `${mediaType}; charset=utf-8`, 'cache-control': 'no-store', ...headers };
  await sendChunks(context, status, { ...crossOriginHeaders(operations[id]), ...own }, chunks);
}

/** Documents are the same for everyone and change rarely, so a client may keep them and ask whether they still hold. */
async function writeDocument(
  context: Context,
  id: OperationId,
  { mediaType, text, etag, gzip, utf8 }: DocumentReply<string>,
  { replyCheck }: ReplyOptions,
): Promise<void> {
  const vary = gzip ? 'accept, accept-encoding' : 'accept';
  // Others than the one who asked may be given it from a cache.
  const headers = { ...corsHeaders, ...exposedHeaders, 'cache-control': 'no-cache', vary };
  if (isFresh(context, etag)) {
    replyCheck?.reply(id, 304, null, undefined);
    send(context, 304, { ...headers, etag }, null);
    return;
  }
  replyCheck?.reply(id, 200, mediaType, mediaType === 'application/json' ? JSON.parse(text) : null);
  const { body, headers: own } = await encodedFor(context, utf8?.() ?? text, etag, gzip);
  const all = { ...headers, ...own, 'content-type': `${mediaType}; charset=utf-8` };
  send(context, 200, all, body, { shared: Buffer.isBuffer(body) });
}

/** A file is one client's, who may keep it for as long as it likes: it never changes. */
function writeBinary(
  context: Context,
  id: OperationId,
  { mediaType, bytes, etag, headers }: BinaryReply<string>,
  { replyCheck }: ReplyOptions,
): void {
  const all = { ...corsHeaders, ...headers, etag, 'cache-control': 'private, no-cache' };
  const fresh = isFresh(context, etag);
  replyCheck?.reply(id, fresh ? 304 : 200, fresh ? null : mediaType, undefined);
  if (fresh) send(context, 304, all, null);
  else {
    const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    send(context, 200, { ...all, 'content-type': mediaType }, body);
  }
}

async function writeEventReply(
  context: Context,
  id: OperationId,
  { events, headers = {}, framing, tooSlow }: EventReply<{ type: string }>,
  { replyCheck, stream }: ReplyOptions,
): Promise<void> {
  context.respond = false;
  const { recording } = exchangeOf(context);
  const head = { ...corsHeaders, ...eventStreamHeaders, ...headers };
  recording?.head(200, head);
  sendHead(context, 200, head);
  if (context.method === 'HEAD') {
    context.res.end();
    return;
  }
  await writeEvents(context.res, events, {
    ...stream,
    recording,
    framing,
    tooSlow,
    describe: operations[id].errorEvent ? (thrown) => exchangeOf(context).describe(thrown) : null,
    check: replyCheck ? (event) => replyCheck.event(id, event) : undefined,
  });
}
