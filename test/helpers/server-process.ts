import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from './contract.ts';

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
