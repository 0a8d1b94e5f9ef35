import { createSecretKey, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';
import { randomBase62 } from '../lib/base62.ts';
import type { Secret } from '../lib/secret.ts';
import type { Store } from '../store/store.ts';
import { Attempts } from './attempts.ts';
import { hashPassword, isPassword } from './password.ts';
import { digestOfToken } from './tokens.ts';

const setting = 'admin_password';

/** How many wrong passwords one client may send. */
const attemptLimit = { kind: 'password', most: 10, windowMs: 15 * 60_000 } as const;

export type SignIn = { readonly ok: true } | { readonly ok: false; readonly retryAfterMs: number };

/** The password of the admin area. Kept as a scrypt hash. */
export class AdminAccess {
  readonly #store: Store;
  readonly #attempts: Attempts;
  /** Keys the digest below; dies with the process. */
  readonly #secret = createSecretKey(randomBytes(32));
  /** The hash that a password was last found right for, with that password's digest: scripts send it with every call. */
  #known: { readonly hash: string; readonly digest: Buffer } | null = null;
  #queue: Promise<unknown> = Promise.resolve();

  /** @param secret what the digests of clients are keyed with. */
  constructor(store: Store, secret: KeyObject) {
    this.#store = store;
    this.#attempts = new Attempts(store, secret, attemptLimit);
  }

  /**
   * Sees to it that there is a password: the configured one, or else the one that is there, or else a new one, which
   * is returned in clear this once. Another configured password ends all sessions of admins.
   */
  async ensure(configured: Secret | null): Promise<string | null> {
    const { db } = this.#store;
    const stored = await this.#hash();
    if (configured) {
      const password = configured.reveal();
      if (stored !== null && (await isPassword(password, stored))) return null;
      const value = await hashPassword(password, 'person');
      await db.transaction().execute(async (trx) => {
        await trx
          .insertInto('settings')
          .values({ name: setting, value })
          .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
          .execute();
        await trx.deleteFrom('sessions').where('tenant_id', 'is', null).execute();
      });
      return null;
    }
    if (stored !== null) return null;
    const password = randomBase62(24);
    const value = await hashPassword(password, 'generator');
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('settings')
      .values({ name: setting, value })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    // Another process may have been quicker: its password holds.
    return numInsertedOrUpdatedRows === 0n ? null : password;
  }

  /**
   * Checks a password. After 10 wrong ones within 15 minutes, in all processes together, a client has to wait.
   * @param client whoever tries, by its address.
   */
  async check(password: string, client: string): Promise<SignIn> {
    const stored = await this.#hash();
    const digest = Buffer.from(digestOfToken(password, 'password', this.#secret));
    if (await this.#mayPass(stored, digest, client)) return { ok: true };
    // One after the other: a hash takes 32 MiB and 0.2 s, which strangers must not multiply.
    const checked = this.#queue.then(() => this.#check(password, client, stored, digest));
    this.#queue = checked.catch(() => undefined);
    return checked;
  }

  /** Without another hash: the password that is known, from a client that has attempts left. */
  async #mayPass(stored: string | null, digest: Buffer, client: string): Promise<boolean> {
    return this.#isKnown(stored, digest) && (await this.#attempts.waitMs(client)) === 0;
  }

  /** Whether it is the password that was last found right for this hash. */
  #isKnown(stored: string | null, digest: Buffer): boolean {
    return stored !== null && this.#known?.hash === stored && timingSafeEqual(this.#known.digest, digest);
  }

  async #check(password: string, client: string, stored: string | null, digest: Buffer): Promise<SignIn> {
    // Of several that came at once with the right one, the first has found it right by now.
    if (await this.#mayPass(stored, digest, client)) return { ok: true };
    // Counted before it is looked at, so that many at once, in whatever processes, gain nothing.
    const wait = await this.#attempts.take(client);
    if (wait > 0) return { ok: false, retryAfterMs: wait };
    if (stored === null || !(await isPassword(password, stored))) {
      return { ok: false, retryAfterMs: await this.#attempts.waitMs(client) };
    }
    await this.#attempts.forget(client);
    this.#known = { hash: stored, digest };
    return { ok: true };
  }

  async #hash(): Promise<string | null> {
    const row = await this.#store.db
      .selectFrom('settings')
      .select('value')
      .where('name', '=', setting)
      .executeTakeFirst();
    return row?.value ?? null;
  }
}
