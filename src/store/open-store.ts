import { type Clock, systemClock } from '../lib/clock.ts';
import type { Secret } from '../lib/secret.ts';
import type { Store } from './store.ts';

export interface StoreSettings {
  /** Directory of the SQLite database. */
  readonly dataDir: string;
  /** Address of a PostgreSQL database, with user and password; null for SQLite. */
  readonly databaseUrl: Secret | null;
  readonly clock?: Clock;
  /** Refuses to make a SQLite database where there is none. */
  readonly mustExist?: boolean;
  /**
   * Waits for a PostgreSQL server that cannot be reached or only be read, for good, and is told why: at first, and when
   * the reason changes. Left out: such a server cannot be used.
   */
  readonly onWait?: ((problem: string) => void) | undefined;
}

/** Opens the database and brings its schema up to date. Throws a `ConfigError` when it cannot be used. */
export async function openStore({
  dataDir,
  databaseUrl,
  clock = systemClock,
  mustExist = false,
  onWait,
}: StoreSettings): Promise<Store> {
  if (databaseUrl === null) return (await import('./sqlite/open.ts')).openSqlite(dataDir, clock, mustExist);
  return (await import('./postgres/open.ts')).openPostgres(databaseUrl.reveal(), clock, onWait);
}
