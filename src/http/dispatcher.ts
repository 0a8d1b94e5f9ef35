import type { Context } from 'koa';
import {
  type Context as BackendContext,
  type Document,
  OpenAPIBackend,
  OpenAPIRouter,
  type Operation,
  type ParsedRequest,
} from 'openapi-backend';
import {
  contractVersion,
  type OperationInfo,
  operations,
  type SecurityScheme,
  securitySchemes,
} from '../../generated/operations.gen.ts';
import { ServiceError, toServiceError } from '../contract/errors.ts';
import type { OperationId, Principal } from '../contract/registry.ts';
import type { Exchange } from './exchange.ts';
import type { Match, Routes } from './routes.ts';
import { asksForWebSocket, noWebSocket } from './upgrade.ts';

/** A request on its way to an operation. */
interface OperationCall {
  readonly context: Context;
  readonly exchange: Exchange;
  readonly match: Match;
}

/** Answers the requests of one operation; the caller is known. */
export type AnswerOperation = (call: OperationCall) => Promise<void>;

export interface DispatcherParts {
  readonly routes: Routes;
  /** A function for each security scheme of the contract. */
  readonly authenticate: Readonly<Record<SecurityScheme, Authenticate>>;
  /** The handler of each operation; one that is left out is planned. */
  readonly answers: ReadonlyMap<OperationId, AnswerOperation>;
}

/**
 * Finds out who calls, and what answers; that runs when openapi-backend is done, so that nothing of it waits beside a long answer.
 * Throws `ServiceError`: `not_found`, `method_not_allowed`, `endpoint_planned` and 401.
 */
export type Dispatch = (call: OperationCall) => Promise<AnswerOperation>;

/**
 * openapi-backend dispatches: it takes a request to its operation, runs the security handlers as the contract's
 * alternatives demand, and calls the handler that is registered for the operation or for the refusal.
 *
 * Three of its parts are not used. Its router makes a regular expression of every path for each request: over our 71
 * operations that is 95 µs of CPU for a `POST /v1/chat`, against 1 with `RoutedRequests` in its place. Its validator adds 8
 * to a small body, against 0.1 of the validators that are compiled with the contract (`check-request.ts`), and takes an
 * object under any Content-Type. Its check of the document knows OpenAPI 3.0 only, so it starts in quick mode; the contract
 * is linted before. The server's bundle has neither of these two.
 */
export async function createDispatcher({
  routes,
  authenticate,
  answers,
}: DispatcherParts): Promise<Dispatch> {
  const document = definition();
  const backend = new OpenAPIBackend({ definition: document, quick: true, strict: true, validate: false });
  // It would read the document by what reads those in files.
  backend.loadDocument = async () => document;
  await backend.init();
  backend.router = new RoutedRequests({ definition: backend.definition });
  for (const [scheme, run] of Object.entries(authenticate)) {
    backend.registerSecurityHandler(scheme, (_: BackendContext, { context, exchange }: OperationCall) =>
      schemeResult(run, context.headers, {
        method: context.method,
        query: context.querystring,
        client: exchange.client,
        remoteAddress: context.req.socket.remoteAddress,
      }),
    );
  }
  for (const [id, answer] of answers) {
    backend.register(id, (known: BackendContext, call: OperationCall) => {
      call.exchange.principal = accepted(resultsOf(known));
      return answer;
    });
  }
  backend.register({
    notFound: (_: BackendContext, { context }: OperationCall) => {
      refuseWebSocket(context);
      throw routes.notFound(context.method, context.path);
    },
    methodNotAllowed: (_: BackendContext, { context, match }: OperationCall) => {
      refuseWebSocket(context);
      const allow = match.route?.allow ?? '';
      const message = `This path takes ${allow}, not ${context.method}.`;
      throw new ServiceError('method_not_allowed', message, { headers: { allow } });
    },
    unauthorizedHandler: (known: BackendContext) => {
      throw refusal(resultsOf(known));
    },
    notImplemented: () => {
      const message = 'This operation is planned and not available on this server yet.';
      throw new ServiceError('endpoint_planned', message);
    },
  });
  return (call) => backend.handleRequest(new RoutedRequest(call), call);
}

/** A client that tries a WebSocket first, as Codex does, falls back to HTTP at once after this answer (RFC 9110, 15.5.22). */
function refuseWebSocket({ req }: Context): void {
  if (asksForWebSocket(req)) throw noWebSocket('There is no WebSocket here; send the request by POST.');
}

/** The results of an operation's schemes, without openapi-backend's note whether they were enough. */
function resultsOf({ security }: BackendContext): SchemeResult[] {
  const { authorized: _, ...results } = security;
  return Object.values(results);
}

const none = {};

/** A request that is matched already; openapi-backend must not parse it again, as our handlers have the request itself. */
class RoutedRequest implements ParsedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers = none;
  readonly query = none;
  readonly params = none;
  readonly cookies = none;
  readonly requestBody = undefined;
  readonly match: Match;
  readonly context: Context;

  constructor({ context, match }: OperationCall) {
    this.method = context.method;
    this.path = context.path;
    this.match = match;
    this.context = context;
  }
}

/** openapi-backend's refusals. They stay inside this module, so they need no stack. */
const notFound = new Error('404-notFound');
const methodNotAllowed = new Error('405-methodNotAllowed');

/** The router of openapi-backend, for requests whose operation has been looked up in the table of routes. */
class RoutedRequests extends OpenAPIRouter {
  readonly #operations = new Map(
    Object.entries(this.definition.paths ?? {}).flatMap(([path, item]) =>
      Object.entries(item as Record<string, Operation>).map(([method, operation]): [string, Operation] => [
        operation.operationId ?? '',
        { ...operation, path, method },
      ]),
    ),
  );
  readonly #byCredential = new Map([...this.#operations.values()].map((one) => [one, waysInto(one)]));

  /** Asked of each handler that is registered; the library's own makes all operations again for each: 40 ms at the start. */
  override getOperation(operationId: string) {
    return this.#operations.get(operationId);
  }

  override matchOperation({ match: { route, target }, context }: RoutedRequest) {
    if (route === null) throw notFound;
    const operation = typeof target === 'string' ? this.#operations.get(target) : undefined;
    if (operation === undefined) throw methodNotAllowed;
    return withTheOneWay(operation, this.#byCredential.get(operation) ?? [], context);
  }

  override parseRequest(request: RoutedRequest): ParsedRequest {
    return request;
  }
}

/** An operation as it is for a caller with the credential of one scheme, and whether a request brings that. */
interface Way {
  readonly operation: Operation;
  readonly isTaken: (context: Context) => boolean;
}

/**
 * The ways of calling an operation that takes a key in several places, each with a scheme of its own. openapi-backend runs all schemes,
 * at six promises each, and four of five would only find that their credential is not there. None, where it has one scheme, or takes cookies.
 */
function waysInto(operation: Operation): readonly Way[] {
  const security = operation.security ?? [];
  if (security.length < 2) return [];
  const ways = security.map((requirement) => {
    const [name, ...others] = Object.keys(requirement);
    const isOne = name !== undefined && others.length === 0;
    const isTaken = isOne ? presenceOf(securitySchemes[name as SecurityScheme]) : null;
    return isTaken && { operation: { ...operation, security: [requirement] }, isTaken };
  });
  return ways.every((way) => way !== null) ? ways : [];
}

/** Null: the head alone does not show it. */
function presenceOf(scheme: (typeof securitySchemes)[SecurityScheme]): Way['isTaken'] | null {
  if (scheme.type === 'http') return ({ headers }) => Boolean(headers.authorization);
  if (scheme.in === 'header') {
    const name = scheme.name.toLowerCase();
    return ({ headers }) => Boolean(headers[name]);
  }
  if (scheme.in === 'cookie') return null;
  const given = new RegExp(`(?:^|&)${scheme.name}=`);
  return ({ querystring }) => given.test(querystring);
}

/** With the scheme alone whose credential is there; with all of them where there is none, or more than one. */
function withTheOneWay(operation: Operation, ways: readonly Way[], context: Context): Operation {
  let only: Way | null = null;
  for (const way of ways) {
    if (!way.isTaken(context)) continue;
    if (only !== null) return operation;
    only = way;
  }
  return only?.operation ?? operation;
}

/** The part of the contract that openapi-backend works with: its operations and how they are secured. */
function definition(): Document {
  const paths: Document['paths'] = {};
  for (const [operationId, { path, method, security }] of Object.entries(
    operations as Record<string, OperationInfo>,
  )) {
    const copy = security.map((requirement) => ({ ...requirement })) as Record<string, string[]>[];
    paths[path] = { ...paths[path], [method.toLowerCase()]: { operationId, security: copy, responses: {} } };
  }
  return {
    openapi: '3.1.1',
    info: { title: 'Switchyard', version: contractVersion },
    paths,
    components: { securitySchemes },
  };
}

/** The headers of a request, as Node gives them. */
export type RequestHeaders = Readonly<Record<string, string | string[] | undefined>>;

/**
 * Finds out who calls, by one of the contract's security schemes. Throws `ServiceError` (401) for a caller that it does
 * not accept; anything else that it throws is a failure of ours and never looks like bad credentials.
 */
export type Authenticate = (headers: RequestHeaders, call: Call) => Promise<Principal>;

/** The further parts of a request that its security may depend on. */
export interface Call {
  readonly method: string;
  /** The part of its address after the `?`. */
  readonly query: string;
  /** The client's address. */
  readonly client: string;
  /** The other end of the connection, whatever headers say; undefined once it is closed. */
  readonly remoteAddress: string | undefined;
}

/** The result of one security scheme. openapi-backend takes anything with an `error` for a failure. */
type SchemeResult = { readonly principal: Principal } | { readonly error: ServiceError };

/** Runs a scheme. Never rejects: openapi-backend would keep no more of what was thrown than that there was something. */
function schemeResult(
  authenticate: Authenticate,
  headers: RequestHeaders,
  call: Call,
): Promise<SchemeResult> {
  return authenticate(headers, call).then(
    (principal) => ({ principal }),
    (thrown: unknown) => ({ error: toServiceError(thrown) }),
  );
}

/** Who calls, by the schemes of an operation; null: it is public. */
function accepted(results: readonly SchemeResult[]): Principal | null {
  const found = results.find((result) => 'principal' in result);
  return found?.principal ?? null;
}

/** The error to report of several failed schemes: our own failure first, then a wrong key, then a missing one. */
function refusal(results: readonly SchemeResult[]): ServiceError {
  const errors = results.flatMap((result) => ('error' in result ? [result.error] : []));
  const failure = errors.find((error) => error.info.status !== 401);
  const wrong = errors.find(({ code }) => code !== 'missing_api_key' && code !== 'missing_credentials');
  const found = failure ?? wrong ?? errors[0];
  return found ?? new ServiceError('internal_error', 'The server failed to authenticate the request.');
}

/**
 * Returns a check that throws `ServiceError` (403) for a caller without a scope that an operation needs; null is any caller
 * of a public one. openapi-backend checks none.
 */
export function scopesOf(security: OperationInfo['security']): (principal: Principal | null) => void {
  const alternatives = security.map((requirement) => Object.values(requirement).flat());
  const isForAdmins = security.some((requirement) => 'adminSession' in requirement);
  return (principal) => {
    if (principal === null) return;
    for (const scopes of alternatives) if (scopes.every((scope) => principal.scopes.has(scope))) return;
    const missing = alternatives[0]?.find((scope) => !principal.scopes.has(scope));
    const message = isForAdmins
      ? `This operation needs the right "${missing}", which your role does not give.`
      : `This operation needs the scope "${missing}", which the API key does not hold.`;
    throw new ServiceError('insufficient_scope', message);
  };
}
