import { execFile } from 'node:child_process';
import { open, stat } from 'node:fs/promises';
import path from 'node:path';
import { root } from './contract.ts';
import { compileCache } from './server-process.ts';

/** How a server's start ended. */
export interface Start {
  /** Whether it listens; it is ended then. */
  readonly serves: boolean;
  readonly code: number | null;
  readonly output: string;
}

/** Starts a server on a data directory and waits until it serves or has ended; `hung` bounds neither. */
export async function tryStart(dataDir: string, env: Record<string, string> = {}): Promise<Start> {
  return new Promise((resolve) => {
    const settings = {
      NODE_COMPILE_CACHE: compileCache,
      NODE_ENV: 'test',
      PORT: '0',
      DRAIN_DELAY_MS: '0',
      DATA_DIR: dataDir,
    };
    const child = execFile(process.execPath, [path.join(root, 'src/start.js')], {
      env: { PATH: process.env['PATH'], ...settings, ...env },
      cwd: root,
    });
    let output = '';
    let serves = false;
    const read = (chunk: string) => {
      output += chunk;
      if (serves || !output.includes('Switchyard listens on')) return;
      serves = true;
      child.kill('SIGTERM');
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.on('close', (code) => resolve({ serves, code, output }));
  });
}

/** Writes bytes into a file. */
export async function overwrite(file: string, at: number, bytes: Uint8Array): Promise<void> {
  await using opened = await open(file, 'r+');
  await opened.write(bytes, 0, bytes.length, at);
}

/** Cuts a file to a part of its length. */
export async function cut(file: string, share: number): Promise<void> {
  const { size } = await stat(file);
  await using opened = await open(file, 'r+');
  await opened.truncate(Math.floor(size * share));
}

/** Numbers from 0 to below 1 that are the same for the same seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
