import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export interface Running {
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
export async function startProgram({ args, env, port, readyPath, log }: Program): Promise<Running> {
  const output = openSync(log, 'a');
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', output, output] });
  const url = `http://127.0.0.1:${port}`;
  const deadline = Date.now() + 60_000;
  while (!(await answers(url + readyPath))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      child.kill('SIGKILL');
      throw new Error(`${args.at(-1)} does not listen, see ${log}`);
    }
    await pause(50);
  }
  return { url, log, close: () => end(child) };
}

/** A port of the loopback interface that nobody listens on at the moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('there is no free port');
  return address.port;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), 10_000);
  await exited;
  clearTimeout(late);
}

async function answers(url: string): Promise<boolean> {
  return await fetch(url).then(
    (response) => response.ok,
    () => false,
  );
}
