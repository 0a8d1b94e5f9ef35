import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const lastActs: (() => void)[] = [];

// 'exit' is on every way out, also of process.exit() and of an uncaught error.
process.once('exit', () => {
  for (const act of lastActs.reverse()) act();
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130));

/** Runs it, whatever happens, before this process ends; the last first. It cannot wait for anything. */
export function atTheEnd(act: () => void): void {
  lastActs.push(act);
}

/** A folder of the run, removed at its end unless `keep` says to leave everything. */
export function runFolder(keep: boolean): string {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-chaos-'));
  // The database may run as another user, who has to get through to what is its own.
  chmodSync(folder, 0o711);
  if (!keep) atTheEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Whether this process may mount a file system of a size of its own, which is what a disk that gets full is made of. */
function canMount(): boolean {
  return process.platform === 'linux' && process.getuid?.() === 0;
}

/** Mounts a small file system in memory on a folder; false where that is not allowed. */
export function mountSmall(folder: string, megabytes: number): boolean {
  if (!canMount()) return false;
  const options = `size=${megabytes}m,mode=0777`;
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'chaos', folder]);
  if (status !== 0) return false;
  atTheEnd(() => unmount(folder));
  return true;
}

export function unmount(folder: string): void {
  spawnSync('umount', ['-l', folder], { stdio: 'ignore' });
}
