import { randomUUID } from 'node:crypto';
import { statfs, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Free room on a disk below which it counts as full, in bytes: the size that the log of SQLite may reach before it is cut. */
const minFree = 64 * 1024 * 1024;

const mebibytes = (bytes: number) => `${Math.floor(bytes / 1024 / 1024)} MiB`;

/**
 * Whether there is room in a directory, and whether something can be written there: a quota, a disk that the system has
 * made read-only, and missing rights do not show in the room that is free. Resolves with a sentence, rejects with
 * what is wrong.
 * @param min bytes that have to be free for the server's user
 */
export async function checkDisk(directory: string, min = minFree): Promise<string> {
  const { bavail, bsize } = await statfs(directory).catch((error: unknown) => {
    throw new Error(`The data directory cannot be looked at (${codeOf(error)}).`);
  });
  const free = bavail * bsize;
  if (free < min) throw new Error(`${mebibytes(free)} are free, ${mebibytes(min)} are needed.`);
  // Of a name that no other server on this directory takes.
  const probe = path.join(directory, `.probe-${randomUUID()}`);
  try {
    await writeFile(probe, Buffer.alloc(4096), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    throw new Error(`Nothing can be written in the data directory (${codeOf(error)}).`);
  } finally {
    await unlink(probe).catch(() => undefined);
  }
  return `${mebibytes(free)} are free.`;
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown }).code ?? error);
}
