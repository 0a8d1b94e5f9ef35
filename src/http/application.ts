// Over 300 lines: the whole way of a request, in its order.
import type { IncomingMessage, ServerResponse } from 'node:http';
import Koa, { type Context } from 'koa';
import { type OperationInfo, operations } from '../../generated/operations.gen.ts';
import type { ErrorCode } from '../../generated/types.gen.ts';
import { type ServiceError, toServiceError } from '../contract/errors.ts';
import type { Idempotency } from '../contract/idempotency.ts';
import type { LimitState } from '../contract/limit-state.ts';
import type { OperationId, Principal } from '../contract/registry.ts';
import type { Turns } from '../contract/turns.ts';
import type { Handlers } from '../contract/wire-operations.ts';
import { isWireOperation, type WireOperationId } from '../contract/wire-operations.ts';
import type { PassingSet } from '../lib/placed.ts';
import { inSpan } from '../lib/trace.ts';
import { answerHosted, answerPage, sendPage } from './answer-page.ts';
import { bodyReader, declaredBytes } from './body.ts';
import {
  acceptable,
  check,
  checkBody,
  checkHead,
  loadRequestValidators,
  nestedTooDeep,
  queryOf,
  wantsPage,
} from './check-request.ts';
import {
  type AnswerOperation,
  createDispatcher,
  type Dispatch,
  type DispatcherParts,
  scopesOf,
} from './dispatcher.ts';
import { type DryRunParts, DryRunRate, withDryRuns } from './dry-run.ts';
import { errorHeaders, errorObject } from './error-reply.ts';
import { type EndedRequest, Exchange, type ExchangeParts, nameRequestSpan } from './exchange.ts';
import { crossOriginHeaders, deprecationHeaders, preflightHeaders, rateLimitHeaders } from './headers.ts';
import { keyedCall, sendKept } from './keyed-request.ts';
import { MessageReply } from './message-exchange.ts';
import type { RequireOwnHost } from './own-hosts.ts';
import type { ErrorPage, HostedPages, Page } from './page.ts';
import { createRoutes, everyMethod, type Match, meantPath, type Routes } from './routes.ts';
import { send } from './send.ts';
import { type Sockets, socketOperation, withSockets } from './sockets.ts';
import { upgradeOf } from './upgrade.ts';
import { answerWire, type WireRequest, type WireWayParts } from './wire-way.ts';
import { type AnyReply, writeJson, writeReply } from './write-reply.ts';

export interface ApplicationParts extends DryRunParts, ExchangeParts {
  readonly handlers: Handlers;
  readonly pages: readonly Page[];
  readonly authenticate: DispatcherParts['authenticate'];
  /** Planned operations that this server has opened; the others answer `endpoint_planned`. */
  readonly opened: ReadonlySet<OperationId>;
  /** How a caller's limits stand when its request uses nothing up; empty for one without limits. Never rejects. */
  readonly limitState: (principal: Principal) => Promise<LimitState>;
  readonly errorPage: ErrorPage;
  /** How the operations of foreign interfaces say what goes wrong. */
  readonly conventions: WireWayParts['conventions'];
  /** How forms with files are taken. */
  readonly uploads: WireWayParts['uploads'];
  /** Whether bodies in Brotli can be decoded; as this Node.js has it if left out. */
  readonly brotli?: boolean;
  /** The stored answers to requests with an `Idempotency-Key`. */
  readonly idempotency: Idempotency;
  /** Decides which requests of tenants begin where more want to than can be answered well. */
  readonly turns: Turns;
  readonly requireOwnHost: RequireOwnHost;
  /** Pages that have a host of their own; null: there are none. */
  readonly hosted: HostedPages | null;
  /** Those of the operation that has some; null: there are none. */
  readonly sockets: Sockets | null;
  /** Requests that are under way, for the drain at shutdown. */
  readonly running: PassingSet<Exchange>;
  /** Called at the end of every request, for the metrics. */
  readonly onRequestEnd?: (ended: EndedRequest) => void;
}

type AnyHandler = (request: unknown, scope: Exchange) => Promise<AnyReply>;

/**
 * The Koa application. Every request of a page takes the way of `answerPage`, every one of an operation that of
 * `wayOf`, and `answerError` answers what either throws.
 */
export async function createApplication(parts: ApplicationParts): Promise<Koa> {
  await loadRequestValidators();
  const application = new Edge();
  const routes = createRoutes(parts.pages);
  const { authenticate } = parts;
  const dispatch = await createDispatcher({ routes, authenticate, answers: answersOf(parts) });
  application.on('error', (error) => parts.log.error({ err: error }, 'failed outside a request'));
  application.use(async (context) => {
    const exchange = new Exchange(context, parts);
    parts.running.add(exchange);
    if (context.res instanceof MessageReply) exchange.note('transport', 'websocket');
    const over = () => {
      parts.running.delete(exchange);
      parts.onRequestEnd?.(exchange.close());
    };
    // A recorded request continues without its client.
    context.res.once('close', () => (exchange.recording ? exchange.recording.over.then(over) : over()));
    try {
      const { span } = exchange;
      const answering = () => answer(context, exchange, parts, routes, dispatch);
      await (span ? inSpan(span, answering) : answering());
    } catch (thrown) {
      await answerError(context, exchange, parts, thrown);
    }
  });
  return application;
}

/**
 * Koa without its listener on the end of each reply (on-finished), by which it hears of errors of connections, which end a request here
 * anyway: 2 % of the CPU time of a chat and 1.6 KB (profile of 2026-11-25); and without its own way of writing a reply, which none of ours takes.
 */
class Edge extends Koa {
  override callback(): ReturnType<Koa['callback']> {
    const [first, ...others] = this.middleware;
    if (first === undefined || others.length > 0) throw new Error('There is one way for every request.');
    const next = async () => undefined;
    return (req, res) => {
      const context = this.createContext(req as IncomingMessage, res as ServerResponse);
      // Always a promise, as the one way is an async function.
      return first(context as Parameters<typeof first>[0], next).catch((error: Error) =>
        context.onerror(error),
      );
    };
  }
}

/** Takes a request to its page, or by openapi-backend to its operation, whose caller it finds out. */
async function answer(
  context: Context,
  exchange: Exchange,
  parts: ApplicationParts,
  routes: Routes,
  dispatch: Dispatch,
): Promise<void> {
  checkHead(context.req);
  const hosted = parts.hosted?.(context.headers.host) ?? null;
  if (hosted !== null) return answerHosted(context, exchange, hosted, parts.publicUrl);
  if (context.path === '*') return answerOptions(context, { allow: everyMethod, cookies: false });
  const match = matchOf(context, routes);
  const { route, target, params } = match;
  if (route !== null && context.method === 'OPTIONS') return answerOptions(context, route);
  if (target !== null && typeof target !== 'string') {
    if (!target.file) exchange.page = context.path;
    if (target.signIn) parts.requireOwnHost(context.headers.host);
    return answerPage(context, exchange, target, params, parts.publicUrl, parts.brotli);
  }
  exchange.operation = target;
  if (exchange.span && target !== null) nameRequestSpan(exchange.span, target);
  if (target !== null && isForBrowsers(operations[target], context)) {
    parts.requireOwnHost(context.headers.host);
  }
  if (target !== null && (operations[target].wire === 'mcp' || forWebSocket(context)))
    requireOwnOrigin(context, parts.requireOwnHost);
  const call = { context, exchange, match };
  const answerIt = await dispatch(call);
  await answerIt(call);
}

/** Whether a request came for a WebSocket, as few do. */
function forWebSocket({ headers, req }: Context): boolean {
  return headers.upgrade !== undefined && upgradeOf(req) !== null;
}

/** Where a request leads. One for a socket leads to the operation whose requests come over it. */
function matchOf(context: Context, routes: Routes): Match {
  const { method, path } = context;
  const meant = meantPath(path);
  if (forWebSocket(context)) {
    const match = routes.match('POST', meant);
    if (match.target === socketOperation) return match;
  }
  return routes.match(method, meant);
}

/**
 * A page whose name leads to this server reaches what listens on the machine of who looks at it
 * (https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#security-warning). Programs send no `Origin`.
 */
function requireOwnOrigin({ headers: { origin } }: Context, requireOwnHost: RequireOwnHost): void {
  if (typeof origin === 'string') requireOwnHost(URL.canParse(origin) ? new URL(origin).host : origin);
}

/** The handler of each operation that this server has. */
function answersOf(parts: ApplicationParts): ReadonlyMap<OperationId, AnswerOperation> {
  const all = Object.entries(operations as Record<OperationId, OperationInfo>) as [
    OperationId,
    OperationInfo,
  ][];
  const here = all.filter(([id, { lifecycle }]) => lifecycle === 'available' || parts.opened.has(id));
  const rate = new DryRunRate();
  const { sockets } = parts;
  return new Map(
    here.map(([id, info]) => {
      const answer = sayingDeprecation(
        info,
        withDryRuns(id, info, wayOf(id, info, parts), rate, parts),
        parts,
      );
      return [id, sockets && id === socketOperation ? withSockets(info, sockets, answer) : answer];
    }),
  );
}

/** Of a deprecated operation, with the headers that say so; `answerError` adds them to what is refused before. */
function sayingDeprecation(
  { deprecatedSince }: OperationInfo,
  answer: AnswerOperation,
  { publicUrl }: ApplicationParts,
): AnswerOperation {
  if (deprecatedSince === undefined) return answer;
  const headers = deprecationHeaders(deprecatedSince, publicUrl);
  return (call) => {
    Object.assign(call.exchange.ownHeaders, headers);
    return answer(call);
  };
}

/**
 * The one way of every operation's request, from where openapi-backend has authenticated it:
 * authorize -> accept -> turn -> body -> validate -> key -> handler -> reply. Checks run, and fail, in this order. On a foreign
 * interface `wire-way.ts` has all that comes after the turn, and whatever a client accepts is answered.
 */
function wayOf(id: OperationId, info: OperationInfo, parts: ApplicationParts): AnswerOperation {
  const wire = isWireOperation(id) ? wireAnswerOf(id, info, parts) : null;
  const readBody = wire === null && info.body ? bodyReader(info.body, parts.brotli) : null;
  const requireScopes = scopesOf(info.security);
  return async ({ context, exchange, match: { params } }) => {
    requireScopes(exchange.principal);
    if (wire === null) exchange.mediaType = acceptable(context, info.mediaTypes);
    const begun = exchange.takeTurn(parts.turns);
    if (begun) await begun;
    const isKeyed = info.idempotent && context.headers['idempotency-key'] !== undefined;
    const keyed =
      isKeyed && exchange.dryRun === null
        ? keyedCall(parts.idempotency, { id, context, exchange, params })
        : null;
    if (wire !== null) return wire({ context, exchange, params, keyed });
    const body = await readBody?.(context, exchange.memory, keyed?.fingerprint);
    const query = queryOf(context.querystring, info.integers);
    const wrong =
      check(id, 'path', params, context) ??
      check(id, 'query', query, context) ??
      (info.body && body && checkBody(id, info.body, body.value, context));
    if (wrong) await wrong;
    if (body?.tooDeep) throw nestedTooDeep(body.value);
    const kept = keyed ? await keyed.claim() : null;
    if (kept) {
      await setLimitHeaders(exchange, parts.limitState);
      return sendKept(context, exchange, kept);
    }
    const asked = { id, body: body?.value, path: params };
    const call = streamedCall(info, asked) ?? asked;
    if (exchange.dryRun) exchange.dryRun.checked = true;
    const handler = parts.handlers[call.id] as unknown as AnyHandler;
    const reply = await handler({ body: call.body, path: call.path, query }, exchange);
    const asking = setLimitHeaders(exchange, parts.limitState);
    if (asking) await asking;
    const writing = writeReply(context, call.id, reply, parts);
    if (writing) await writing;
  };
}

/** The handler of an operation of a foreign interface. */
function wireAnswerOf(id: WireOperationId, info: OperationInfo, parts: ApplicationParts) {
  const wayParts: WireWayParts = {
    replyCheck: parts.replyCheck,
    stream: parts.stream,
    handler: parts.handlers[id],
    conventions: parts.conventions,
    uploads: parts.uploads,
    ...(parts.brotli !== undefined && { brotli: parts.brotli }),
    setLimitHeaders: (exchange) => setLimitHeaders(exchange, parts.limitState),
  };
  return (request: WireRequest) => answerWire(id, info, request, wayParts);
}

interface Call {
  readonly id: OperationId;
  readonly body: unknown;
  readonly path: Match['params'];
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
 * Adds headers with the state of the caller's limits to the reply: with its request counted, or as they are known if it was
 * not counted.
 * @param find null: they are sent only if they are known already
 * @returns a promise to wait for; undefined: none
 */
function setLimitHeaders(
  exchange: Exchange,
  find: ApplicationParts['limitState'] | null,
): Promise<void> | undefined {
  if (exchange.limitState) putLimitHeaders(exchange, exchange.limitState);
  else if (find && exchange.principal)
    return find(exchange.principal).then((state) => putLimitHeaders(exchange, state));
  return undefined;
}

function putLimitHeaders(exchange: Exchange, state: LimitState): void {
  exchange.limitState = state;
  if (state.length > 0) Object.assign(exchange.ownHeaders, rateLimitHeaders(state));
}

function answerOptions(
  context: Context,
  { allow, cookies }: { readonly allow: string; readonly cookies: boolean },
): void {
  const preflight = context.get('access-control-request-method') !== '';
  const cors =
    preflight && !cookies
      ? preflightHeaders(allow, context.get('access-control-request-headers'))
      : crossOriginHeaders({ cookies });
  send(context, 204, { ...cors, allow }, null);
}

async function answerError(
  context: Context,
  exchange: Exchange,
  parts: ApplicationParts,
  thrown: unknown,
): Promise<void> {
  if (exchange.signal.aborted && context.res.destroyed) {
    await exchange.recording?.free();
    return;
  }
  const error = toServiceError(thrown);
  exchange.report(error);
  if (context.res.headersSent) {
    // The status is sent already; only a cut connection still shows that the reply is incomplete.
    context.res.destroy();
    await exchange.recording?.free();
    return;
  }
  const info: OperationInfo | null = exchange.operation && operations[exchange.operation];
  if (info?.deprecatedSince !== undefined)
    Object.assign(exchange.ownHeaders, deprecationHeaders(info.deprecatedSince, parts.publicUrl));
  const headers = { ...errorHeaders(error), ...unreadBody(context) };
  if (wantsPage(context, exchange)) {
    const { requestId } = exchange;
    // A page that is missing stays missing on reload; a form that was sent may have a page.
    const page = context.method !== 'POST' && /404|410/.test(`${error.info.status}`) ? null : exchange.page;
    return sendPage(context, parts.errorPage({ error, requestId, page }), headers);
  }
  // Limit refusals carry these headers already; without the database the state is unknown; shed requests must stay cheap.
  const asks = !tellsNoLimits.has(error.code);
  await setLimitHeaders(exchange, asks ? parts.limitState : null);
  const reply = errorReply(context, exchange, parts, error, headers);
  try {
    writeJson(context, exchange.operation, reply, parts);
  } catch (undeclared) {
    parts.log.error({ request_id: exchange.requestId, err: undeclared }, 'undeclared error reply');
    writeJson(context, null, reply, parts);
  }
}

const tellsNoLimits: ReadonlySet<ErrorCode> = new Set(['rate_limited', 'storage_unavailable', 'overloaded']);

/** An error in the form of the interface that it is on. */
function errorReply(
  context: Context,
  { operation, requestId }: Exchange,
  { conventions, publicUrl }: ApplicationParts,
  error: ServiceError,
  headers: Readonly<Record<string, string>>,
) {
  if (operation === null || !isWireOperation(operation))
    return { status: error.info.status, body: { error: errorObject(error, requestId, publicUrl) }, headers };
  const query = new URLSearchParams(context.querystring);
  const written = conventions({ operation, query }).error(error, requestId);
  return { ...written, headers: { ...headers, ...written.headers } };
}

/** Maximum of a refused request's body that is read, for the sake of its connection, in bytes. */
const maxDropped = 1024 * 1024;

/** Closes the connection where the unread body is too large to drain. */
function unreadBody({ req }: Context): Record<string, string> {
  return !req.complete && declaredBytes(req.headers) > maxDropped ? { connection: 'close' } : {};
}
