/**
 * Starting and stopping the processes of a run. Whatever happens (failure, Ctrl-C, the end),
 * each process started here is ended, by its own id, and each temporary folder is removed.
 */

import { type ChildProcess, fork, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const STOP_MS = 5_000;
/** The unit of processor time in /proc: 100 to the second on every Linux that runs Node. */
const TICK_MS = 10;

const running = new Set<ChildProcess>();
const folders = new Set<string>();

// 'exit' is on every way out, also of process.exit() and of an uncaught error.
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => process.exit(130));
}

function watch(child: ChildProcess): ChildProcess {
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** Starts one of the bench's own programs, which speak to us over IPC. */
export function startOwn(file: string, args: string[] = [], execArgv: string[] = []): ChildProcess {
  return watch(fork(fileURLToPath(new URL(file, import.meta.url)), args, { execArgv }));
}

/** Starts any other Node program with exactly this environment; what it prints goes to `logFile`. */
export function startProgram(args: readonly string[], env: NodeJS.ProcessEnv, logFile: string): ChildProcess {
  const log = openSync(logFile, 'w');
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', log, log] });
  closeSync(log); // the child has its own
  return watch(child);
}

/** The next message from a process; its end before that is an error. */
export async function nextMessage<Message>(child: ChildProcess): Promise<Message> {
  const over = new AbortController();
  const message = once(child, 'message', { signal: over.signal });
  const exit = once(child, 'exit', { signal: over.signal });
  try {
    const first = await Promise.race([message, exit.then(() => undefined)]);
    if (!first) throw new Error(`${child.spawnargs.at(1)} ended early`);
    return first[0] as Message;
  } finally {
    over.abort();
    await Promise.allSettled([message, exit]);
  }
}

/** Asks a process to end, and ends it if it does not. */
export async function stop(child: ChildProcess): Promise<void> {
  if (!running.has(child)) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  const impatience = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  await gone;
  clearTimeout(impatience);
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-bench-'));
  folders.add(folder);
  return folder;
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('No port to be had');
  return address.port;
}

export interface Memory {
  /** Resident now, in MB (10^6 bytes). */
  readonly rss: number;
  /** The most it ever was, where the system tells. */
  readonly peak?: number;
}

/** Undefined for a process that has ended. */
export function memoryOf(pid: number): Memory | undefined {
  const megabytes = (kibibytes: string | undefined) => (Number(kibibytes) * 1024) / 1e6;
  const status = readProc(pid, 'status');
  if (status !== undefined) {
    const field = (name: string) => status.match(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm'))?.[1];
    return { rss: megabytes(field('VmRSS')), peak: megabytes(field('VmHWM')) };
  }
  const { stdout } = spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout?.trim() ? { rss: megabytes(stdout) } : undefined;
}

/** Processor time a process has used so far, in ms; undefined where there is no /proc. */
export function cpuTimeOf(pid: number): number | undefined {
  const stat = readProc(pid, 'stat');
  // After the name, which stands in parentheses and may hold blanks, come fields 3, 4, …;
  // 14 and 15 are the time in user and in system mode.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields && (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

function readProc(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return undefined;
  }
}
