import { randomUUID } from 'node:crypto';
import { link, open, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { type Clock, steady, systemClock } from '../../lib/clock.ts';
import { ConfigError } from '../../lib/config-error.ts';
import { isFileError } from '../../lib/create-file.ts';
import { explain, hasMetDamage, StoreError, toStoreError } from '../errors.ts';
import { isUpToDate, steps } from '../migrate.ts';
import type { Tables } from '../schema.ts';
import type { Store } from '../store.ts';
import { TimeLine } from '../time-line.ts';
import { machineTime } from '../time-pieces.ts';
import { timeRecords } from '../time-records.ts';
import { views } from '../views.ts';
import { SqliteAuthority } from './authority.ts';
import { NodeSqliteDialect, untilUnlocked } from './dialect.ts';
import { damage, type Entry, enter, pathOf } from './entry.ts';
import { SqliteLedger } from './ledger.ts';
import { foreignness } from './sound.ts';

/** How far a commit has got when it is over; see `connect`. */
export type Synchronous = 'normal' | 'full';

interface SqliteSettings {
  /** Directory of the database. */
  readonly dataDir: string;
  readonly clock?: Clock | undefined;
  /** Leaves everything as it is where there is no database, and throws. */
  readonly mustExist?: boolean | undefined;
  /** When a commit is on disk; see `connect`. */
  readonly synchronous?: Synchronous | undefined;
  /** Called with a sentence about what takes long or was lost. */
  readonly tell?: ((line: string) => void) | undefined;
}

/**
 * Opens the database of a data directory and brings it up to date; makes both if need be, readable by their owner
 * alone. One that was not closed is checked before. Throws a `ConfigError` when it cannot be used, and a `StoreError`
 * (`disk_full`) when there is no room for it.
 */
export async function openSqlite({
  dataDir,
  clock = systemClock,
  mustExist = false,
  synchronous = 'normal',
  tell = () => undefined,
}: SqliteSettings): Promise<Store> {
  const path = pathOf(dataDir);
  const connections: DatabaseSync[] = [];
  const disconnect = () => {
    for (const connection of connections) if (connection.isOpen) connection.close();
  };
  let entry: Entry | null = null;
  try {
    entry = await enter(path, mustExist, tell);
    await entry.inspect();
    const cold = connect(path, connections, synchronous);
    const db = new Kysely<Tables>({ dialect: new NodeSqliteDialect(cold) });
    if (!(await isUpToDate(db as Kysely<unknown>)))
      await (await import('../migrate.ts')).migrate(db as Kysely<unknown>, path);
    const hot = connect(path, connections, synchronous);
    for (const connection of [cold, hot]) addViews(connection);
    const counting = connect(path, connections, synchronous);
    const probe = connect(path, connections, synchronous);
    // Another clock than the system's is a test's.
    const line = clock === systemClock ? new TimeLine(timeRecords(db, 'sqlite'), machineTime) : null;
    await line?.synchronise();
    const { leave } = entry;
    const time = line ?? steady(clock);
    return {
      dialect: 'sqlite',
      db,
      quick: db,
      clock: time,
      ledger: new SqliteLedger(hot, db),
      authority: new SqliteAuthority(counting, time, async () => line?.synchronise()),
      synchroniseClock: async () => line?.synchronise(),
      ping: () => showWritable(probe),
      backup: (file) => copy(path, file),
      async close() {
        disconnect();
        await leave(!hasMetDamage());
      },
    };
  } catch (thrown) {
    disconnect();
    await entry?.leave(false);
    throw unusable(path, thrown, mustExist);
  }
}

/** Only for this connection: see `views`. */
function addViews(connection: DatabaseSync): void {
  for (const [name, select] of views) connection.exec(`create temp view ${name} as ${select}`);
}

/**
 * WAL: readers never wait for writers. Commits survive the end of the process, however sudden, in any case.
 * With `synchronous = normal` the last commits may be missing after a power cut or a crash of the system, but never one
 * without those before it; with `full` none is, as every commit waits for the disk
 * (https://sqlite.org/pragma.html#pragma_synchronous).
 */
function connect(path: string, connections: DatabaseSync[], synchronous: Synchronous): DatabaseSync {
  const database = new DatabaseSync(path, { enableForeignKeyConstraints: true, timeout: 5_000 });
  connections.push(database);
  // Before anything is written, as what is not ours stays as it is.
  const foreign = foreignness(database, steps);
  if (foreign !== null) throw new ConfigError([`${path} ${foreign} Nothing was changed.`]);
  const mode = database.prepare('pragma journal_mode = wal').get()?.['journal_mode'];
  if (mode !== 'wal') throw new StoreError('read_only', 'The database cannot be switched to WAL.');
  // From here on waiting for a lock does not block the event loop.
  database.exec(
    `pragma synchronous = ${synchronous}; pragma journal_size_limit = 67108864; pragma busy_timeout = 0`,
  );
  return database;
}

/** How long to try for a lock that another process holds before the database counts as unusable, in milliseconds. */
const pingMs = 1_500;

/**
 * Takes the lock that each write takes, changes the first page and takes it back: that finds a lock that is never released
 * and a file that became read-only or is damaged. Nothing reaches the disk, so whether it has room is another check's. On a
 * connection of its own, so that it never meets a transaction of ours, and in one go: nothing else waits for it.
 */
async function showWritable(probe: DatabaseSync): Promise<void> {
  const write = () => {
    probe.exec('begin immediate');
    try {
      probe.exec('pragma user_version = 1');
    } finally {
      if (probe.isTransaction) probe.exec('rollback');
    }
  };
  await untilUnlocked(write, pingMs);
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

function unusable(path: string, thrown: unknown, mustExist: boolean): Error {
  if (thrown instanceof ConfigError) return thrown;
  const elsewhere = 'set DATA_DIR to another directory';
  const because = (problem: string) => new ConfigError([problem], { cause: thrown });
  if (isFileError(thrown) && thrown.syscall) {
    const { code } = thrown;
    if (code === 'ENOENT' && mustExist)
      return because(`There is no database at ${path}; set DATA_DIR to the directory that has it.`);
    if (code === 'EEXIST' || code === 'ENOTDIR')
      return because(`${dirname(path)} is no directory; set DATA_DIR to one.`);
    if (code === 'ENOSPC' || code === 'EDQUOT') return noRoom(path, thrown);
    return because(`${path} cannot be opened (${code}); give the server the rights to it, or ${elsewhere}.`);
  }
  const { failure, cause } = toStoreError(thrown);
  if (failure === 'disk_full') return noRoom(path, thrown);
  if (failure === 'damaged') return because(damage(path, [reasonOf(cause)]));
  if (failure === 'unreachable')
    return because(`${path} cannot be opened; give the server the rights to it, or ${elsewhere}.`);
  if (failure === 'failed')
    return isSqliteError(cause) ? because(`${path} cannot be used (${reasonOf(cause)}).`) : (thrown as Error);
  return because(`${path} cannot be used: ${explain(failure)}.`);
}

/** Unlike what has to be set otherwise, this may pass while the server waits. */
function noRoom(path: string, cause: unknown): StoreError {
  return new StoreError('disk_full', `${path} cannot be used: ${explain('disk_full')}.`, { cause });
}

function isSqliteError(cause: unknown): boolean {
  return cause instanceof Error && 'errcode' in cause;
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : 'no reason given';
}
