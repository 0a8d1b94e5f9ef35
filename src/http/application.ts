import type { IncomingMessage } from 'node:http';
import Koa, { type Context } from 'koa';
import { type OperationInfo, operations } from '../../generated/operations.gen.ts';
import { ServiceError, toServiceError } from '../contract/errors.ts';
import type {
  BinaryReply,
  DocumentReply,
  EmptyReply,
  EventReply,
  Handlers,
  OperationId,
  Principal,
  TextReply,
} from '../contract/registry.ts';
import type { ReplyCheck } from '../contract/reply-check.ts';
import type { Logger } from '../observe/log.ts';
import { acceptable, wantsPage } from './accept.ts';
import { answerHosted, answerPage, sendPage } from './answer-page.ts';
import { bodyReader, type ReadBody } from './body.ts';
import { check, checkBody } from './check-request.ts';
import type { ClientAddress } from './client-address.ts';
import { errorHeaders, errorObject } from './error-reply.ts';
import { type EndedRequest, Exchange } from './exchange.ts';
import { corsHeaders, crossOriginHeaders, preflightHeaders } from './headers.ts';
import type { ErrorPage, HostedPages } from './page.ts';
import type { Match, Router } from './router.ts';
import { type ReplyHeaders, send, sendHead } from './send.ts';
import { eventStreamHeaders, type StreamOptions, writeEvents } from './sse.ts';

export interface ApplicationParts {
  readonly router: Router;
  readonly handlers: Handlers;
  /** Planned operations that this server has opened; the others answer `endpoint_planned`. */
  readonly opened: ReadonlySet<OperationId>;
  /** Null: replies are not held against the contract (production). */
  readonly replyCheck: ReplyCheck | null;
  readonly log: Logger;
  /** The headers that tell a caller how its limits stand; none for a caller without limits. Never rejects. */
  readonly standing: (principal: Principal) => Promise<Readonly<Record<string, string>>>;
  readonly errorPage: ErrorPage;
  /** Address under which clients reach this server, without a slash at the end. */
  readonly publicUrl: string;
  readonly stream: StreamOptions;
  readonly clientAddress: ClientAddress;
  /** Pages that have a host of their own; null: there are none. */
  readonly hosted: HostedPages | null;
  /** Requests that are under way, for the drain at shutdown. */
  readonly running: Set<Exchange>;
  /** Is told of every request when it is over, for the metrics. */
  readonly onRequestEnd?: (ended: EndedRequest) => void;
}

/** A reply as it leaves a handler, its operation's type forgotten. */
type AnyReply =
  | { status: number; body: unknown; headers?: Record<string, string> }
  | EmptyReply<number>
  | EventReply<{ type: string }>
  | DocumentReply<string>
  | BinaryReply<string>
  | TextReply<string>;

type AnyHandler = (request: unknown, scope: Exchange) => Promise<AnyReply>;

/** The Koa application: every request of every operation and page takes the one way of `answer`. */
export function createApplication(parts: ApplicationParts): Koa {
  const application = new Koa();
  const readers = new Map<OperationId, ReadBody>();
  for (const [id, { body }] of Object.entries(operations as Record<string, OperationInfo>)) {
    if (body) readers.set(id as OperationId, bodyReader(body));
  }
  application.on('error', (error: NodeJS.ErrnoException) => {
    // Every client that closes its connection early ends in one of these.
    if (
      error.code !== 'ERR_STREAM_PREMATURE_CLOSE' &&
      error.code !== 'ECONNRESET' &&
      error.code !== 'EPIPE'
    ) {
      parts.log.error({ err: error }, 'failed outside a request');
    }
  });
  application.use(async (context) => {
    const exchange = new Exchange(context, parts.log, parts.publicUrl, parts.clientAddress);
    parts.running.add(exchange);
    context.res.once('close', () => {
      parts.running.delete(exchange);
      parts.onRequestEnd?.(exchange.close());
    });
    try {
      await answer(context, exchange, parts, readers);
    } catch (thrown) {
      await answerError(context, exchange, parts, thrown);
    }
  });
  return application;
}

async function answer(
  context: Context,
  exchange: Exchange,
  parts: ApplicationParts,
  readers: ReadonlyMap<OperationId, ReadBody>,
): Promise<void> {
  requireOneHost(context.req);
  const hosted = parts.hosted?.(context.headers.host) ?? null;
  if (hosted !== null) return answerHosted(context, exchange, hosted, parts.publicUrl);
  const match = parts.router.match(context.method, context.path);
  if (match.target === null) return answerOptions(context, match);
  if (typeof match.target !== 'string') {
    exchange.page = context.path;
    return answerPage(context, exchange, match.target, match.path, parts.publicUrl);
  }
  const id = match.target;
  const info: OperationInfo = operations[id];
  exchange.operation = id;
  if (info.lifecycle === 'planned' && !parts.opened.has(id)) throw planned();
  exchange.principal = await parts.router.authenticate(id, match, context.headers, {
    method: context.method,
    client: exchange.client,
    remoteAddress: context.req.socket.remoteAddress,
  });
  if (exchange.principal) parts.router.authorize(id, exchange.principal);
  exchange.mediaType = acceptable(context, info.mediaTypes);
  const body = await readers.get(id)?.(context);
  const query = queryOf(context.querystring);
  await check(id, 'path', match.path, context);
  await check(id, 'query', query, context);
  if (info.body && body !== undefined) await checkBody(id, info.body, body, context);

  const handler = parts.handlers[id] as unknown as AnyHandler;
  const reply = await handler({ body, path: match.path, query }, exchange);
  await tellStanding(exchange, parts);
  if ('events' in reply) await answerEvents(context, id, reply, parts);
  else if ('bytes' in reply) answerBinary(context, id, reply, parts);
  else if ('etag' in reply) answerDocument(context, id, reply, parts);
  else if ('text' in reply) answerText(context, id, reply, parts);
  else if ('body' in reply) answerJson(context, id, reply, parts);
  else answerEmpty(context, id, reply, parts);
}

/** HTTP/1.1 asks for exactly one `Host` (RFC 9112 section 3.2), of which Node keeps the first. */
function requireOneHost({ httpVersion, rawHeaders }: IncomingMessage): void {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  if (hosts === 1 || (hosts === 0 && httpVersion === '1.0')) return;
  throw new ServiceError('malformed_request', 'A request has exactly one Host header.');
}

/** Tells a caller with a key how its limits stand, unless the operation has told it already. */
async function tellStanding(exchange: Exchange, { standing }: ApplicationParts): Promise<void> {
  if (exchange.principal && !exchange.standingTold) exchange.setHeaders(await standing(exchange.principal));
}

function planned(): ServiceError {
  const message = 'This operation is planned and not available on this server yet.';
  return new ServiceError('endpoint_planned', message);
}

/** On every JSON reply: it is meant for this caller and this moment. */
const privateJsonHeaders: ReplyHeaders = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
};
const jsonHeaders: ReplyHeaders = { ...corsHeaders, ...privateJsonHeaders };

function answerJson(
  context: Context,
  id: OperationId | null,
  { status, body, headers }: { status: number; body: unknown; headers?: ReplyHeaders },
  { replyCheck }: ApplicationParts,
): void {
  if (id) replyCheck?.reply(id, status, 'application/json', body);
  const usual = id && operations[id].cookies ? privateJsonHeaders : jsonHeaders;
  send(context, status, headers ? { ...usual, ...headers } : usual, JSON.stringify(body));
}

function answerEmpty(
  context: Context,
  id: OperationId,
  { status, headers }: EmptyReply<number>,
  { replyCheck }: ApplicationParts,
): void {
  replyCheck?.reply(id, status, null, undefined);
  send(
    context,
    status,
    { ...crossOriginHeaders(operations[id]), 'cache-control': 'no-store', ...headers },
    null,
  );
}

function answerText(
  context: Context,
  id: OperationId,
  { status, mediaType, text }: TextReply<string>,
  { replyCheck }: ApplicationParts,
): void {
  replyCheck?.reply(id, status, mediaType, text);
  const type = `${mediaType}; charset=utf-8`;
  send(
    context,
    status,
    { ...crossOriginHeaders(operations[id]), 'content-type': type, 'cache-control': 'no-store' },
    text,
  );
}

/** Documents are the same for everyone and change rarely, so a client may keep them and ask whether they still hold. */
function answerDocument(
  context: Context,
  id: OperationId,
  { mediaType, text, etag }: DocumentReply<string>,
  { replyCheck }: ApplicationParts,
): void {
  const headers = { ...corsHeaders, etag, 'cache-control': 'no-cache', vary: 'accept' };
  if (isFresh(context, etag)) {
    replyCheck?.reply(id, 304, null, undefined);
    send(context, 304, headers, null);
  } else {
    replyCheck?.reply(id, 200, mediaType, mediaType === 'application/json' ? JSON.parse(text) : null);
    send(context, 200, { ...headers, 'content-type': `${mediaType}; charset=utf-8` }, text);
  }
}

/** A file is one client's, who may keep it for as long as it likes: it never changes. */
function answerBinary(
  context: Context,
  id: OperationId,
  { mediaType, bytes, etag, headers }: BinaryReply<string>,
  { replyCheck }: ApplicationParts,
): void {
  const all = { ...corsHeaders, ...headers, etag, 'cache-control': 'private, no-cache' };
  const fresh = isFresh(context, etag);
  replyCheck?.reply(id, fresh ? 304 : 200, fresh ? null : mediaType, undefined);
  if (fresh) send(context, 304, all, null);
  else send(context, 200, { ...all, 'content-type': mediaType }, Buffer.from(bytes));
}

/** Whether the client's copy is current (RFC 9110 section 13.1.2). */
function isFresh(context: Context, etag: string): boolean {
  const tags = context.get('if-none-match').split(',');
  return tags.some((tag) => tag.trim().replace(/^W\//, '') === etag || tag.trim() === '*');
}

async function answerEvents(
  context: Context,
  id: OperationId,
  { events, headers = {}, framing, tooSlow }: EventReply<{ type: string }>,
  { replyCheck, stream }: ApplicationParts,
): Promise<void> {
  context.respond = false;
  sendHead(context, 200, { ...corsHeaders, ...eventStreamHeaders, ...headers });
  if (context.method === 'HEAD') {
    context.res.end();
    return;
  }
  context.res.flushHeaders();
  const source = replyCheck ? checked(id, events, replyCheck) : events;
  await writeEvents(context.res, source, { ...stream, framing, tooSlow });
}

async function* checked<E>(
  id: OperationId,
  events: AsyncIterable<E>,
  replyCheck: ReplyCheck,
): AsyncIterable<E> {
  for await (const event of events) {
    replyCheck.event(id, event);
    yield event;
  }
}

function answerOptions(context: Context, { allow, cookies }: Match): void {
  const preflight = context.get('access-control-request-method') !== '';
  const cors = preflight && !cookies ? preflightHeaders(allow) : crossOriginHeaders({ cookies });
  send(context, 204, { ...cors, allow }, null);
}

async function answerError(
  context: Context,
  exchange: Exchange,
  parts: ApplicationParts,
  thrown: unknown,
): Promise<void> {
  if (exchange.signal.aborted && context.res.destroyed) return;
  const error = toServiceError(thrown);
  exchange.report(error);
  if (context.res.headersSent) {
    // The status is gone already; a cut connection is the only way left to say that the reply is not whole.
    context.res.destroy();
    return;
  }
  if (wantsPage(context, exchange)) {
    const { requestId, page } = exchange;
    return sendPage(context, parts.errorPage({ error, requestId, page }), errorHeaders(error));
  }
  // A refusal by a limit tells it itself, and while the database cannot be used nobody knows.
  if (error.code !== 'rate_limited' && error.code !== 'storage_unavailable') {
    await tellStanding(exchange, parts);
  }
  const body = { error: errorObject(error, exchange.requestId, parts.publicUrl) };
  const reply = { status: error.info.status, body, headers: errorHeaders(error) };
  try {
    answerJson(context, exchange.operation, reply, parts);
  } catch (undeclared) {
    parts.log.error({ request_id: exchange.requestId, err: undeclared }, 'undeclared error reply');
    answerJson(context, null, reply, parts);
  }
}

/** Query parameters by name; one that is repeated is a list. Without a prototype, so that any name is only a name. */
function queryOf(querystring: string): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = Object.create(null);
  if (querystring === '') return query;
  for (const [name, value] of new URLSearchParams(querystring)) {
    const given = query[name];
    query[name] = given === undefined ? value : [given, value].flat();
  }
  return query;
}
