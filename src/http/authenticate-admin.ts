import { ServiceError } from '../contract/errors.ts';
import type { Principal } from '../contract/registry.ts';
import { cookieName, cookieOf } from '../lib/cookies.ts';
import type { Authenticate, RequestHeaders } from './dispatcher.ts';
import { isSameOrigin } from './own-hosts.ts';

const challenge = { 'www-authenticate': 'Bearer realm="switchyard admin"' };
/** Whoever knows the password may do everything. */
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
    if (password === undefined || password === '') throw missing();
    await check(password, client);
    return admin;
  };
}

/** A session as its scheme sees it. */
export interface CookieSession {
  /** What it may do, in the words of the contract's security. */
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
    if (token === null) throw missing();
    const session = await find(token);
    if (!session) {
      throw new ServiceError('invalid_credentials', 'The session has ended. Sign in again.', {
        headers: challenge,
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

function missing(): ServiceError {
  const message =
    'This operation needs the password of the administrator: send it as "Authorization: Bearer <ADMIN_PASSWORD>".';
  return new ServiceError('missing_credentials', message, { headers: challenge });
}
