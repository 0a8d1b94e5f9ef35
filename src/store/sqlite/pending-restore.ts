import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { ConfigError } from '../../lib/config-error.ts';
import { syncDirectory } from '../../lib/create-file.ts';
import { lockFile } from './markers.ts';

/** How long to wait for another process that finishes a restore, in milliseconds. */
const patienceMs = 5_000;

/**
 * The name of a restored database that is whole and only has to take its place. That it is there is the moment from which
 * the restored one counts: whoever comes across it goes on from there.
 */
export function restoredOf(path: string): string {
  return `${path}-restored`;
}

/** Takes the lock of restores; rejects with a `ConfigError` while another process keeps it. It ends with `close`. */
export async function lockRestores(path: string): Promise<DatabaseSync> {
  const started = performance.now();
  for (;;) {
    const lock = lockFile(`${path}-restore-lock`);
    if (lock !== null) return lock;
    if (performance.now() - started > patienceMs)
      throw new ConfigError([`${path} is being restored; wait until that has ended.`]);
    // SQLite's own waiting would block this process even while it holds the lock.
    await delay(20);
  }
}

/** Finishes a restore that was cut off after its decisive moment; waits for one that is under way. */
export async function finishRestore(path: string): Promise<void> {
  if (!existsSync(`${path}-restore-lock`)) return;
  const lock = await lockRestores(path);
  try {
    await putInPlace(path);
  } finally {
    lock.close();
  }
}

/** Puts the restored database in its place if there is one. The lock of restores must be held, and the database closed. */
export async function putInPlace(path: string): Promise<void> {
  if (!existsSync(restoredOf(path))) return;
  // First the log and its index: SQLite would take what they hold for changes of the restored database.
  for (const end of ['-wal', '-shm', '-journal', '-clean']) await rm(`${path}${end}`, { force: true });
  await syncDirectory(dirname(path));
  await rename(restoredOf(path), path);
  await syncDirectory(dirname(path));
}
