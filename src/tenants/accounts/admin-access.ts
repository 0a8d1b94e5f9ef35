import { createSecretKey, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';
import { ServiceError } from '../../contract/errors.ts';
import type { Secret } from '../../lib/redact.ts';
import { minutesInWords } from '../../lib/utc.ts';
import { addNewRow, deleteRows, findRow, putRows } from '../../store/rows.ts';
import type { Store } from '../../store/store.ts';
import { hashPassword, isPassword, PasswordLimits, type Whose } from './password-limits.ts';
import { isCsrfToken, type Session, type Sessions } from './sessions.ts';
import { digestOfToken, randomBase62 } from './tokens.ts';

const setting = 'admin_password';

type SignIn =
  | { readonly ok: true }
  /** `retryAfterMs` 0: the password was looked at and is wrong; else whose limit is spent. */
  | { readonly ok: false; readonly retryAfterMs: number; readonly whose: Whose };

/** A password that was sent, and by whom. */
interface Attempt {
  readonly digest: Buffer;
  readonly client: string;
  /** Whether the client has given the right one before. */
  readonly known: boolean;
}

/** The password of the admin area. Kept as a scrypt hash. */
export class AdminAccess {
  readonly #store: Store;
  readonly #limits: PasswordLimits;
  /** Keys the digest below; dies with the process. */
  readonly #secret = createSecretKey(randomBytes(32));
  /** The hash that a password was last found right for, with that password's digest: scripts send it with every call. */
  #known: { readonly hash: string; readonly digest: Buffer } | null = null;
  /** The passwords under verification: one of a stranger, and one of an address that was right before. */
  readonly #queues: [Promise<unknown>, Promise<unknown>] = [Promise.resolve(), Promise.resolve()];
  #configured: Secret | null = null;
  /** That the configured password holds; null: not asked for yet, or it went wrong. */
  #holding: Promise<void> | null = null;

  /** @param secret what the digests of clients are keyed with. */
  constructor(store: Store, secret: KeyObject) {
    this.#store = store;
    this.#limits = new PasswordLimits(store, secret);
  }

  /**
   * Sees to it that there is a password: the configured one, or else the one that is there, or else a new one, which
   * is returned in clear this once. Another configured password ends all sessions of admins. That takes a hash of 0.2 s, for which
   * the start does not wait, but everybody who wants into the admin area does: `configuredHolds`.
   * @param onError called where that fails; the next sign-in tries again
   */
  async ensure(
    configured: Secret | null,
    onError: (error: unknown) => void = ignore,
  ): Promise<string | null> {
    if (configured) {
      this.#configured = configured;
      this.configuredHolds().catch(onError);
      return null;
    }
    if ((await this.#hash()) !== null) return null;
    const password = randomBase62(24);
    const value = await hashPassword(password, 'generator');
    // Another process may have been quicker: its password holds.
    return (await addNewRow(this.#store.db, 'settings', { name: setting, value })) ? password : null;
  }

  /** Resolves once the configured password holds and sessions of the one before are ended. Until then no one may sign in. */
  async configuredHolds(): Promise<void> {
    if (this.#configured === null) return;
    this.#holding ??= this.#configure(this.#configured.reveal());
    try {
      await this.#holding;
    } catch (error) {
      this.#holding = null;
      throw error;
    }
  }

  /** Resolves when nothing of it uses the store any more. */
  async close(): Promise<void> {
    await this.#holding?.catch(ignore);
  }

  async #configure(password: string): Promise<void> {
    const stored = await this.#hash();
    if (stored !== null && (await isPassword(password, stored))) return;
    const value = await hashPassword(password, 'person');
    await this.#store.db.transaction().execute(async (trx) => {
      await putRows(trx, 'settings', ['name'], [{ name: setting, value }]);
      await deleteRows(trx, 'sessions', { tenant_id: null });
    });
  }

  /**
   * Checks a password. After 10 wrong ones within 15 minutes, in all processes together, a client has to wait; a stranger
   * also after 30 of its IPv6 /48 network, or 100 of all strangers.
   * @param client the address of the one who tries.
   */
  async check(password: string, client: string): Promise<SignIn> {
    await this.configuredHolds();
    const stored = await this.#hash();
    const digest = Buffer.from(digestOfToken(password, 'password', this.#secret));
    const known = await this.#limits.isKnown(client);
    const attempt = { digest, client, known };
    const { ms, whose } = await this.#limits.wait(client, known);
    if (ms > 0) return { ok: false, retryAfterMs: ms, whose };
    if (await this.#mayPass(stored, attempt)) return { ok: true };
    // One after the other: a hash takes 32 MiB and 0.2 s, which strangers must not multiply, nor others wait for.
    const lane = known ? 1 : 0;
    const checked = this.#queues[lane].then(() => this.#check(password, stored, attempt));
    this.#queues[lane] = checked.catch(() => undefined);
    return checked;
  }

  /** Without another hash: the password that was last found right for this one. */
  async #mayPass(stored: string | null, { digest, client, known }: Attempt): Promise<boolean> {
    if (stored === null || this.#known?.hash !== stored || !timingSafeEqual(this.#known.digest, digest))
      return false;
    if (!known) await this.#limits.succeeded(client);
    return true;
  }

  async #check(password: string, stored: string | null, attempt: Attempt): Promise<SignIn> {
    const { digest, client, known } = attempt;
    const { ms, whose } = await this.#limits.wait(client, known);
    if (ms > 0) return { ok: false, retryAfterMs: ms, whose };
    // Of several that came at once with the right one, the first has found it right by now.
    if (await this.#mayPass(stored, attempt)) return { ok: true };
    // Counted before it is looked at, so that many at once, in whatever processes, gain nothing.
    const taken = await this.#limits.take(client, known);
    if (taken.ms > 0) return { ok: false, retryAfterMs: taken.ms, whose: taken.whose };
    if (stored === null || !(await isPassword(password, stored))) {
      const next = await this.#limits.wait(client, known);
      return { ok: false, retryAfterMs: next.ms, whose: next.whose };
    }
    await this.#limits.succeeded(client);
    this.#known = { hash: stored, digest };
    return { ok: true };
  }

  async #hash(): Promise<string | null> {
    return (await findRow(this.#store.db, 'settings', { name: setting }))?.value ?? null;
  }
}

const ignore = () => undefined;

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
 * @param client the one who tries, for example its address.
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
