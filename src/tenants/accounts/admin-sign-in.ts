import { ServiceError } from '../../contract/errors.ts';
import { minutesInWords } from '../../lib/utc.ts';
import type { AdminAccess } from './admin-access.ts';
import type { Whose } from './password-limits.ts';
import { isCsrfToken, type Session, type Sessions } from './sessions.ts';

/** The cookies of the two kinds of sessions. */
export const adminCookie = 'switchyard_admin';
export const tenantCookie = 'switchyard_tenant';

const senders: Readonly<Record<Whose, string>> = {
  client: 'your address',
  site: 'your network',
  all: 'many addresses',
};

/**
 * Takes the administrator's password. Throws `ServiceError`: `invalid_credentials`, `too_many_attempts`.
 * @param client whoever tries, for example its address.
 */
export async function requirePassword(admin: AdminAccess, password: string, client: string): Promise<void> {
  const result = await admin.check(password, client);
  if (result.ok) return;
  if (result.retryAfterMs <= 0) {
    throw new ServiceError('invalid_credentials', 'The password is not right.');
  }
  const wait = minutesInWords(result.retryAfterMs);
  const message = `Too many wrong passwords came from ${senders[result.whose]}. Try again in ${wait}.`;
  throw new ServiceError('too_many_attempts', message, { retryAfter: Math.ceil(result.retryAfterMs / 1000) });
}

/** The administrator's session of a cookie; null when there is none. */
export async function findAdminSession(
  sessions: Sessions,
  token: string,
): Promise<(Session & { isCsrfToken(given: string): boolean }) | null> {
  const session = await sessions.find(token);
  if (session?.tenantId !== null) return null;
  return { ...session, isCsrfToken: (given) => isCsrfToken(session, given) };
}
