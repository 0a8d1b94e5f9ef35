import { randomUUID } from 'node:crypto';
import { link, mkdir, open, stat, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Creates a file that only its owner can read (mode 0600), whole and on disk, or not at all. Returns false when there
 * is one already: of several processes exactly one gets true.
 *
 * The file is written under a temporary name and then linked to its own. A rename would be as atomic, but would
 * silently replace what another process has just put there.
 */
export async function createFile(path: string, text: string): Promise<boolean> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    await writeDurably(temporary, text);
    await link(temporary, path);
  } catch (error) {
    if (isFileError(error, 'EEXIST')) return false;
    throw error;
  } finally {
    await unlink(temporary).catch(() => undefined);
  }
  await syncDirectory(dirname(path));
  return true;
}

/** Whether it is a failure of the file system, with this code if one is given. */
export function isFileError(error: unknown, code?: string): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && (code === undefined || error.code === code);
}

async function writeDurably(path: string, text: string): Promise<void> {
  await using file = await open(path, 'wx', 0o600);
  await file.writeFile(text);
  await file.sync();
}

/** Makes what entries a directory has survive a power cut. Windows has no such call and needs none. */
export async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  await using directory = await open(path, 'r');
  await directory.sync();
}

/**
 * Makes a directory that only its owner can enter, with those above it, where there is none. Rejects with the error of
 * the file system; with `EEXIST` or `ENOTDIR` where something else has its name.
 *
 * Node's own `recursive` does the same, but tries without end where the parent exists and still nothing can be made in
 * it, as below `/proc`.
 */
export async function ensureDirectory(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (isFileError(error, 'EEXIST') && (await stat(path)).isDirectory()) return;
    const parent = dirname(path);
    if (!isFileError(error, 'ENOENT') || parent === path || (await exists(parent))) throw error;
    await ensureDirectory(parent);
    await mkdir(path, { mode: 0o700 }).catch(async (again: unknown) => {
      // Another process has made it in between.
      if (!isFileError(again, 'EEXIST') || !(await stat(path)).isDirectory()) throw again;
    });
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error: unknown) => !isFileError(error, 'ENOENT'),
  );
}
