import type { Kysely } from 'kysely';
import type { StoreClock } from '../lib/clock.ts';
import type { Authority } from '../limits/authority.ts';
import type { Ledger } from './ledger.ts';
import type { Tables } from './schema.ts';

/** The open database. It rejects with `StoreError`s. */
export interface Store {
  readonly dialect: 'sqlite' | 'postgres';
  /** For everything but the hot path. */
  readonly db: Kysely<Tables>;
  /** The same for what every request waits for: small reads, given up after about two seconds. */
  readonly quick: Kysely<Tables>;
  readonly ledger: Ledger;
  /** Who knows how much of every limit is left. */
  readonly authority: Authority;
  /** The time that goes into the database: the same for all processes on it. */
  readonly clock: StoreClock;
  /** Brings `clock` up to date. Call it every few seconds, and when it is stale. Rejects with `StoreError`. */
  synchroniseClock(): Promise<void>;
  /** Shows that a row could be written now, without leaving one. Rejects with `StoreError`, within two seconds. */
  ping(): Promise<void>;
  /**
   * Writes a consistent copy to a file that must not exist, while everything runs. The file holds no key in clear,
   * and the secret of the keys is not in it. Throws `ConfigError`, `StoreError`.
   */
  backup(file: string): Promise<void>;
  close(): Promise<void>;
}

/** How long a process is believed to live without a sign of it, in milliseconds. */
export const aliveMs = 15_000;

/** The living processes, as a subquery. */
export function present({ db }: Pick<Store, 'db'>) {
  return db.selectFrom('instances').select('instances.id');
}
