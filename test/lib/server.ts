import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Starting servers and other processes, waiting until they are ready, and stopping them, for all tools. Whatever happens (failure,
 * Ctrl-C, the end), each process started here is ended, by its own id, and each temporary folder is removed.
 */

const STOP_MS = 5_000;

const running = new Set<ChildProcess>();
const folders = new Set<string>();

let watching = false;

/** Has this process end and remove what it has started and made, on whichever way it ends. */
function watchEnd(): void {
  if (watching) return;
  watching = true;
  // 'exit' is on every way out, also of process.exit() and of an uncaught error.
  process.once('exit', () => {
    for (const child of running) child.kill('SIGKILL');
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => process.exit(130));
}

/** Ends it with this process, whatever happens. */
export function watch<Child extends ChildProcess>(child: Child): Child {
  watchEnd();
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** Starts a program of a tool's own, which speaks to us over IPC. */
export function startOwn(file: URL, args: string[] = []): ChildProcess {
  return watch(fork(file, args, { execArgv: [] }));
}

/** Starts any other program with exactly this environment; what it prints goes to `logFile`. */
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

export interface Listening {
  readonly url: string;
  /** Where its output is written. */
  readonly log: string;
  close(): Promise<void>;
}

export interface Program {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly port: number;
  /** What answers 200 once it listens. */
  readonly readyPath: string;
  readonly log: string;
}

/** Starts a program with Node.js and waits until it listens. Throws where its log is, if it does not. */
export async function startListening({ args, env, port, readyPath, log }: Program): Promise<Listening> {
  const child = startCommand(process.execPath, args, env, log);
  const url = `http://127.0.0.1:${port}`;
  if (await getsReady(url + readyPath, 60_000, () => child.exitCode === null))
    return { url, log, close: () => stop(child) };
  await stop(child);
  throw new Error(`${args.at(-1)} does not listen, see ${log}`);
}

/** Whether an address answers 200 in time, and before its server has ended. */
export async function getsReady(
  url: string,
  timeoutMs: number,
  runs: () => boolean = () => true,
): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (runs() && performance.now() < deadline) {
    if ((await statusOf(url)) === 200) return true;
    await pause(25);
  }
  return false;
}

/** What an address answers, on a connection of its own; null where there is no answer. */
function statusOf(url: string): Promise<number | null> {
  return new Promise((resolve) => {
    get(url, { agent: false, signal: AbortSignal.timeout(2_000) }, (reply) => {
      reply.resume().once('close', () => resolve(reply.complete ? (reply.statusCode ?? null) : null));
    }).once('error', () => resolve(null));
  });
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
  watchEnd();
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-bench-'));
  folders.add(folder);
  return folder;
}

/** A free port of this machine. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
