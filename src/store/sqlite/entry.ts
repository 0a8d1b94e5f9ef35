import { access, constants, open, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { ConfigError } from '../../lib/config-error.ts';
import { ensureDirectory, isFileError } from '../../lib/create-file.ts';
import { moduleUrl } from '../../lib/module-url.ts';
import type { InspectionReply, InspectionTask } from './inspect-thread.ts';
import { logLoss } from './log-loss.ts';
import { forgetNote, isAsLeft, mark, noteLeft, othersOf } from './markers.ts';
import { finishRestore } from './pending-restore.ts';

/** The file of a data directory's database. */
export function pathOf(dataDir: string): string {
  return join(dataDir, 'switchyard.db');
}

/** The remedy for a damaged database, in a whole sentence. */
const remedy =
  'Stop all servers on it and put a backup in its place with `switchyard restore <backup file>`; the damaged file is kept.';

/** A process's stay in a database. */
export interface Entry {
  /** Looks through a database that was not closed, or changed since. Throws a `ConfigError` for one that is damaged. */
  inspect(): Promise<void>;
  /** Ends the stay, once all connections are closed. @param sound whether nothing was found damaged meanwhile */
  leave(sound: boolean): Promise<void>;
}

/**
 * Prepares the opening of a database: makes its directory and file, finishes a restore, and finds out how it was left.
 * Never opens the file itself: closing it again would give up the locks that SQLite has on it in this process
 * (https://sqlite.org/howtocorrupt.html, section 2.2). Rejects with `ConfigError`, or the error of the file system.
 */
export async function enter(path: string, mustExist: boolean, tell: (line: string) => void): Promise<Entry> {
  if (!mustExist) await ensureDirectory(dirname(path));
  await access(dirname(path), constants.R_OK | constants.W_OK | constants.X_OK);
  const { marker, unmark } = await mark(path);
  try {
    // After the mark: a restore that begins now sees that the database is in use.
    await finishRestore(path);
    const others = await othersOf(path, marker);
    const made = await makeFile(path, mustExist, others.living > 0);
    const why = made ? null : await reasonToInspect(path, others);
    const loss = made || others.living > 0 ? null : await logLoss(path);
    await forgetNote(path);
    return {
      async inspect() {
        if (loss !== null) {
          const { wholeCommits, lostPages } = loss;
          tell(
            `The log ${path}-wal is cut or damaged after ${wholeCommits} whole commits: what was committed after them (${lostPages} pages or more) is lost. Compare with a backup; \`switchyard check\` tells whether what is left agrees.`,
          );
        }
        if (why !== null) {
          const problems = await inspect(path, why, tell);
          if (problems.length > 0) throw new ConfigError([damage(path, problems)]);
        }
        for (const dead of others.dead) await rm(dead, { force: true });
      },
      async leave(sound) {
        if (sound) await noteLeft(path).catch(ignoreFileError);
        await unmark();
      },
    };
  } catch (error) {
    await unmark();
    throw error;
  }
}

async function reasonToInspect(
  path: string,
  { living, dead }: { readonly living: number; readonly dead: readonly string[] },
): Promise<string | null> {
  if (dead.length > 0) return 'was not closed by the process that had it open last';
  if (living > 0 || (await isAsLeft(path))) return null;
  return 'is not as a process has left it that closed it';
}

/** Makes an empty file where there is none; returns whether it has no contents yet. */
async function makeFile(path: string, mustExist: boolean, inUse: boolean): Promise<boolean> {
  const found = await stat(path).catch((error: unknown) => {
    if (isFileError(error, 'ENOENT')) return null;
    throw error;
  });
  // Opening what is no regular file could block for ever.
  if (found !== null && !found.isFile())
    throw new ConfigError([`${path} is no file; set DATA_DIR to another directory.`]);
  if (found !== null) await access(path, constants.R_OK | constants.W_OK);
  if (found !== null && found.size > 0) return false;
  const log = await stat(`${path}-wal`).catch(() => null);
  const lost = found === null ? log !== null && log.size > 0 : await hasBeenUsed(path);
  if (lost && !inUse) {
    const state = found === null ? 'is missing, and its log is there' : 'is empty, and was in use before';
    throw new ConfigError([`${path} ${state}. ${remedy}`]);
  }
  if (found === null && mustExist)
    throw Object.assign(new Error('no database'), { code: 'ENOENT', syscall: 'stat' });
  if (found === null) await (await open(path, 'a', 0o600)).close();
  return true;
}

/** Whether keys were made with this directory's secret: they are in a database, so it is not the first start. */
async function hasBeenUsed(path: string): Promise<boolean> {
  const [secret, note] = await Promise.all(
    [join(dirname(path), 'key-secret'), `${path}-clean`].map((file) => stat(file).catch(() => null)),
  );
  return secret?.isFile() === true || note !== null;
}

/** The problems of a damaged database, and the remedy. */
export function damage(path: string, problems: readonly string[]): string {
  const shown = problems.slice(0, 3).join('; ');
  const more = problems.length > 3 ? ', and more' : '';
  return `${path} is damaged (${shown}${more}). ${remedy} Nothing was changed in it.`;
}

function ignoreFileError(error: unknown): void {
  if (!isFileError(error)) throw error;
}

/** Time between two lines about a running check, in milliseconds. */
const patienceMs = 10_000;

/**
 * Looks through every page of a database, in a thread, as it takes longer than reading the file. Returns what is damaged,
 * nothing for a sound one. Reports its beginning, its end, and every ten seconds that it still runs.
 */
async function inspect(path: string, why: string, tell: (line: string) => void): Promise<readonly string[]> {
  const started = performance.now();
  const seconds = () => `${((performance.now() - started) / 1000).toFixed(1)} s`;
  const megabytes = Math.ceil((await stat(path)).size / 1_000_000);
  tell(`${path} ${why}; its ${megabytes} MB are checked before it is used.`);
  const pulse = setInterval(() => tell(`The check of ${path} goes on since ${seconds()}.`), patienceMs);
  try {
    const problems = await run({ path });
    if (problems.length === 0) tell(`${path} is sound; the check took ${seconds()}.`);
    return problems;
  } finally {
    clearInterval(pulse);
  }
}

function run(task: InspectionTask): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(moduleUrl('inspect-thread', import.meta.url), { workerData: task });
    worker.once('message', (reply: InspectionReply) => {
      if ('problems' in reply) resolve(reply.problems);
      else reject(Object.assign(new Error(reply.message), { errcode: reply.errcode }));
    });
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`the thread ended with ${code}`)));
  });
}
