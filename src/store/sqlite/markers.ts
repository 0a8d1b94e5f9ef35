/**
 * How a database was left: each process that opens it puts a marker beside it and takes it away when it closes. A
 * marker is an empty file with a lock of SQLite on it, which the kernel gives up with the process however it ends: so
 * one without a lock is of a process that did not close the database. Who closes it last leaves a note of the file's
 * size and time beside it; a file that is not as the note says was written by something else, or the power failed.
 */
import { randomUUID } from 'node:crypto';
import { open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isFileError, syncDirectory } from '../../lib/create-file.ts';

interface Others {
  /** Processes that have the database open. */
  readonly living: number;
  /** Markers of those that had, and did not close it. */
  readonly dead: readonly string[];
}

/** Marks this process as one that has the database open. Call the function that comes back once it no longer has. */
export async function mark(path: string): Promise<{ readonly marker: string; unmark(): Promise<void> }> {
  const marker = `${path}-open-${randomUUID()}`;
  // Under another name until it is locked: other processes must not take it for one of a dead process.
  await (await open(`${marker}.new`, 'wx', 0o600)).close();
  const lock = lockFile(`${marker}.new`);
  if (lock === null) throw new Error('a new file is locked');
  try {
    await rename(`${marker}.new`, marker);
    await syncDirectory(dirname(path));
  } catch (error) {
    lock.close();
    throw error;
  }
  return {
    marker,
    async unmark() {
      await rm(marker, { force: true });
      if (lock.isOpen) lock.close();
    },
  };
}

/** @param own the marker of this opening */
export async function othersOf(path: string, own: string): Promise<Others> {
  const prefix = `${basename(path)}-open-`;
  const names = (await readdir(dirname(path))).filter((name) => name.startsWith(prefix));
  const markers = names.map((name) => join(dirname(path), name)).filter((marker) => marker !== own);
  const dead: string[] = [];
  let living = 0;
  for (const marker of markers) {
    // One that is only just being made is of a process that looks at ours in its turn.
    if (marker.endsWith('.new')) continue;
    const state = stateOf(marker);
    if (state === 'dead') dead.push(marker);
    if (state === 'living') living += 1;
  }
  return { living, dead };
}

/** Takes the lock that ends with this process; null when another has it. Makes the file if need be. */
export function lockFile(path: string): DatabaseSync | null {
  const lock = new DatabaseSync(path, { timeout: 0 });
  try {
    // The journal of what is never written must not lie beside it as a file.
    lock.exec('pragma journal_mode = memory; begin exclusive');
    return lock;
  } catch (error) {
    lock.close();
    if (isBusy(error)) return null;
    throw error;
  }
}

function stateOf(marker: string): 'living' | 'dead' | 'gone' {
  let reader: DatabaseSync | null = null;
  try {
    // Read-only, as otherwise one that goes away now would be made again.
    reader = new DatabaseSync(marker, { readOnly: true, timeout: 0 });
    reader.prepare('select count(*) from sqlite_schema').get();
    return 'dead';
  } catch (error) {
    return isBusy(error) ? 'living' : 'gone';
  } finally {
    reader?.close();
  }
}

/** Whether SQLite has found the lock of another connection. */
export function isBusy(error: unknown): boolean {
  return ((error as { errcode?: number }).errcode ?? 0) % 256 === 5;
}

/** Whether the file is as the process has left it that closed it last. */
export async function isAsLeft(path: string): Promise<boolean> {
  try {
    return (await readFile(noteOf(path), 'utf8')) === (await describe(path));
  } catch (error) {
    if (isFileError(error)) return false;
    throw error;
  }
}

/** Notes how the file is left. Does nothing while its log is there: then others have it open, or it is not whole without. */
export async function noteLeft(path: string): Promise<void> {
  const log = await stat(`${path}-wal`).catch(() => null);
  if (log === null) await writeFile(noteOf(path), await describe(path), { mode: 0o600 });
}

/** To be called before the file is written. */
export async function forgetNote(path: string): Promise<void> {
  await rm(noteOf(path), { force: true });
  await syncDirectory(dirname(path));
}

function noteOf(path: string): string {
  return `${path}-clean`;
}

async function describe(path: string): Promise<string> {
  const { size, mtimeNs } = await stat(path, { bigint: true });
  return `${size} bytes, written at ${mtimeNs}\n`;
}
