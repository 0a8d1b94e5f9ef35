import FindMyWay from 'find-my-way';
import { type Document, OpenAPIBackend, OpenAPIRouter, type ParsedRequest } from 'openapi-backend';
import {
  contractVersion,
  type OperationInfo,
  operations,
  type SecurityScheme,
  securitySchemes,
} from '../../generated/operations.gen.ts';
import { ServiceError, toServiceError } from '../contract/errors.ts';
import type { OperationId, Principal } from '../contract/registry.ts';
import { type KnownPath, nearestPathAmong } from './nearest-path.ts';
import type { Page } from './page.ts';

/** The headers of a request, as Node gives them. */
export type RequestHeaders = Readonly<Record<string, string | string[] | undefined>>;

/**
 * Finds out who calls, by one of the contract's security schemes. Throws `ServiceError` (401) for a caller that it does
 * not accept; anything else that it throws is a failure of ours and never looks like bad credentials.
 */
export type Authenticate = (headers: RequestHeaders, call: Call) => Promise<Principal>;

/** What else of a request its security may depend on. */
export interface Call {
  readonly method: string;
  /** The client's address. */
  readonly client: string;
  /** The other end of the connection, whatever headers say; undefined once it is closed. */
  readonly remoteAddress: string | undefined;
}

/** What the table holds for one path: its operations and its page by method. */
interface Route {
  readonly methods: Map<string, OperationId | Page>;
  /** Value of the `Allow` header. */
  readonly allow: string;
  /** Whether a page or an operation that works with cookies is there. */
  readonly cookies: boolean;
}

export interface Match {
  /** An operation by its id, or a page. Null for OPTIONS, which is answered from `allow` alone. */
  readonly target: OperationId | Page | null;
  readonly path: Readonly<Record<string, string | undefined>>;
  readonly allow: string;
  readonly cookies: boolean;
}

export interface Router {
  /** Throws `ServiceError`: `malformed_request`, `not_found`, `method_not_allowed` (with its `Allow` header). */
  match(method: string, path: string): Match;
  /** Runs the security handlers of an operation; null: it is public. Throws `ServiceError`: 401, 500. */
  authenticate(id: OperationId, match: Match, headers: RequestHeaders, call: Call): Promise<Principal | null>;
  /** Throws `ServiceError` (403) for a caller without a scope that the operation needs. */
  authorize(id: OperationId, principal: Principal): void;
}

export interface RouterParts {
  readonly pages: readonly Page[];
  /** A function for each security scheme of the contract. */
  readonly authenticate: Readonly<Record<SecurityScheme, Authenticate>>;
}

export async function createRouter({ pages, authenticate }: RouterParts): Promise<Router> {
  const table = buildTable(pages);
  const nearestPath = nearestPathAmong(knownPaths(pages));
  const backend = await createBackend(authenticate);
  return {
    match: (method, path) => lookUp(table, method, path, nearestPath),
    async authenticate(id, match, headers, call) {
      if ((operations[id] as OperationInfo).security.length === 0) return null;
      const request: MatchedRequest = {
        ...call,
        path: '',
        headers: headers as Record<string, string>,
        id,
        match,
      };
      // Where nobody has to show who they are, there may be nobody.
      return (await backend.handleRequest(request)) ?? null;
    },
    authorize: (id, principal) => requireScopes((operations[id] as OperationInfo).security, principal),
  };
}

/** One radix tree over all paths, built once: finding a route costs the same however many operations there are. */
function buildTable(pages: readonly Page[]): FindMyWay.Instance<FindMyWay.HTTPVersion.V1> {
  const targets = new Map<string, Map<string, OperationId | Page>>();
  const add = (path: string, method: string, target: OperationId | Page) => {
    const methods = targets.get(path) ?? new Map();
    if (methods.has(method)) throw new Error(`${method} ${path} is routed twice`);
    targets.set(path, methods.set(method, target));
  };
  for (const [id, info] of Object.entries(operations as Record<string, OperationInfo>)) {
    for (const path of [info.path, ...info.secondNames])
      add(path.replaceAll(/\{(\w+)\}/g, ':$1'), info.method, id as OperationId);
  }
  for (const page of pages) for (const method of page.methods ?? ['GET']) add(page.path, method, page);

  const tree = FindMyWay({ maxParamLength: 256 });
  for (const [path, methods] of targets) {
    const get = methods.get('GET');
    if (get && !methods.has('HEAD')) methods.set('HEAD', get);
    const allow = [...methods.keys(), 'OPTIONS'].sort().join(', ');
    const cookies = [...methods.values()].some((target) => typeof target !== 'string' || usesCookies(target));
    tree.on('GET', path, () => undefined, { methods, allow, cookies } satisfies Route);
  }
  return tree;
}

function usesCookies(id: OperationId): boolean {
  return (operations[id] as OperationInfo).cookies;
}

/** What a path that leads nowhere may be meant for: all operations under their first names, then the pages. */
function knownPaths(pages: readonly Page[]): KnownPath[] {
  const known = Object.values(operations).map(({ path, method }) => ({ path, methods: [method] }));
  const opened = pages.filter(({ file }) => !file);
  return [
    ...known,
    ...opened.map(({ path, methods = ['GET'] }) => ({ path: path.replaceAll(/:(\w+)/g, '{$1}'), methods })),
  ];
}

function lookUp(
  table: ReturnType<typeof buildTable>,
  method: string,
  path: string,
  nearestPath: ReturnType<typeof nearestPathAmong>,
): Match {
  if (path === '*') return { target: null, path: {}, allow: everyMethod, cookies: false };
  if (path.includes('%')) requireDecodable(path);
  const found = table.find('GET', path);
  if (!found) {
    const meant = nearestPath(method, path);
    const question = meant === null ? '' : ` Did you mean ${meant}?`;
    throw new ServiceError('not_found', `There is nothing at ${path.slice(0, 200)}.${question}`);
  }
  const { methods, allow, cookies } = found.store as Route;
  if (method === 'OPTIONS') return { target: null, path: found.params, allow, cookies };
  const target = methods.get(method);
  if (target !== undefined) return { target, path: found.params, allow, cookies };
  const message = `This path takes ${allow}, not ${method}.`;
  throw new ServiceError('method_not_allowed', message, { headers: { allow } });
}

/** What OPTIONS tells of the server as a whole. */
const everyMethod = [...new Set(Object.values(operations).map(({ method }) => method)), 'HEAD', 'OPTIONS']
  .sort()
  .join(', ');

function requireDecodable(path: string): void {
  try {
    decodeURIComponent(path);
  } catch {
    throw new ServiceError('malformed_request', 'The path holds a broken percent escape.');
  }
}

/** A request whose operation is known already. */
interface MatchedRequest {
  readonly method: string;
  readonly client: string;
  readonly remoteAddress: string | undefined;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly id: OperationId;
  readonly match: Match;
}

/**
 * openapi-backend runs the security handlers and combines their results as the contract's alternatives demand. Its own
 * search for the operation grows with their number and its own parsing copies the request several times, so both are
 * replaced by what the table has found. Quick mode: its document check knows only OpenAPI 3.0, ours is linted before.
 */
async function createBackend(authenticate: RouterParts['authenticate']): Promise<OpenAPIBackend> {
  const backend = new OpenAPIBackend({
    definition: securityDefinition(),
    quick: true,
    strict: true,
    validate: false,
  });
  await backend.init();
  backend.router = new MatchedRouter({ definition: backend.definition, apiRoot: '/' }) as never;
  for (const [scheme, run] of Object.entries(authenticate)) {
    backend.registerSecurityHandler(scheme, (context) =>
      run(context.request.headers as RequestHeaders, context.request as unknown as Call).then(
        (principal) => ({ principal }),
        (error: unknown) => ({ error: toServiceError(error) }),
      ),
    );
  }
  backend.register('unauthorizedHandler', (context) => {
    throw refusal(Object.values(context.security ?? {}));
  });
  for (const id of Object.keys(operations)) {
    backend.register(id, (context) => accepted(Object.values(context.security ?? {})));
  }
  return backend;
}

/** The part of the contract that openapi-backend works with: its operations and how they are secured. */
function securityDefinition(): Document {
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

class MatchedRouter extends OpenAPIRouter {
  readonly #operations = new Map(this.getOperations().map((operation) => [operation.operationId, operation]));

  override getOperation(id: string): ReturnType<OpenAPIRouter['getOperation']> {
    return this.#operations.get(id);
  }

  override matchOperation(request: unknown): never {
    return this.getOperation((request as MatchedRequest).id) as never;
  }

  override parseRequest(request: unknown): ParsedRequest {
    return request as ParsedRequest;
  }
}

type SecurityResult = { principal?: Principal; error?: ServiceError } | boolean | undefined;

function accepted(results: SecurityResult[]): Principal | undefined {
  return results.map((result) => (typeof result === 'object' ? result.principal : undefined)).find(Boolean);
}

/** Of several failed schemes, the one worth telling: our own failure first, then a wrong key, then a missing one. */
function refusal(results: SecurityResult[]): ServiceError {
  const errors = results.flatMap((result) =>
    typeof result === 'object' && result.error ? [result.error] : [],
  );
  const failure = errors.find((error) => error.info.status !== 401);
  const wrong = errors.find(({ code }) => code !== 'missing_api_key' && code !== 'missing_credentials');
  const found = failure ?? wrong ?? errors[0];
  return found ?? new ServiceError('internal_error', 'The server failed to authenticate the request.');
}

function requireScopes(security: OperationInfo['security'], principal: Principal): void {
  const alternatives = security.map((requirement) => Object.values(requirement).flat());
  if (alternatives.some((scopes) => scopes.every((scope) => principal.scopes.has(scope)))) return;
  const missing = alternatives[0]?.find((scope) => !principal.scopes.has(scope));
  const message = `This operation needs the scope "${missing}", which the API key does not hold.`;
  throw new ServiceError('insufficient_scope', message);
}
