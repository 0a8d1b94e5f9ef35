import { open, readFile } from 'node:fs/promises';
import { endianness } from 'node:os';
import { isFileError } from '../../lib/create-file.ts';

/** The unreadable part of a write-ahead log. */
interface LogLoss {
  /** Commits of the log that are whole. SQLite goes on from the last of them, without a word of what came after. */
  readonly wholeCommits: number;
  /** Pages that were committed after it, at least. */
  readonly lostPages: number;
}

const headerBytes = 32;
const frameHeaderBytes = 24;

/**
 * Finds out whether commits in a log that was left behind are lost, as it was cut or damaged: where frames of the same
 * generation come after the first unsound one, or where the index of the log knows of more than there are. Null when
 * nothing shows it; uncommitted frames are no loss. To be called while the database is closed
 * (https://sqlite.org/fileformat2.html#the_write_ahead_log, https://sqlite.org/walformat.html).
 */
export async function logLoss(path: string): Promise<LogLoss | null> {
  const index = await readIndex(`${path}-shm`);
  const log = await readLog(`${path}-wal`);
  // After a restart of the log its header still is that of the generation before until the first frame is written.
  const known = index !== null && (log.salts === null || log.salts.equals(index.salts)) ? index.frames : 0;
  const lostPages = Math.max(known, log.committed) - log.whole;
  return lostPages > 0 ? { wholeCommits: log.commits, lostPages } : null;
}

interface Log {
  /** Eight bytes that all frames of a generation bear; null without a header. */
  readonly salts: Buffer | null;
  /** Frames up to the last commit before the first frame that is unsound. */
  readonly whole: number;
  readonly commits: number;
  /** Frames up to the last one of this generation that ends a commit, sound or not. */
  readonly committed: number;
}

const noLog: Log = { salts: null, whole: 0, commits: 0, committed: 0 };

async function readLog(path: string): Promise<Log> {
  const file = await open(path, 'r').catch((error: unknown) => {
    if (isFileError(error, 'ENOENT')) return null;
    throw error;
  });
  if (file === null) return noLog;
  try {
    const header = Buffer.alloc(headerBytes);
    const { bytesRead } = await file.read(header, 0, headerBytes, 0);
    const magic = header.readUInt32BE(0);
    if (bytesRead < headerBytes || (magic | 1) !== 0x377f0683) return noLog;
    const bigEndian = (magic & 1) === 1;
    const pageSize = header.readUInt32BE(8);
    const salts = Buffer.from(header.subarray(16, 24));
    let sum = checksum(header.subarray(0, 24), bigEndian, [0, 0]);
    // A damaged header says nothing of the log's generation.
    if (!same(sum, header, 24)) return noLog;
    let sound = true;
    const frame = Buffer.alloc(frameHeaderBytes + pageSize);
    let [whole, commits, committed] = [0, 0, 0];
    for (let number = 1; ; number += 1) {
      const at = headerBytes + (number - 1) * frame.length;
      const read = await file.read(frame, 0, frame.length, at);
      if (read.bytesRead < frame.length) break;
      if (!frame.subarray(8, 16).equals(salts)) {
        sound = false;
        continue;
      }
      const ends = frame.readUInt32BE(4) !== 0;
      if (sound) {
        sum = checksum(frame.subarray(0, 8), bigEndian, sum);
        sum = checksum(frame.subarray(frameHeaderBytes), bigEndian, sum);
        sound = same(sum, frame, 16);
      }
      if (!ends) continue;
      committed = number;
      if (!sound) continue;
      whole = number;
      commits += 1;
    }
    return { salts, whole, commits, committed };
  } finally {
    await file.close();
  }
}

type Sum = readonly [number, number];

function checksum(bytes: Buffer, bigEndian: boolean, [first, second]: Sum): Sum {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let [a, b] = [first, second];
  for (let at = 0; at + 8 <= bytes.length; at += 8) {
    a = (a + view.getUint32(at, !bigEndian) + b) >>> 0;
    b = (b + view.getUint32(at + 4, !bigEndian) + a) >>> 0;
  }
  return [a, b];
}

function same([a, b]: Sum, bytes: Buffer, at: number): boolean {
  return bytes.readUInt32BE(at) === a && bytes.readUInt32BE(at + 4) === b;
}

/** How many frames the index knows, in the order of bytes of this machine. Null for one that is no sound index. */
async function readIndex(path: string): Promise<{ frames: number; salts: Buffer } | null> {
  const index = await readFile(path).catch(() => Buffer.alloc(0));
  // Two copies of the header, of which a writer may have changed one.
  if (index.length < 96 || !index.subarray(0, 48).equals(index.subarray(48, 96)) || index[12] !== 1)
    return null;
  const frames = endianness() === 'LE' ? index.readUInt32LE(16) : index.readUInt32BE(16);
  return { frames, salts: Buffer.from(index.subarray(32, 40)) };
}
