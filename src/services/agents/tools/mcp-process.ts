import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import type { McpCommand } from '../settings.ts';
import { maxReplyBytes } from './mcp-http.ts';

/** The variables of this server's environment that a program gets: none that may be a secret. */
const inherited = ['PATH', 'HOME', 'USER', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR'];
/** How much of what it writes to its error output is kept for the log, in characters. */
const keptErrors = 2000;
/** How long it may take to end, by itself and when it is asked to, in milliseconds. */
const endMs = 2000;
/** How often its processes are looked at, in milliseconds. */
const lookMs = 500;
/** Memory that runtimes reserve and do not use, in bytes: the kernel counts it, as far as it is writable. */
const reserveBytes = 4 * 2 ** 30;

/** Those that run; they do not outlive this process, as far as it ends by itself. */
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) kill(child, 'SIGKILL');
});

/**
 * An MCP server as a process of its own, spoken to over its standard input and output, a line for each message
 * (https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#stdio). With all that it starts it is one group, which
 * ends together. The number of its processes and their memory are held by a look twice a second; how far one process can go
 * between two looks, by the kernel.
 */
export class McpProcess implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #command: McpCommand;
  #child: ChildProcess | null = null;
  #line: Buffer[] = [];
  #lineBytes = 0;
  #errors = '';
  #problem: Error | null = null;
  #delivered = Promise.resolve();

  constructor(command: McpCommand) {
    this.#command = command;
  }

  /** Why it ended, with the end of its error output, for the operator. */
  get problem(): Error {
    const said = this.#errors.trim();
    const why = this.#problem?.message ?? 'The program of the server has ended.';
    return new Error(said === '' ? why : `${why} It wrote: ${said}`);
  }

  async start(): Promise<void> {
    const { command, args, env, cwd, memoryBytes } = this.#command;
    const own = inherited.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    });
    const limits = `ulimit -c 0; ulimit -d ${Math.ceil((memoryBytes + reserveBytes) / 1024)} 2>/dev/null; exec "$@"`;
    const child = spawn('/bin/sh', ['-c', limits, 'sh', command, ...args], {
      env: { ...Object.fromEntries(own), ...env },
      cwd: cwd ?? undefined,
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#child = child;
    running.add(child);
    const looking = setInterval(() => void this.#look(child), lookMs).unref();
    const over = () => {
      clearInterval(looking);
      running.delete(child);
      // Processes that it has started and left behind.
      kill(child, 'SIGKILL');
      this.#child = null;
    };
    child.on('error', over);
    // Not at `close`, which waits for all that have its output.
    child.on('exit', over);
    child.on('close', () => void this.#delivered.then(() => this.onclose?.()));
    child.stdin.on('error', (error) => this.onerror?.(error));
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#errors = (this.#errors + text).slice(-keptErrors);
    });
    child.stdout.on('data', (chunk: Buffer) => this.#read(chunk));
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const input = this.#child?.stdin;
    if (!input?.writable) throw this.problem;
    if (input.write(`${JSON.stringify(message)}\n`)) return;
    await new Promise<void>((resolve) => {
      input.once('drain', resolve).once('close', resolve);
    });
  }

  async close(): Promise<void> {
    const child = this.#child;
    if (!child) return;
    const ended = new Promise<void>((resolve) => void child.once('close', () => resolve()));
    child.stdin?.end();
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      const timer = setTimeout(() => kill(child, signal), signal === 'SIGTERM' ? endMs : 2 * endMs);
      void ended.then(() => clearTimeout(timer));
    }
    await ended;
  }

  #read(chunk: Buffer): void {
    for (let from = 0; from < chunk.length; ) {
      const end = chunk.indexOf(10, from);
      const piece = chunk.subarray(from, end < 0 ? chunk.length : end);
      this.#line.push(piece);
      this.#lineBytes += piece.length;
      if (this.#lineBytes > maxReplyBytes) this.#end('The server wrote a message that is larger than 4 MiB.');
      if (this.#problem) return;
      if (end < 0) return;
      const line = Buffer.concat(this.#line).toString().trim();
      this.#line = [];
      this.#lineBytes = 0;
      from = end + 1;
      if (line !== '') this.#take(line);
    }
  }

  /** A line that is no message, such as a greeting, is skipped. */
  #take(line: string): void {
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      this.onerror?.(new Error('The server wrote a line that is no JSON.'));
    }
    if (typeof message === 'object' && message !== null && 'jsonrpc' in message)
      this.#deliver(message as JSONRPCMessage);
  }

  /** The SDK hands notifications on a moment later, and would forget who wants progress at an answer that comes in between. */
  #deliver(message: JSONRPCMessage): void {
    this.#delivered = this.#delivered
      .then(() => this.onmessage?.(message))
      .catch((error: unknown) => this.onerror?.(error as Error));
  }

  async #look(child: ChildProcess): Promise<void> {
    const { memoryBytes, processes } = this.#command;
    const found = await usageOf(child.pid ?? 0);
    if (found.processes > processes)
      this.#end(`The program of the server ran more than ${processes} processes.`);
    else if (found.bytes > memoryBytes)
      this.#end(`The program of the server took more than ${Math.round(memoryBytes / 2 ** 20)} MiB.`);
  }

  #end(why: string): void {
    this.#problem ??= new Error(why);
    if (this.#child) kill(this.#child, 'SIGKILL');
  }
}

/** All of its group, which has the number of its first process. */
function kill({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // It has ended.
  }
}

/** How many processes a program runs, and their memory, as Linux reports it; none elsewhere. */
async function usageOf(pid: number): Promise<{ readonly processes: number; readonly bytes: number }> {
  let bytes = 0;
  const seen = new Set([pid]);
  for (const one of seen) {
    const [children, pages] = await Promise.all([
      readFile(`/proc/${one}/task/${one}/children`, 'utf8').catch(() => ''),
      readFile(`/proc/${one}/statm`, 'utf8').catch(() => ''),
    ]);
    bytes += Number(pages.split(' ')[1] ?? 0) * 4096;
    for (const child of children.split(' ').filter(Boolean)) seen.add(Number(child));
    if (seen.size > 10_000) break;
  }
  return { processes: seen.size, bytes };
}
