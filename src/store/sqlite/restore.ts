import { constants } from 'node:fs';
import { copyFile, link, open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { ConfigError } from '../../lib/config-error.ts';
import { ensureDirectory, isFileError, syncDirectory } from '../../lib/create-file.ts';
import { steps } from '../migrate.ts';
import { pathOf } from './entry.ts';
import { isBusy, mark, othersOf } from './markers.ts';
import { lockRestores, putInPlace, restoredOf } from './pending-restore.ts';
import { foreignness, problemsOf } from './sound.ts';

interface Restored {
  readonly path: string;
  /** Where the database is kept that was there before; null: there was none. */
  readonly replaced: string | null;
  /** When the latest request of the backup was admitted, in milliseconds since the epoch; null: it has none. */
  readonly latestRequestAt: number | null;
}

/**
 * Puts a backup in the place of a data directory's database, which is kept beside it. Whenever this is cut off, either
 * the old or the restored database is there; done again, or by the next start, it is finished. Throws a `ConfigError`
 * for a backup that is damaged, not ours or of a newer version, and while anything has the database open.
 */
export async function restoreSqlite(file: string, dataDir: string, now = new Date()): Promise<Restored> {
  const path = pathOf(dataDir);
  const copy = `${path}-unchecked`;
  await requireFile(file);
  await ensureDirectory(dataDir);
  const lock = await lockRestores(path);
  try {
    const { marker, unmark } = await mark(path);
    try {
      if ((await othersOf(path, marker)).living > 0 || (await isOpen(path))) {
        throw new ConfigError([`${path} is in use; stop every server and command on it first.`]);
      }
      await putInPlace(path);
      // The copy is checked: the file put in place cannot be another one.
      await rm(copy, { force: true });
      await copyFile(file, copy, constants.COPYFILE_EXCL);
      const latestRequestAt = checkBackup(copy, file);
      await sync(copy);
      const replaced = await keep(path, now);
      await rename(copy, restoredOf(path));
      await putInPlace(path);
      await forgetMarkers(path, marker);
      return { path, replaced, latestRequestAt };
    } finally {
      await rm(copy, { force: true });
      await unmark();
    }
  } catch (error) {
    if (!isFileError(error) || !error.syscall) throw error;
    const problem = `The backup cannot be put in its place (${error.code}, ${error.path ?? path}).`;
    throw new ConfigError([problem], { cause: error });
  } finally {
    lock.close();
  }
}

async function requireFile(file: string): Promise<void> {
  const found = await stat(file).catch(() => null);
  if (found === null) throw new ConfigError([`There is no file ${file}.`]);
  if (!found.isFile()) throw new ConfigError([`${file} is no file.`]);
  const log = await stat(`${file}-wal`).catch(() => null);
  if (log === null || log.size === 0) return;
  const problem = `${file} has a log beside it (${basename(file)}-wal), so it is no finished backup`;
  throw new ConfigError([
    `${problem}; make one with \`switchyard backup\`, or restore one that was made so.`,
  ]);
}

/** Throws a `ConfigError` for a file that must not be put in place; gives the time of its latest request. */
function checkBackup(copy: string, file: string): number | null {
  // Immutable: reading it makes no files beside it.
  const address = pathToFileURL(copy);
  address.searchParams.set('immutable', '1');
  const database = new DatabaseSync(address, { readOnly: true });
  try {
    const foreign = foreignness(database, steps);
    if (foreign !== null) throw new ConfigError([`${file} ${foreign} Nothing was changed.`]);
    if (database.prepare('select name from sqlite_schema').get() === undefined)
      throw new ConfigError([`${file} is an empty database; nothing was changed.`]);
    const problems = problemsOf(database);
    if (problems.length > 0) throw damaged(file, problems.slice(0, 3).join('; '));
    const latest = database.prepare('select max(created_at) as at from ledger').get()?.['at'];
    return typeof latest === 'number' ? latest : null;
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw damaged(file, (error as Error).message);
  } finally {
    database.close();
  }
}

function damaged(file: string, what: string): ConfigError {
  return new ConfigError([`${file} is itself damaged (${what}); take another backup. Nothing was changed.`]);
}

/**
 * Whether a process has the database open that leaves no marker, as those of version 1.0 do: every connection in WAL mode
 * holds a lock on the file that excludes the exclusive one. Asked under a second name, where its log is not, so that
 * nothing of what is kept changes.
 */
async function isOpen(path: string): Promise<boolean> {
  const name = `${path}-probe`;
  const forget = async () => {
    for (const end of ['', '-wal', '-shm', '-journal']) await rm(`${name}${end}`, { force: true });
  };
  await forget();
  try {
    await link(path, name);
    const probe = new DatabaseSync(name, { timeout: 0 });
    try {
      probe.exec('pragma locking_mode = exclusive');
      probe.prepare('select count(*) from sqlite_schema').get();
    } finally {
      probe.close();
    }
    return false;
  } catch (error) {
    if (isFileError(error) && error.syscall && error.code !== 'ENOENT') throw error;
    return isBusy(error);
  } finally {
    await forget();
  }
}

/** Gives the database that is there, with its log, second names that SQLite can open it by. */
async function keep(path: string, now: Date): Promise<string | null> {
  const day = now.toISOString().replaceAll(/[:.]/g, '-');
  const name = join(dirname(path), `replaced-${day}.db`);
  let kept = false;
  for (const end of ['', '-wal']) {
    try {
      await link(`${path}${end}`, `${name}${end}`);
      kept = true;
    } catch (error) {
      if (!isFileError(error, 'ENOENT')) throw error;
    }
  }
  await syncDirectory(dirname(path));
  return kept ? name : null;
}

/** Markers of dead processes speak of the database that is replaced. */
async function forgetMarkers(path: string, own: string): Promise<void> {
  for (const dead of (await othersOf(path, own)).dead) await rm(dead, { force: true });
}

async function sync(file: string): Promise<void> {
  await using opened = await open(file, 'r+');
  await opened.sync();
}
