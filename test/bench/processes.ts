/**
 * Starting and stopping the processes of a run. Whatever happens (failure, Ctrl-C, the end),
 * each process started here is ended, by its own id, and each temporary folder is removed.
 */

import { type ChildProcess, fork, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

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

/** Ends it with this process, whatever happens. */
export function watch<Child extends ChildProcess>(child: Child): Child {
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** Starts a program of a tool's own, which speaks to us over IPC. */
export function startOwn(file: URL, args: string[] = []): ChildProcess {
  return watch(fork(file, args, { execArgv: [] }));
}

/** Starts any other Node program with exactly this environment; what it prints goes to `logFile`. */
export function startProgram(args: readonly string[], env: NodeJS.ProcessEnv, logFile: string): ChildProcess {
  return startCommand(process.execPath, args, env, logFile);
}

/** The same for a program of any kind. */
export function startCommand(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  logFile: string,
  cwd = '.',
): ChildProcess {
  const log = openSync(logFile, 'w');
  const child = spawn(command, args, { env, cwd, stdio: ['ignore', log, log] });
  closeSync(log); // the child has its own
  return watch(child);
}

export interface Started {
  readonly child: ChildProcess;
  readonly logFile: string;
}

/**
 * Starts a Node program with a home of its own. Of the caller's environment it gets the path and nothing else: no key or
 * database of theirs takes part.
 */
export function startNode(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd = '.',
): Started {
  const folder = temporaryFolder();
  const logFile = join(folder, 'log');
  const settings = { PATH: process.env['PATH'], HOME: folder, ...env };
  return { child: startCommand(process.execPath, args, settings, logFile, cwd), logFile };
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

/**
 * Processor time that processes have used so far, in ms, with what those have used that they started, whether these still
 * run or have been waited for.
 */
export function cpuTimeOf(pids: readonly number[]): number {
  const times = new Map<number, { parent: number; own: number }>();
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? readProc(Number(name), 'stat') : undefined;
    if (stat === undefined) continue;
    // After the name, which stands in parentheses and may hold blanks, come fields 3, 4, …; 4 is the parent, 14 to 17
    // are the times in user and in system mode, its own and of its children that have ended.
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const ticks = [11, 12, 13, 14].reduce((sum, index) => sum + (fields[index] ?? 0), 0);
    times.set(Number(name), { parent: fields[1] ?? 0, own: ticks * TICK_MS });
  }
  const belongs = (pid: number): boolean => {
    for (let at: number | undefined = pid; at; at = times.get(at)?.parent) if (pids.includes(at)) return true;
    return false;
  };
  return [...times].reduce((sum, [pid, { own }]) => (belongs(pid) ? sum + own : sum), 0);
}

function readProc(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return undefined;
  }
}
