import { execFile } from 'node:child_process';
import { open, stat } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'vitest';
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

/** The start ended with a message, not with a stack. */
export function expectMessage({ serves, code, output }: Start): void {
  expect({ serves, code }).toEqual({ serves: false, code: 1 });
  expect(output).not.toMatch(/^\s+at .*:\d+/m);
}

/** Gives the file enough pages for a tree of several levels, overflow pages and free ones. */
export function fill(file: string): void {
  const database = new DatabaseSync(file);
  database.exec('begin');
  const insert = database.prepare("insert into audit values (?, ?, 'cli', 'test', ?, null, null, ?)");
  for (let row = 0; row < 2_000; row += 1) {
    const id = `01TEST${String(row).padStart(10, '0')}`;
    insert.run(id, row, `target ${row}`, 'x'.repeat(row % 20 === 0 ? 9_000 : 200));
  }
  database.exec('delete from audit where at % 3 = 0; commit');
  expect(database.prepare('pragma freelist_count').get()).not.toEqual({ freelist_count: 0 });
  database.close();
}

export const garbage = (length: number) => Uint8Array.from({ length }, (_, index) => (index * 37 + 11) % 251);

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
