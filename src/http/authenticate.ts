import { createHash, timingSafeEqual } from 'node:crypto';
import { ServiceError } from '../contract/errors.ts';
import type { Principal } from '../contract/registry.ts';
import { isLoopback } from '../lib/address.ts';
import { cookieName, cookieOf } from '../lib/cookies.ts';
import type { Secret } from '../lib/redact.ts';
import type { Authenticate, Call, RequestHeaders } from './dispatcher.ts';
import { hostNameOf, isSameOrigin } from './own-hosts.ts';

const challenge = { 'www-authenticate': 'Bearer realm="switchyard"' };

/** Where keys come from, for a newcomer without a valid key. The same text for every key, whether it ever existed or not. */
const howToGetKey =
  'The operator of this server makes keys with "npm run switchyard -- keys create" or in the admin area; where sign-ups are ' +
  'open, ask for one at /factory/signup.';
const notValid = `The API key is not valid: it is not known, has expired or was revoked, or its tenant is suspended. ${howToGetKey}`;

/** Whether a header holds what may be a key. An operation that reads it has judged that key by then. */
const holdsKey = (header: unknown) => /^(?:Bearer +)?[\x21-\x7e]+ *$/i.test(String(header ?? ''));

/**
 * The scheme `bearerAuth`: `Authorization: Bearer <API_KEY>` (RFC 6750 section 2.1).
 * @param verify finds the key's principal, null for a key that is not valid
 */
export function bearerAuth(verify: (key: string) => Promise<Principal | null>): Authenticate {
  const missing = missingKey('send it as "Authorization: Bearer <API_KEY>"', challenge);
  const elsewhere = missingKey('send it as "Authorization: Bearer <API_KEY>", not as "X-API-Key"', challenge);
  return async ({ authorization, 'x-api-key': other }) => {
    if (authorization === undefined || authorization === '') return holdsKey(other) ? elsewhere : missing;
    const key = /^Bearer +([\x21-\x7e]+) *$/i.exec(String(authorization))?.[1];
    if (key === undefined) {
      const message = 'The Authorization header must have the form "Bearer <API_KEY>".';
      throw new ServiceError('missing_api_key', message, { headers: challenge });
    }
    const principal = await verify(key);
    if (principal) return principal;
    const headers = { 'www-authenticate': `${challenge['www-authenticate']}, error="invalid_token"` };
    throw new ServiceError('invalid_api_key', notValid, { headers });
  };
}

/** There is no registered scheme for it; the name is the one in common use. */
const headerChallenge = { 'www-authenticate': 'ApiKey realm="switchyard"' };

/**
 * A scheme by which the same keys come in a header of their own: `X-API-Key`, Azure's `api-key`, Google's `x-goog-api-key`.
 * @param header as the contract writes it
 */
export function apiKeyAuth(
  verify: (key: string) => Promise<Principal | null>,
  header = 'X-API-Key',
): Authenticate {
  const name = header.toLowerCase();
  const missing = missingKey(`send it as "${header}: <API_KEY>"`);
  const elsewhere = missingKey(`send it as "${header}: <API_KEY>", not as "Authorization"`);
  return (headers) => {
    const given = String(headers[name] ?? '');
    return verified(verify, given, given === '' && holdsKey(headers['authorization']) ? elsewhere : missing);
  };
}

/** The scheme `keyInQuery`: the same keys as `?key=<API_KEY>`, for clients that know no other way. */
export function queryAuth(verify: (key: string) => Promise<Principal | null>): Authenticate {
  const missing = missingKey('send it as "Authorization: Bearer <API_KEY>"');
  return (_, { query }) => {
    const given = query.includes('key=') ? new URLSearchParams(query).get('key') : null;
    return verified(verify, given ?? '', missing);
  };
}

/** Made once: where one of several ways will do, the others fail at each request. */
function missingKey(
  how: string,
  headers: Readonly<Record<string, string>> = headerChallenge,
): Promise<never> {
  const message = `This operation needs an API key: ${how}. ${howToGetKey}`;
  const rejected = Promise.reject(new ServiceError('missing_api_key', message, { headers }));
  rejected.catch(() => undefined);
  return rejected;
}

async function verified(
  verify: (key: string) => Promise<Principal | null>,
  given: string,
  missing: Promise<never>,
): Promise<Principal> {
  const key = /^[\x21-\x7e]+$/.exec(given.trim())?.[0];
  if (key === undefined) return missing;
  const principal = await verify(key);
  if (principal) return principal;
  throw new ServiceError('invalid_api_key', notValid, { headers: headerChallenge });
}

const adminChallenge = { 'www-authenticate': 'Bearer realm="switchyard admin"' };
/** A caller with the password may do everything. */
const admin = principalOf({ rights: new Set(['view', 'operate', 'own']), actor: 'admin' });

/**
 * The scheme `adminBearer`: the administrator's password as `Authorization: Bearer`.
 * @param check throws `ServiceError` for a password that is not right
 */
export function adminBearer(check: (password: string, client: string) => Promise<void>): Authenticate {
  return async ({ authorization }, { client }) => {
    // Node gives each byte of a header as a character; clients send a password in UTF-8.
    const sent = Buffer.from(String(authorization ?? ''), 'latin1').toString('utf8');
    const password = /^Bearer +(.+)$/i.exec(sent)?.[1]?.trim();
    if (password === undefined || password === '') throw noPassword();
    await check(password, client);
    return admin;
  };
}

/** A session as its scheme sees it. */
export interface CookieSession {
  /** Its rights, in the words of the contract's security. */
  readonly rights: ReadonlySet<string>;
  /** Who the audit log names. */
  readonly actor: string;
  isCsrfToken(given: string): boolean;
}

/**
 * The scheme `adminSession`: the cookie of a session and, for every request that may change something, its token in
 * `x-csrf-token` and a browser's word that a page of this server sent it. A cookie alone would let pages of others act.
 * @param find the session of a cookie's value; null when it is none
 */
export function adminSession(
  cookie: string,
  publicUrl: string,
  find: (token: string) => Promise<CookieSession | null>,
): Authenticate {
  const name = cookieName(cookie, publicUrl.startsWith('https:'));
  return async (headers, { method }) => {
    const token = cookieOf(String(headers['cookie'] ?? ''), name);
    if (token === null) throw noPassword();
    const session = await find(token);
    if (!session) {
      throw new ServiceError('invalid_credentials', 'The session has ended. Sign in again.', {
        headers: adminChallenge,
      });
    }
    if (method !== 'GET' && method !== 'HEAD') requireIntent(session, headers, publicUrl);
    return principalOf(session);
  };
}

function principalOf({ rights, actor }: Pick<CookieSession, 'rights' | 'actor'>): Principal & {
  readonly actor: string;
} {
  return { keyId: 'admin', scopes: rights, actor };
}

function requireIntent(session: CookieSession, headers: RequestHeaders, publicUrl: string): void {
  if (!isSameOrigin(headers, publicUrl)) {
    throw new ServiceError('csrf_refused', 'A session can change something from pages of this server only.');
  }
  if (session.isCsrfToken(String(headers['x-csrf-token'] ?? ''))) return;
  const message = 'A session needs its token in the x-csrf-token header to change anything.';
  throw new ServiceError('csrf_refused', message);
}

function noPassword(): ServiceError {
  const message =
    'This operation needs the password of the administrator: send it as "Authorization: Bearer <ADMIN_PASSWORD>".';
  return new ServiceError('missing_credentials', message, { headers: adminChallenge });
}

const reader: Principal = { keyId: 'metrics', scopes: new Set() };

/**
 * The scheme `metricsAccess`: whoever sends the token; without one programs of this machine.
 *
 * What a proxy beside the server passes on comes from this machine too, and no proxy has to say that it is one. So a token
 * that is set is needed always, and where none is the headers can only take the privilege of this machine away.
 * @param token null: only programs of this machine
 */
export function metricsAccess(token: Secret | null): Authenticate {
  const expected = token && digest(token.reveal());
  return async (headers, call) => {
    if (expected ? sends(headers, expected) : isOfThisMachine(headers, call)) return reader;
    const message = expected
      ? 'The metrics need "Authorization: Bearer <METRICS_TOKEN>".'
      : "The metrics are for programs of the server's own machine, as no METRICS_TOKEN is set.";
    throw new ServiceError('access_denied', message);
  };
}

function sends({ authorization }: RequestHeaders, expected: Buffer): boolean {
  const given = /^Bearer +([\x21-\x7e]+) *$/i.exec(String(authorization))?.[1];
  return given !== undefined && timingSafeEqual(digest(given), expected);
}

/**
 * Whether a program of this machine sends its own request: neither as a visible proxy for others, nor as a browser for a
 * foreign page, which could read the answer, as operations allow every origin. A page whose own name was made to lead to
 * this machine sends that name as the host.
 */
function isOfThisMachine(headers: RequestHeaders, { remoteAddress }: Call): boolean {
  const { host, 'sec-fetch-site': site = 'none' } = headers;
  if (!isLoopback(remoteAddress ?? '') || typeof host !== 'string' || !isLoopback(hostNameOf(host)))
    return false;
  return (site === 'none' || site === 'same-origin') && !Object.keys(headers).some(isTrace);
}

/** Headers that a proxy adds, and one of browsers. */
function isTrace(name: string): boolean {
  return name.startsWith('x-forwarded') || traces.includes(name);
}

const traces = ['forwarded', 'x-real-ip', 'via', 'origin'];

/** Of one length whatever the text, as comparing in constant time needs. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
