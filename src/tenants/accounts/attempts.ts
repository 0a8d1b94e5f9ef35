import type { KeyObject } from 'node:crypto';
import { sql } from 'kysely';
import { networkOf } from '../../lib/address.ts';
import { addNewRow, changeRows, deleteRows, findRow, putRows } from '../../store/rows.ts';
import type { Store } from '../../store/store.ts';
import { digestOfToken } from './tokens.ts';

/** Under which their rows stand in the table of attempts. */
const knownClientSubject = 'password_known';

/** How long a client that gave the right password is no stranger, in milliseconds: 30 days. */
const memoryMs = 30 * 86_400_000;

/** Clients that gave the administrator's password. One row each, beside those of their attempts, without an address. */
export class KnownClients {
  readonly #store: Store;
  readonly #secret: KeyObject;

  constructor(store: Store, secret: KeyObject) {
    this.#store = store;
    this.#secret = secret;
  }

  async has(client: string): Promise<boolean> {
    const row = await findRow(this.#store.db, 'attempts', this.#keyOf(client));
    return row !== undefined && row.latest > this.#store.clock.now() - memoryMs;
  }

  async add(client: string): Promise<void> {
    const latest = this.#store.clock.now();
    const row = { ...this.#keyOf(client), times: '[]', latest };
    await putRows(this.#store.db, 'attempts', ['kind', 'client'], [row]);
  }

  #keyOf(client: string) {
    return { kind: knownClientSubject, client: nameOf(client, this.#secret) };
  }
}

/** What is limited, how often a client may do it, and in which time, in milliseconds. */
export interface AttemptLimit {
  readonly kind: 'password' | 'password_site' | 'password_all' | 'signup';
  readonly max: number;
  readonly windowMs: number;
}

/** No limit has a longer window than this, in milliseconds. */
const maxWindowMs = 3_600_000;

/**
 * Lets each client try something only so often in any time, in all processes together. One row a client, that holds no
 * address but its digest, and is written on condition that it still is what the decision rests on. A client that has no
 * attempt left writes nothing.
 */
export class Attempts {
  readonly #store: Store;
  readonly #secret: KeyObject;
  readonly #limit: AttemptLimit;

  constructor(store: Store, secret: KeyObject, limit: AttemptLimit) {
    this.#store = store;
    this.#secret = secret;
    this.#limit = limit;
  }

  /** Counts an attempt if the client has one left. Returns the milliseconds until it has one again; 0: it was counted. */
  async take(client: string): Promise<number> {
    for (;;) {
      const { held, recent, now, windowStart } = await this.#read(client);
      const wait = this.#wait(recent, windowStart);
      if (wait > 0) return wait;
      if (await this.#write(client, held, [...recent, now])) return 0;
    }
  }

  /** Milliseconds until the client has an attempt left; 0: it has one. */
  async waitMs(client: string): Promise<number> {
    const { recent, windowStart } = await this.#read(client);
    return this.#wait(recent, windowStart);
  }

  /** Gives the client all its attempts back. */
  async forget(client: string): Promise<void> {
    await deleteRows(this.#store.db, 'attempts', this.#keyOf(client));
  }

  #wait(recent: readonly number[], windowStart: number): number {
    const oldest = recent.at(-this.#limit.max);
    // Where the time has jumped ahead within the window, the times lie further apart than the attempts.
    return oldest === undefined ? 0 : Math.min(oldest - windowStart, this.#limit.windowMs);
  }

  async #read(client: string) {
    const { clock } = this.#store;
    if (clock.stale) await this.#store.synchroniseClock();
    const now = clock.now();
    const windowStart = clock.ago(this.#limit.windowMs);
    const row = await findRow(this.#store.db, 'attempts', this.#keyOf(client));
    const times = row ? (JSON.parse(row.times) as number[]) : [];
    // Times of the future are from before the time went back by far.
    const recent = times.filter((at) => at > windowStart && at <= now + this.#limit.windowMs);
    return { now, windowStart, held: row?.times ?? null, recent };
  }

  /** False when another attempt has come in between. */
  async #write(client: string, held: string | null, times: readonly number[]): Promise<boolean> {
    const { db } = this.#store;
    const values = { times: JSON.stringify(times), latest: times.at(-1) ?? 0 };
    const key = this.#keyOf(client);
    if (held === null) return addNewRow(db, 'attempts', { ...key, ...values });
    return (await changeRows(db, 'attempts', { ...key, times: held }, values)) === 1;
  }

  #keyOf(client: string) {
    return { kind: this.#limit.kind, client: nameOf(client, this.#secret) };
  }
}

function nameOf(client: string, secret: KeyObject): string {
  return digestOfToken(networkOf(client), 'client', secret);
}

/** Forgets attempts that no limit counts any more, and clients that count as strangers again. Call it every few minutes. */
export async function sweepAttempts({ db, clock }: Store): Promise<void> {
  const kind = knownClientSubject;
  await deleteRows(db, 'attempts', { kind }, sql`and latest <= ${clock.now() - memoryMs}`);
  await deleteRows(db, 'attempts', {}, sql`and kind <> ${kind} and latest <= ${clock.ago(maxWindowMs)}`);
}
