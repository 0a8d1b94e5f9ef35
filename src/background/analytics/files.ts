/**
 * Rows as lines of JSON in files, one for each hour in which they were written. A file is written under a name that ends in
 * `.partial`, synchronised to the disk with each batch; when its hour is over it is compressed, and appears whole under its
 * name, which never changes again.
 */
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { type FileHandle, open, readdir, rename, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { ensureDirectory, syncDirectory } from '../../lib/create-file.ts';
import type { Sink } from './outbox.ts';
import { linesOf } from './row.ts';

interface FilesParts {
  readonly directory: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** This process among those on the database: each has files of its own. */
  readonly instanceId: string;
  /** The living processes: their files are left to them. */
  readonly present: () => Promise<ReadonlySet<string>>;
}

interface OpenFile {
  readonly name: string;
  readonly hour: string;
  readonly handle: FileHandle;
  /** Where it ends, if what was written last is whole. */
  bytes: number;
}

const partial = '.partial';
const namePattern = /^requests-(\d{4}-\d\d-\d\dT\d\d)-([0-9A-Za-z]+)(?:-\d+)?\.ndjson\.partial$/;
const newline = 0x0a;

export function files({ directory, now, instanceId, present }: FilesParts): Sink {
  let current: OpenFile | null = null;
  let adopted = false;

  const hourNow = () => new Date(now()).toISOString().slice(0, 13);

  async function finish(): Promise<void> {
    if (current === null) return;
    const file = current;
    current = null;
    const isOwn = await isStillThere(file, directory);
    await file.handle.close();
    if (isOwn) await compress(directory, file.name);
  }

  /** Completes the files that dead processes have left. */
  async function adopt(): Promise<void> {
    if (adopted) return;
    await ensureDirectory(directory);
    const living = await present();
    for (const name of await readdir(directory)) {
      const [, hour = '', owner = instanceId] = namePattern.exec(name) ?? [];
      if (owner === instanceId || living.has(owner)) continue;
      // It was only left to be deleted.
      if (existsSync(join(directory, wholeOf(name)))) await unlink(join(directory, name));
      else await take(directory, name, hour, instanceId);
    }
    adopted = true;
  }

  async function fileOfHour(): Promise<OpenFile> {
    const hour = hourNow();
    if (current !== null && current.hour !== hour) await finish();
    current ??= await openFile(directory, hour, instanceId);
    return current;
  }

  return {
    name: 'files',
    async send({ rows }) {
      await adopt();
      const file = await fileOfHour();
      // A half-written rest of a failure is overwritten.
      await file.handle.truncate(file.bytes);
      const bytes = Buffer.from(linesOf(rows));
      await file.handle.appendFile(bytes);
      await file.handle.sync();
      file.bytes += bytes.length;
      // A process that was only slow, but considered dead, has lost its file, and everything it wrote after that.
      if (!(await isStillThere(file, directory))) {
        current = null;
        await file.handle.close();
        throw new Error('Another server has taken over the file that was being written.');
      }
    },
    async idle() {
      await adopt();
      if (current !== null && current.hour !== hourNow()) await finish();
    },
    close: finish,
  };
}

async function openFile(directory: string, hour: string, instanceId: string): Promise<OpenFile> {
  const name = await freeName(directory, hour, instanceId);
  const handle = await open(join(directory, name), 'ax', 0o600);
  await syncDirectory(directory);
  return { name, hour, handle, bytes: 0 };
}

async function freeName(directory: string, hour: string, instanceId: string): Promise<string> {
  const taken = new Set(await readdir(directory));
  for (let n = 1; ; n += 1) {
    const name = `requests-${hour}-${instanceId}${n === 1 ? '' : `-${n}`}.ndjson${partial}`;
    if (!taken.has(name) && !taken.has(wholeOf(name))) return name;
  }
}

/** Completes the file of a process that has ended. The file gets another name first, so that a process that still runs notices. */
async function take(directory: string, name: string, hour: string, instanceId: string): Promise<void> {
  const own = await freeName(directory, hour, instanceId);
  await rename(join(directory, name), join(directory, own));
  await syncDirectory(directory);
  await compress(directory, own);
}

async function isStillThere({ name, handle }: OpenFile, directory: string): Promise<boolean> {
  const own = await handle.stat();
  return stat(join(directory, name)).then(
    ({ ino }) => ino === own.ino,
    () => false,
  );
}

function wholeOf(name: string): string {
  return `${name.slice(0, -partial.length)}.gz`;
}

async function compress(directory: string, name: string): Promise<void> {
  const from = join(directory, name);
  const whole = join(directory, wholeOf(name));
  const temporary = `${whole}.tmp`;
  await pipeline(
    createReadStream(from),
    wholeLines,
    createGzip(),
    createWriteStream(temporary, { mode: 0o600, flush: true }),
  );
  await rename(temporary, whole);
  await syncDirectory(directory);
  await unlink(from);
}

/** All but what follows the last end of a line, which a failure has left half written. */
async function* wholeLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const rest: Buffer[] = [];
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(newline) + 1;
    if (end > 0) yield Buffer.concat([...rest.splice(0), chunk.subarray(0, end)]);
    rest.push(chunk.subarray(end));
  }
}
