import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isFileError } from './create-file.ts';

/**
 * Makes a directory that only its owner can enter, with those above it, where there is none. Rejects with the error of
 * the file system; with `EEXIST` or `ENOTDIR` where something else stands in its place.
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
