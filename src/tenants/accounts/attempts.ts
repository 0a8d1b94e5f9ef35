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

export type KnownClients = ReturnType<typeof knownClients>;

/** Clients that gave the administrator's password. One row each, beside those of their attempts, without an address. */
export function knownClients(store: Store, secret: KeyObject) {
  async function has(client: string): Promise<boolean> {
    const row = await findRow(store.db, 'attempts', keyOf(client));
    return row !== undefined && row.latest > store.clock.now() - memoryMs;
  }

  async function add(client: string): Promise<void> {
    const latest = store.clock.now();
    const row = { ...keyOf(client), times: '[]', latest };
    await putRows(store.db, 'attempts', ['kind', 'client'], [row]);
  }

  function keyOf(client: string) {
    return { kind: knownClientSubject, client: nameOf(client, secret) };
  }

  return { has, add };
}

/** The limited action, how often a client may take it, and in which time, in milliseconds. */
export interface AttemptLimit {
  readonly kind: 'password' | 'password_site' | 'password_all' | 'signup';
  readonly max: number;
  readonly windowMs: number;
}

/** No limit has a longer window than this, in milliseconds. */
const maxWindowMs = 3_600_000;

export type Attempts = ReturnType<typeof attemptsOf>;

/**
 * Lets each client try something only so often in any time, in all processes together. One row a client, that holds no
 * address but its digest, and is written on condition that it still is what the decision rests on. A client that has no
 * attempt left writes nothing.
 */
export function attemptsOf(store: Store, secret: KeyObject, limit: AttemptLimit) {
  /** Counts an attempt if the client has one left. Returns the milliseconds until it has one again; 0: it was counted. */
  async function take(client: string): Promise<number> {
    for (;;) {
      const { held, recent, now, windowStart } = await read(client);
      const wait = waitOf(recent, windowStart);
      if (wait > 0) return wait;
      if (await write(client, held, [...recent, now])) return 0;
    }
  }

  /** Milliseconds until the client has an attempt left; 0: it has one. */
  async function waitMs(client: string): Promise<number> {
    const { recent, windowStart } = await read(client);
    return waitOf(recent, windowStart);
  }

  /** Gives the client all its attempts back. */
  async function forget(client: string): Promise<void> {
    await deleteRows(store.db, 'attempts', keyOf(client));
  }

  function waitOf(recent: readonly number[], windowStart: number): number {
    const oldest = recent.at(-limit.max);
    // Where the time has jumped ahead within the window, the times lie further apart than the attempts.
    return oldest === undefined ? 0 : Math.min(oldest - windowStart, limit.windowMs);
  }

  async function read(client: string) {
    const { clock } = store;
    if (clock.stale) await store.synchroniseClock();
    const now = clock.now();
    const windowStart = clock.ago(limit.windowMs);
    const row = await findRow(store.db, 'attempts', keyOf(client));
    const times = row ? (JSON.parse(row.times) as number[]) : [];
    // Times of the future are from before the time went back by far.
    const recent = times.filter((at) => at > windowStart && at <= now + limit.windowMs);
    return { now, windowStart, held: row?.times ?? null, recent };
  }

  /** False when another attempt has come in between. */
  async function write(client: string, held: string | null, times: readonly number[]): Promise<boolean> {
    const { db } = store;
    const values = { times: JSON.stringify(times), latest: times.at(-1) ?? 0 };
    const key = keyOf(client);
    if (held === null) return addNewRow(db, 'attempts', { ...key, ...values });
    return (await changeRows(db, 'attempts', { ...key, times: held }, values)) === 1;
  }

  function keyOf(client: string) {
    return { kind: limit.kind, client: nameOf(client, secret) };
  }

  return { take, waitMs, forget };
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
