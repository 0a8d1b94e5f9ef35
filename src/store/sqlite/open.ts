import { randomUUID } from 'node:crypto';
import { link, mkdir, open, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { steady, systemClock } from '../../lib/clock.ts';
import { ConfigError } from '../../lib/config-error.ts';
import { isFileError } from '../../lib/create-file.ts';
import { explain, StoreError, toStoreError } from '../errors.ts';
import { migrate } from '../migrate.ts';
import type { Tables } from '../schema.ts';
import type { Store } from '../store.ts';
import { TimeLine } from '../time-line.ts';
import { timeRecords } from '../time-records.ts';
import { machineTime } from '../time-source.ts';
import { NodeSqliteDialect } from './dialect.ts';
import { SqliteLedger } from './ledger.ts';

const fileName = 'switchyard.db';

/**
 * Opens the database of a data directory and brings it up to date; makes both if need be, readable by their owner
 * alone. Throws a `ConfigError` when it cannot be used.
 * @param mustExist leaves everything as it is where there is no database, and throws.
 */
export async function openSqlite(dataDir: string, clock = systemClock, mustExist = false): Promise<Store> {
  const path = join(dataDir, fileName);
  const connections: DatabaseSync[] = [];
  try {
    if (!mustExist) await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await (await open(path, mustExist ? 'r+' : 'a', 0o600)).close();
    const cold = connect(path, connections);
    const db = new Kysely<Tables>({ dialect: new NodeSqliteDialect(cold) });
    await migrate(db as Kysely<unknown>, path);
    const hot = connect(path, connections);
    // Another clock than the system's is a test's.
    const line = clock === systemClock ? new TimeLine(timeRecords(db, 'sqlite'), machineTime) : null;
    await line?.synchronise();
    return {
      kind: 'sqlite',
      db,
      clock: line ?? steady(clock),
      ledger: new SqliteLedger(hot),
      synchroniseClock: async () => line?.synchronise(),
      async ping() {
        try {
          cold.exec('select 1');
        } catch (thrown) {
          throw toStoreError(thrown);
        }
      },
      backup: (file) => copy(path, file),
      async close() {
        for (const connection of connections) if (connection.isOpen) connection.close();
      },
    };
  } catch (thrown) {
    for (const connection of connections) if (connection.isOpen) connection.close();
    throw unusable(path, thrown);
  }
}

/**
 * WAL: readers never wait for writers. With `synchronous = normal` what is committed survives the end of the process,
 * however sudden; after a power cut the last commits may be missing, but never one without those before it
 * (https://sqlite.org/pragma.html#pragma_synchronous).
 */
function connect(path: string, connections: DatabaseSync[]): DatabaseSync {
  const database = new DatabaseSync(path, { enableForeignKeyConstraints: true, timeout: 5_000 });
  connections.push(database);
  const mode = database.prepare('pragma journal_mode = wal').get()?.['journal_mode'];
  if (mode !== 'wal') throw new StoreError('read_only', 'The database cannot be switched to WAL.');
  // From here on whoever meets a lock waits for it without blocking the event loop.
  database.exec('pragma synchronous = normal; pragma journal_size_limit = 67108864; pragma busy_timeout = 0');
  return database;
}

/**
 * Copies the database to a new file while it is written to. All pages are read in one step, under one snapshot, on
 * another thread: the copy is of one moment, and no stream of writes can delay it.
 */
async function copy(path: string, file: string): Promise<void> {
  const unfinished = `${file}.${randomUUID()}.tmp`;
  const exists = () => new ConfigError([`${file} exists already; name a file that does not.`]);
  try {
    await (await open(unfinished, 'wx', 0o600)).close();
    const source = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
    try {
      await backup(source, unfinished, { rate: 2 ** 31 - 1 });
    } finally {
      source.close();
    }
    await using written = await open(unfinished, 'r+');
    await written.sync();
    // Unlike a rename, a link never replaces a file.
    await link(unfinished, file);
  } catch (thrown) {
    if (isFileError(thrown, 'EEXIST')) throw exists();
    if (isFileError(thrown) && thrown.syscall) {
      throw new ConfigError([`${dirname(file)} cannot be written (${thrown.code}).`], { cause: thrown });
    }
    throw toStoreError(thrown);
  } finally {
    await unlink(unfinished).catch(() => undefined);
  }
}

function unusable(path: string, thrown: unknown): Error {
  if (thrown instanceof ConfigError) return thrown;
  if (isFileError(thrown) && thrown.syscall) {
    if (thrown.code === 'ENOENT') {
      const problem = `There is no database at ${path}; set DATA_DIR to the directory that has it.`;
      return new ConfigError([problem], { cause: thrown });
    }
    if (thrown.code === 'EEXIST' || thrown.code === 'ENOTDIR') {
      return new ConfigError([`${dirname(path)} is no directory; set DATA_DIR to one.`], { cause: thrown });
    }
    const remedy = 'give the server the rights to it, or set DATA_DIR to another directory';
    return new ConfigError([`${path} cannot be opened (${thrown.code}); ${remedy}.`], { cause: thrown });
  }
  const { failure, cause } = toStoreError(thrown);
  if (failure === 'failed') return thrown as Error;
  return new ConfigError([`${path} cannot be used: ${explain(failure)}.`], { cause });
}
