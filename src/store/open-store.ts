import { type Clock, systemClock } from '../lib/clock.ts';
import type { Secret } from '../lib/redact.ts';
import type { Synchronous } from './sqlite/open.ts';
import type { Store } from './store.ts';

interface StoreSettings {
  /** Directory of the SQLite database. */
  readonly dataDir: string;
  /** Address of a PostgreSQL database, with user and password; null for SQLite. */
  readonly databaseUrl: Secret | null;
  readonly clock?: Clock;
  /** `SQLITE_SYNCHRONOUS`. */
  readonly sqliteSynchronous?: Synchronous;
  /** Refuses to make a SQLite database where there is none. */
  readonly mustExist?: boolean;
  /**
   * Makes opening wait, for good, for a PostgreSQL server that is unreachable or read-only. Called with the reason: at
   * first, and when it changes. Left out: such a server is an error.
   */
  readonly onWait?: ((problem: string) => void) | undefined;
  /** Called with a sentence about what takes long at the opening, or was lost. */
  readonly tell?: (line: string) => void;
}

/** Opens the database and brings its schema up to date. Throws a `ConfigError` when it cannot be used. */
export async function openStore({
  dataDir,
  databaseUrl,
  clock = systemClock,
  onWait,
  ...sqlite
}: StoreSettings): Promise<Store> {
  if (databaseUrl === null) {
    const { sqliteSynchronous: synchronous, mustExist, tell } = sqlite;
    return (await import('./sqlite/open.ts')).openSqlite({ dataDir, clock, mustExist, synchronous, tell });
  }
  return (await import('./postgres/open.ts')).openPostgres(databaseUrl.reveal(), clock, onWait);
}
