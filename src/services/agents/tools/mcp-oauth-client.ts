import { timingSafeEqual } from 'node:crypto';
import type {
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import type { Agent } from 'undici';
import { isIn, isPublic, networks } from '../../../lib/address.ts';
import { guardedConnect } from '../../../lib/outgoing.ts';
import { undici } from '../../../lib/undici.ts';
import { type McpOAuthSettings, type McpServerSettings, readClientKey } from '../settings.ts';
import { bounded } from './mcp-http.ts';
import { ToolError } from './tool.ts';

/** Of one request to an authorization server, to its last byte, in milliseconds. */
const timeoutMs = 10_000;

/** How long an authorization server may take what a client has signed, in seconds. */
const assertionS = 300;

/** The stored authorization for a server, for all processes. */
export interface KeptAuthorization {
  readonly tokens?: StoredOAuthTokens | undefined;
  /** As this server has registered itself. */
  readonly client?: StoredOAuthClientInformation | undefined;
  readonly discovery?: OAuthDiscoveryState | undefined;
  /** The scope that was asked for when the access was granted. */
  readonly scope?: string | undefined;
  /** The scope that the server wants beyond that. */
  readonly missing?: string | undefined;
  /** The authorization that was begun, and its session. */
  readonly begun?:
    | {
        readonly state: string;
        readonly verifier: string;
        readonly scope: string | undefined;
        readonly session: string;
        readonly until: number;
      }
    | undefined;
}

export interface KeptAuthorizations {
  read(server: Pick<McpServerSettings, 'id' | 'url'>): Promise<KeptAuthorization>;
  write(server: Pick<McpServerSettings, 'id' | 'url'>, kept: KeptAuthorization): Promise<void>;
  /** Claims the renewal of a server's tokens until it is released, or the time is over; false: another process has it. */
  claim(server: Pick<McpServerSettings, 'id'>): Promise<boolean>;
  release(server: Pick<McpServerSettings, 'id'>): Promise<void>;
}

/**
 * `fetch` for what a server names as the way to a token, which may be any address: only hosts that are public or permitted are
 * reached, over HTTPS, and no redirect is followed. Addresses that the operator has written are reached as they are.
 */
export function oauthFetch({ url, oauth }: Pick<McpServerSettings, 'url' | 'oauth'>) {
  const own = new Set([url, oauth?.issuer ?? url].map((one) => new URL(one).origin));
  const permitted = networks(oauth?.privateNetworks ?? []);
  const connect = guardedConnect({
    allowed: (address) => isPublic(address) || isIn(permitted, address),
    refused: (host) => new Error(`The host ${JSON.stringify(host)} has an address that is not public.`),
  });
  let guarded: Agent | null = null;
  return async (input: string | URL, init: RequestInit = {}): Promise<Response> => {
    const to = new URL(input);
    const trusted = own.has(to.origin);
    if (!trusted && to.protocol !== 'https:' && !isPermittedHost(to, permitted))
      throw new Error(`The server names ${to.origin}, which is not reached over HTTPS.`);
    guarded ??= new (undici().Agent)({ connect, pipelining: 0, keepAliveTimeout: 1 });
    const signal = AbortSignal.timeout(timeoutMs);
    const given = { ...init, signal, redirect: 'manual', ...(trusted ? {} : { dispatcher: guarded }) };
    const reply = await undici().fetch(to, given as Parameters<ReturnType<typeof undici>['fetch']>[1]);
    return bounded(reply as unknown as Response);
  };
}

/** Whether it is an address that the operator permits, or the one name that stands for an address everywhere (RFC 6761). */
function isPermittedHost({ hostname }: URL, permitted: ReturnType<typeof networks>): boolean {
  return isIn(permitted, hostname === 'localhost' ? '127.0.0.1' : hostname.replace(/^\[|\]$/g, ''));
}

/**
 * A server took no token (401), there is none, or its scope is too narrow (403): `message` says so to model and operator, as the end
 * of a sentence about the server.
 */
export class McpUnauthorized extends ToolError {
  readonly data: { readonly status: number };

  constructor(
    message: string,
    { status = 401, ...options }: ErrorOptions & { readonly status?: number } = {},
  ) {
    super(message, options);
    this.data = { status };
  }
}

export const mustBeConnected = () =>
  new McpUnauthorized('has to be connected in the admin area (HTTP status 401)');

/** The server's answer to a client without a token. */
export async function refusalOf(
  { url, headers }: McpServerSettings,
  fetchIt: ReturnType<typeof oauthFetch>,
): Promise<Response> {
  const reply = await fetchIt(url, {
    method: 'POST',
    headers: {
      ...headers,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: '{"jsonrpc":"2.0","id":0,"method":"ping"}',
  });
  // A connection whose answer is not read is closed, under what goes over it next.
  await reply.text();
  return reply;
}

/** Maximum length of a scope that a server asks for, in characters. */
const maxScope = 1000;

/** All that the scopes name, each once; undefined: nothing. Invalid scopes (RFC 6749, section 3.3) are left out. */
export function scopeOf(...scopes: readonly (string | null | undefined)[]): string | undefined {
  const all = new Set<string>();
  for (const scope of scopes)
    for (const [token] of (scope && scope.length <= maxScope ? scope : '').matchAll(
      /[\x21\x23-\x5b\x5d-\x7e]+/g,
    ))
      all.add(token);
  const text = [...all].join(' ');
  return text === '' || text.length > maxScope ? undefined : text;
}

/** The part of one scope that another lacks; undefined: nothing. */
export function scopeBeyond(
  granted: string | null | undefined,
  wanted: string | undefined,
): string | undefined {
  const held = new Set(scopeOf(granted)?.split(' '));
  return scopeOf(
    ...(scopeOf(wanted)
      ?.split(' ')
      .filter((token) => !held.has(token)) ?? []),
  );
}

/** Takes as long wherever they differ. */
export function same(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Authorizations in memory, which end with the process. */
export function memoryOf(): KeptAuthorizations {
  let held: KeptAuthorization = {};
  return {
    read: async () => held,
    async write(_, kept) {
      held = kept;
    },
    claim: async () => true,
    release: async () => undefined,
  };
}

/** The client that the operator has named; null: it registers itself. */
export function namedClient(oauth: McpOAuthSettings): StoredOAuthClientInformation | null {
  const { clientId, clientSecret, issuer } = oauth;
  if (clientId === null) return null;
  return {
    client_id: clientId,
    ...(clientSecret !== null && { client_secret: clientSecret }),
    ...(issuer !== null && { issuer }),
  };
}

/**
 * Says who the client is by what its key signs, for the authorization server alone.
 * RFC 7523, section 2.2; https://modelcontextprotocol.io/extensions/auth/oauth-client-credentials
 */
export function signing({
  clientId,
  clientKey,
  issuer,
}: McpOAuthSettings): Pick<OAuthClientProvider, 'addClientAuthentication'> {
  if (!clientKey || clientId === null) return {};
  return {
    async addClientAuthentication(_headers, params, url, metadata) {
      const { SignJWT } = await import('jose');
      const { key, keyId: kid, algorithm: alg } = readClientKey(clientKey);
      const assertion = await new SignJWT()
        .setProtectedHeader({ alg, typ: 'JWT', ...(kid !== null && { kid }) })
        .setIssuer(clientId)
        .setSubject(clientId)
        .setAudience(metadata?.issuer ?? issuer ?? String(url))
        .setIssuedAt()
        .setExpirationTime(`${assertionS}s`)
        .setJti(crypto.randomUUID())
        .sign(key);
      params.set('client_id', clientId);
      params.set('client_assertion', assertion);
      params.set('client_assertion_type', 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer');
    },
  };
}
