import Koa, { type Context } from 'koa';
import { type OperationInfo, operations } from '../../generated/operations.gen.ts';
import { ServiceError, toServiceError } from '../contract/errors.ts';
import type { LimitState } from '../contract/limit-state.ts';
import type { Handlers, OperationId, Principal } from '../contract/registry.ts';
import { acceptable, wantsPage } from './accept.ts';
import { declaredBytes } from './admit-body.ts';
import { answerHosted, answerPage, sendPage } from './answer-page.ts';
import { bodyReader, type ReadBody } from './body.ts';
import { check, checkBody, nestedTooDeep } from './check-request.ts';
import { errorHeaders, errorObject } from './error-reply.ts';
import { type EndedRequest, Exchange, type ExchangeParts } from './exchange.ts';
import { crossOriginHeaders, preflightHeaders } from './headers.ts';
import type { RequireOwnHost } from './own-hosts.ts';
import type { ErrorPage, HostedPages } from './page.ts';
import { queryOf } from './query.ts';
import { rateLimitHeaders } from './rate-limit-headers.ts';
import { checkHead } from './request-head.ts';
import type { Match, Router } from './router.ts';
import { send } from './send.ts';
import { type AnyReply, type ReplyOptions, writeJson, writeReply } from './write-reply.ts';

export interface ApplicationParts extends ReplyOptions, ExchangeParts {
  readonly router: Router;
  readonly handlers: Handlers;
  /** Planned operations that this server has opened; the others answer `endpoint_planned`. */
  readonly opened: ReadonlySet<OperationId>;
  /** How a caller's limits stand when its request uses nothing up; empty for one without limits. Never rejects. */
  readonly limitState: (principal: Principal) => Promise<LimitState>;
  readonly errorPage: ErrorPage;
  readonly requireOwnHost: RequireOwnHost;
  /** Pages that have a host of their own; null: there are none. */
  readonly hosted: HostedPages | null;
  /** Requests that are under way, for the drain at shutdown. */
  readonly running: Set<Exchange>;
  /** Is told of every request when it is over, for the metrics. */
  readonly onRequestEnd?: (ended: EndedRequest) => void;
}

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
    const exchange = new Exchange(context, parts);
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
  checkHead(context.req);
  const hosted = parts.hosted?.(context.headers.host) ?? null;
  if (hosted !== null) return answerHosted(context, exchange, hosted, parts.publicUrl);
  const match = parts.router.match(context.method, context.path);
  if (match.target === null) return answerOptions(context, match);
  if (typeof match.target !== 'string') {
    if (!match.target.file) exchange.page = context.path;
    if (match.target.signIn) parts.requireOwnHost(context.headers.host);
    return answerPage(context, exchange, match.target, match.path, parts.publicUrl);
  }
  const id = match.target;
  const info: OperationInfo = operations[id];
  exchange.operation = id;
  if (info.lifecycle === 'planned' && !parts.opened.has(id)) throw planned();
  if (isForBrowsers(info, context)) parts.requireOwnHost(context.headers.host);
  exchange.principal = await parts.router.authenticate(id, match, context.headers, {
    method: context.method,
    client: exchange.client,
    remoteAddress: context.req.socket.remoteAddress,
  });
  if (exchange.principal) parts.router.authorize(id, exchange.principal);
  exchange.mediaType = acceptable(context, info.mediaTypes);
  const body = await readers.get(id)?.(context, exchange.memory);
  const query = queryOf(context.querystring, info.integers);
  await check(id, 'path', match.path, context);
  await check(id, 'query', query, context);
  if (info.body && body) {
    await checkBody(id, info.body, body.value, context);
    if (body.tooDeep) throw nestedTooDeep(body.value);
  }

  const asked = { id, body: body?.value, path: match.path };
  const call = streamedCall(info, asked) ?? asked;
  const handler = parts.handlers[call.id] as unknown as AnyHandler;
  const reply = await handler({ body: call.body, path: call.path, query }, exchange);
  await setLimitHeaders(context, exchange, parts.limitState);
  await writeReply(context, call.id, reply, parts);
}

interface Call {
  readonly id: OperationId;
  readonly body: unknown;
  readonly path: Match['path'];
}

/**
 * A checked request that says `"stream": true`, as version 1.0 of the contract had it, as one to the operation that streams;
 * null: it says no such thing.
 */
function streamedCall({ stream }: OperationInfo, { body, path }: Call): Call | null {
  if (stream === null || (body as { stream?: boolean }).stream !== true) return null;
  const { stream: _, ...rest } = body as Record<string, unknown>;
  return { id: stream.operation, body: rest, path: { ...path, ...stream.path } };
}

/** Whether an operation is called with the cookie of a session, or to get one. A script that sends the password is not. */
function isForBrowsers({ cookies, security }: OperationInfo, { headers }: Context): boolean {
  if (!cookies) return false;
  return security.length === 0 || headers.authorization === undefined || headers.cookie !== undefined;
}

/**
 * Puts headers on the reply that tell a caller how its limits stand: with its request counted, or as they are known if
 * nobody has counted it.
 * @param find null: they are told only if they are known already
 */
async function setLimitHeaders(
  { res }: Context,
  exchange: Exchange,
  find: ApplicationParts['limitState'] | null,
): Promise<void> {
  if (find && exchange.principal) exchange.limitState ??= await find(exchange.principal);
  const headers = rateLimitHeaders(exchange.limitState ?? []);
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
}

function planned(): ServiceError {
  const message = 'This operation is planned and not available on this server yet.';
  return new ServiceError('endpoint_planned', message);
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
  const headers = { ...errorHeaders(error), ...unreadBody(context) };
  if (wantsPage(context, exchange)) {
    const { requestId, page } = exchange;
    return sendPage(context, parts.errorPage({ error, requestId, page }), headers);
  }
  // A refusal by a limit tells it itself, and while the database cannot be used nobody knows.
  const asks = error.code !== 'rate_limited' && error.code !== 'storage_unavailable';
  await setLimitHeaders(context, exchange, asks ? parts.limitState : null);
  const body = { error: errorObject(error, exchange.requestId, parts.publicUrl) };
  const reply = { status: error.info.status, body, headers };
  try {
    writeJson(context, exchange.operation, reply, parts);
  } catch (undeclared) {
    parts.log.error({ request_id: exchange.requestId, err: undeclared }, 'undeclared error reply');
    writeJson(context, null, reply, parts);
  }
}

/** Most of a refused request's body that is read, for the sake of its connection, in bytes. */
const mostDropped = 1024 * 1024;

/** What ends the connection of a request whose body nobody wants to see to its end. */
function unreadBody({ req }: Context): Record<string, string> {
  return !req.complete && declaredBytes(req.headers) > mostDropped ? { connection: 'close' } : {};
}
