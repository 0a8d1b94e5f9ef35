import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { freePort } from '../lib/server.ts';
import { root } from './contract.ts';
import { ask } from './http.ts';
import type { Database } from './test-database.ts';

/** Where processes of tests keep the compiled form of the sources: compiling takes half of their start. */
export const compileCache = path.join(tmpdir(), 'switchyard-compile-cache');

export interface ServerProcess {
  readonly url: string;
  readonly pid: number;
  /** What it has printed so far. */
  readonly output: () => string;
  /** Ends it by a signal and resolves with its exit code, null after SIGKILL. */
  end(signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): Promise<number | null>;
}

/** The server as a process of its own, as `npm start` runs it, on a free port; resolves when it is open to requests. */
export async function startServer(env: Record<string, string>): Promise<ServerProcess> {
  const { ready, ...server } = launchServer(env);
  return { ...server, url: await ready };
}

/** The same from its first moment on. `ready` resolves with its address, and rejects when it ends before. */
export function launchServer(
  env: Record<string, string>,
): Omit<ServerProcess, 'url'> & { readonly ready: Promise<string> } {
  const child: ChildProcess = spawn(process.execPath, [path.join(root, 'src/start.js')], {
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: compileCache,
      NODE_ENV: 'test',
      PORT: '0',
      DRAIN_DELAY_MS: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const ready = new Promise<string>((fulfil, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk;
      const listening = /Switchyard listens on (\S+)/.exec(output)?.[1];
      if (listening) fulfil(listening);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    exited.then(() => reject(new Error(`the server ended:\n${output}`)), reject);
  });
  return {
    ready,
    pid: child.pid ?? 0,
    output: () => output,
    async end(signal) {
      child.kill(signal);
      return (await exited)[0];
    },
  };
}

/** The server in several processes, as `npm start -- --processes` runs it. */

export const processesKey = 'several-processes-key-0123456789';
export const metricsToken = 'several-processes-metrics';

export interface SeveralProcesses {
  readonly url: string;
  readonly child: ChildProcess;
  readonly output: () => string;
  /** The exit code, or null for an end by a signal. */
  readonly ended: Promise<number | null>;
  /** The metrics by their names and labels, of all processes. */
  metrics(): Promise<ReadonlyMap<string, number>>;
  /** The ids of the processes that answer, by their numbers. */
  pids(): Promise<ReadonlyMap<number, number>>;
}

/** The program and the flags of `npm start`, and what follows `--`. */
export function startLine(...args: readonly string[]): string[] {
  const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  return [...scripts.start.split(' ').slice(1), ...args];
}

/** The same by the command line: `switchyard serve`. */
export function serveLine(...args: readonly string[]): string[] {
  return ['--disable-warning=ExperimentalWarning', 'src/switchyard.js', 'serve', ...args];
}

/** Launches it for this test; it may be wrong, and end at once. */
export async function launch(
  line: readonly string[],
  database: Database,
  env: Record<string, string> = {},
): Promise<SeveralProcesses> {
  const port = await freePort();
  const child = spawn(process.execPath, line, {
    cwd: root,
    // A group of its own, as a terminal makes one.
    detached: true,
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: compileCache,
      NODE_ENV: 'test',
      PORT: String(port),
      DATA_DIR: database.dataDir,
      ...(database.databaseUrl && { DATABASE_URL: database.databaseUrl }),
      API_KEYS: processesKey,
      METRICS_TOKEN: metricsToken,
      DRAIN_DELAY_MS: '0',
      LOG_LEVEL: 'warn',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk;
    });
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
    await ended;
  });
  const url = `http://127.0.0.1:${port}`;
  const metrics = async () => {
    const { text } = await ask(`${url}/metrics`, { key: metricsToken, direct: true });
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    return new Map(
      lines.map((line) => {
        const at = line.lastIndexOf(' ');
        return [line.slice(0, at), Number(line.slice(at + 1))];
      }),
    );
  };
  return {
    url,
    child,
    output: () => output,
    ended,
    metrics,
    pids: async () => pidsBelow(child.pid ?? 0),
  };
}

/** The same, once all of its processes answer. */
export async function startSeveral(
  count: number,
  database: Database,
  env: Record<string, string> = {},
): Promise<SeveralProcesses> {
  const started = await launch(startLine('--processes', String(count)), database, env);
  await untilAllAnswer(started, count);
  return started;
}

export async function untilAllAnswer(started: SeveralProcesses, count: number): Promise<void> {
  const answering = async () => {
    if (started.child.exitCode !== null) return started.output();
    return (await started.metrics().catch(() => null))?.get('switchyard_processes');
  };
  await expect.poll(answering, { interval: 100 }).toBe(count);
}

/** The processes that another one has started, by the number in their arguments. */
function pidsBelow(parent: number): ReadonlyMap<number, number> {
  const children = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').trim().split(' ');
  return new Map(
    children.map((pid) => {
      const number = /--process=(\d+)\//.exec(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))?.[1];
      return [Number(number), Number(pid)];
    }),
  );
}
