import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { getsReady } from '../lib/server.ts';
import type { Life } from './evidence.ts';
import { atTheEnd, childrenOf } from './proc.ts';

const libfaketime = ['x86_64', 'aarch64']
  .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketimeMT.so.1`)
  .find((file) => existsSync(file));

/** Whether servers can be started whose clock can be stepped. */
export const canStepClocks = libfaketime !== undefined;

/** How long servers may take to be ready again when everything works, in milliseconds. */
export const recoveryMs = 20_000;

export interface Launch {
  /** Arguments of Node. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

type LifeSoFar = { -readonly [Field in keyof Life]: Life[Field] };

let lives = 0;

/** One of the servers under test: a port that processes take in turn. */
export class Server {
  readonly index: number;
  readonly port: number;
  readonly #folder: string;
  readonly #launch: Launch;
  readonly #lives: Life[];
  #child: ChildProcess | null = null;
  #life: LifeSoFar | null = null;
  /** Whether it is next started in a PID namespace of its own, where it is process 1. */
  namespace = false;
  /** Whether it is next started with a clock that can be stepped. */
  readonly steppable: boolean;

  constructor(
    index: number,
    port: number,
    folder: string,
    launch: Launch,
    { lives, steppable }: { lives: Life[]; steppable: boolean },
  ) {
    this.index = index;
    this.port = port;
    this.#folder = folder;
    this.#launch = launch;
    this.#lives = lives;
    this.steppable = steppable;
    atTheEnd(() => this.#signal('SIGKILL'));
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get logFile(): string {
    return join(this.#folder, `server-${this.index}.log`);
  }

  /** The process that there is or was last. */
  get life(): Life {
    if (!this.#life) throw new Error('The server was never started.');
    return this.#life;
  }

  get alive(): boolean {
    return this.#life !== null && this.#life.to === null;
  }

  /** The server's own process, also where it stands in a namespace. */
  get pid(): number {
    const pid = this.#child?.pid ?? 0;
    return this.namespace ? (childrenOf(pid)[0] ?? pid) : pid;
  }

  /** Begins to start it; `ready` tells when it serves. */
  start(): void {
    if (this.alive) throw new Error(`server ${this.index} runs already`);
    const clock = this.#stepTo(0);
    const env: Record<string, string> = { ...this.#launch.env, PORT: String(this.port) };
    if (this.steppable && libfaketime !== undefined) {
      Object.assign(env, {
        LD_PRELOAD: libfaketime,
        FAKETIME_TIMESTAMP_FILE: clock,
        FAKETIME_NO_CACHE: '1',
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
        DONT_FAKE_MONOTONIC: '1',
        NO_FAKE_STAT: '1',
      });
    }
    const out = openSync(this.logFile, 'a');
    const node = [process.execPath, ...this.#launch.args];
    const [command = '', ...args] = this.namespace
      ? ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child', ...node]
      : node;
    const child = spawn(command, args, { env, stdio: ['ignore', out, out] });
    lives += 1;
    const life: LifeSoFar = {
      id: lives,
      server: this.index,
      from: performance.now(),
      to: null,
      end: null,
      lastWords: '',
    };
    this.#child = child;
    this.#life = life;
    this.#lives.push(life);
    child.once('exit', (code, signal) => {
      life.to = performance.now();
      if (life.end === 'drained' && code === 0) return;
      if (life.end === 'killed') return;
      life.end = 'itself';
      life.lastWords = `code ${code}, signal ${signal}: ${this.#tail()}`;
    });
  }

  /** Resolves with whether it says that it is ready, once it does, has ended, or has taken too long. */
  async ready(timeoutMs = recoveryMs): Promise<boolean> {
    return await getsReady(`${this.origin}/readyz`, timeoutMs, () => this.alive);
  }

  /** SIGKILL. Resolves when it is gone. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL', 'killed');
  }

  /** SIGTERM. Resolves with whether it ended by itself within the time; otherwise it is killed. */
  async drain(timeoutMs: number): Promise<boolean> {
    if (!this.alive || !this.#child) return true;
    const exited = once(this.#child, 'exit').then(() => true);
    const ended = this.#end('SIGTERM', 'drained').then(() => true);
    const inTime = await Promise.race([exited, ended, sleep(timeoutMs, false, { ref: false })]);
    if (!inTime) await this.kill();
    return inTime;
  }

  /** Stops it for a while, as a machine does that swaps or is suspended. */
  async freeze(forMs: number): Promise<void> {
    this.#signal('SIGSTOP');
    await sleep(forMs);
    this.#signal('SIGCONT');
  }

  stop(): void {
    this.#signal('SIGSTOP');
  }

  resume(): void {
    this.#signal('SIGCONT');
  }

  /** Steps its clock to so many seconds from true time. */
  step(seconds: number): void {
    this.#stepTo(seconds);
  }

  /** What it has printed from this byte on, and where it ends now. */
  logFrom(offset: number): { readonly text: string; readonly end: number } {
    const bytes = existsSync(this.logFile) ? readFileSync(this.logFile) : Buffer.alloc(0);
    return { text: bytes.toString('utf8', offset), end: bytes.length };
  }

  get logSize(): number {
    return existsSync(this.logFile) ? statSync(this.logFile).size : 0;
  }

  #stepTo(seconds: number): string {
    const file = join(this.#folder, `clock-${this.index}`);
    writeFileSync(file, `${seconds < 0 ? '-' : '+'}${Math.abs(seconds)}\n`);
    return file;
  }

  async #end(signal: 'SIGKILL' | 'SIGTERM', end: 'killed' | 'drained'): Promise<void> {
    if (!this.alive || !this.#child || !this.#life) return;
    this.#life.end = end;
    const exited = once(this.#child, 'exit');
    this.#signal(signal);
    await exited;
  }

  #signal(signal: NodeJS.Signals): void {
    if (!this.alive || !this.#child) return;
    try {
      process.kill(this.pid, signal);
    } catch {
      // It ended in this moment.
    }
  }

  #tail(): string {
    return this.logFrom(Math.max(0, this.logSize - 4000))
      .text.split('\n')
      .filter((line) => !line.includes('"msg":"request"'))
      .slice(-12)
      .join(' | ')
      .slice(-1200);
  }
}

const run = promisify(execFile);

/** Runs an operator's command on the database that these settings name. Rejects when it fails. */
export async function switchyard(env: Readonly<Record<string, string>>, ...args: string[]): Promise<string> {
  const command = ['--disable-warning=ExperimentalWarning', 'src/switchyard.js', ...args];
  return (await run(process.execPath, command, { env })).stdout;
}

/** What `switchyard check` finds wrong with a database; null: nothing. */
export async function switchyardCheck(
  env: Readonly<Record<string, string>>,
): Promise<{ readonly missing: boolean; readonly problem: string | null }> {
  const help = await switchyard(env, '--help');
  if (!/^\s+check\b/m.test(help)) return { missing: true, problem: null };
  try {
    await switchyard(env, 'check');
    return { missing: false, problem: null };
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    return {
      missing: false,
      problem: `${stdout ?? ''}${stderr ?? ''}`.replaceAll('\n', ' ') || String(error),
    };
  }
}
