import { createSecretKey, randomBytes, timingSafeEqual } from 'node:crypto';
import { randomBase62 } from '../lib/base62.ts';
import type { Clock } from '../lib/clock.ts';
import type { Secret } from '../lib/secret.ts';
import type { Store } from '../store/store.ts';
import { AttemptLimiter } from './attempt-limiter.ts';
import { hashPassword, isPassword } from './password.ts';
import { digestOfToken } from './tokens.ts';

const setting = 'admin_password';

export type SignIn = { readonly ok: true } | { readonly ok: false; readonly retryAfterMs: number };

/** The password of the admin area. Kept as a scrypt hash. */
export class AdminAccess {
  readonly #store: Store;
  readonly #attempts: AttemptLimiter;
  /** Keys the digest below; dies with the process. */
  readonly #secret = createSecretKey(randomBytes(32));
  /** The hash that a password was last found right for, with that password's digest: scripts send it with every call. */
  #known: { readonly hash: string; readonly digest: Buffer } | null = null;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(store: Store, clock: Clock) {
    this.#store = store;
    // 10 wrong passwords in 15 minutes from one address.
    this.#attempts = new AttemptLimiter(clock, 10, 15 * 60_000);
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
      const value = await hashPassword(password);
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
    const value = await hashPassword(password);
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('settings')
      .values({ name: setting, value })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    // Another process may have been quicker: its password holds.
    return numInsertedOrUpdatedRows === 0n ? null : password;
  }

  /**
   * Checks a password. After 10 wrong ones within 15 minutes a client has to wait, right or not.
   * @param client whoever tries, for example its address.
   */
  async check(password: string, client: string): Promise<SignIn> {
    const stored = await this.#hash();
    const digest = Buffer.from(digestOfToken(password, 'password', this.#secret));
    if (stored !== null && this.#known?.hash === stored && timingSafeEqual(this.#known.digest, digest)) {
      return { ok: true };
    }
    // One after the other: a hash takes 32 MiB and 0.2 s, which strangers must not multiply; and each sees the
    // failures of those before it.
    const checked = this.#queue.then(() => this.#check(password, client, stored, digest));
    this.#queue = checked.catch(() => undefined);
    return checked;
  }

  async #check(password: string, client: string, stored: string | null, digest: Buffer): Promise<SignIn> {
    const wait = this.#attempts.waitMs(client);
    if (wait > 0) return { ok: false, retryAfterMs: wait };
    if (stored !== null && (await isPassword(password, stored))) {
      this.#attempts.succeeded(client);
      this.#known = { hash: stored, digest };
      return { ok: true };
    }
    this.#attempts.failed(client);
    return { ok: false, retryAfterMs: this.#attempts.waitMs(client) };
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
