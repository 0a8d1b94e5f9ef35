import { existsSync } from 'node:fs';
import { type FileHandle, open, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { ByteBudget, Holding } from './byte-budget.ts';
import { ensureDirectory } from './create-file.ts';
import { ulid } from './ids.ts';

/** How much is read at a time, in bytes. */
const pieceBytes = 64 * 1024;

/** A place on the disk for what is too large for memory. Its files have no name, so nothing is left of them when a process dies. */
export class Spool {
  readonly #directory: string;
  readonly #budget: ByteBudget;

  /** @param limit of all files together, in bytes */
  constructor(directory: string, limit: number) {
    this.#directory = directory;
    this.#budget = new ByteBudget(limit);
  }

  /** Why nothing can be written, as a code of the file system; null: it can. */
  async check(): Promise<string | null> {
    const isThere = existsSync(this.#directory);
    try {
      await (await this.open()).close();
      // It is made when it is needed.
      if (!isThere) await rmdir(this.#directory).catch(() => undefined);
      return null;
    } catch (error) {
      return String((error as NodeJS.ErrnoException).code ?? error);
    }
  }

  /** Rejects with the error of the file system. */
  async open(): Promise<SpoolFile> {
    await ensureDirectory(this.#directory);
    const path = join(this.#directory, ulid());
    const handle = await open(path, 'wx+', 0o600);
    try {
      await unlink(path);
    } catch (error) {
      await handle.close();
      throw error;
    }
    return new SpoolFile(handle, new Holding(this.#budget));
  }
}

/** A file that is written once, from its start to its end, and read as often as needed until it is closed. */
export class SpoolFile {
  readonly #handle: FileHandle;
  readonly #room: Holding;
  #length = 0;

  constructor(handle: FileHandle, room: Holding) {
    this.#handle = handle;
    this.#room = room;
  }

  /** In bytes. */
  get length(): number {
    return this.#length;
  }

  /**
   * Resolves to false, and nothing is written, when there is no room among the files that are open. Rejects with the error of the
   * file system.
   */
  async append(chunk: Uint8Array): Promise<boolean> {
    if (!this.#room.take(chunk.length)) return false;
    const at = this.#length;
    this.#length += chunk.length;
    for (let done = 0; done < chunk.length; ) {
      const { bytesWritten } = await this.#handle.write(chunk, done, chunk.length - done, at + done);
      done += bytesWritten;
    }
    return true;
  }

  /** A stretch of it, in pieces of at most 64 KiB. Throws the error of the file system, also after it was closed. */
  async *read(start: number, length: number): AsyncGenerator<Buffer, undefined> {
    for (let at = start; at < start + length; ) {
      const piece = Buffer.allocUnsafe(Math.min(pieceBytes, start + length - at));
      const { bytesRead } = await this.#handle.read(piece, 0, piece.length, at);
      if (bytesRead === 0) throw new Error('The file is shorter than what was written.');
      yield piece.subarray(0, bytesRead);
      at += bytesRead;
    }
  }

  /** Deletes it. Reads under way then fail. */
  async close(): Promise<void> {
    this.#room.release();
    await this.#handle.close();
  }
}
