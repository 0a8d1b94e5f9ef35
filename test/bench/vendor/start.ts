/** Builds the mock vendor with the machine's C compiler and starts it. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { temporaryFolder, watch } from '../../lib/server.ts';
import { PREPARED_ANSWERS } from './answers.ts';

const SOURCE = fileURLToPath(new URL('./vendor.c', import.meta.url));

export interface Vendor {
  readonly origin: string;
  readonly process: ChildProcess;
}

/**
 * Throws where there is no compiler.
 * @param delayMs before each answer begins
 */
export async function startVendor(delayMs = 0): Promise<Vendor> {
  const folder = temporaryFolder();
  const program = join(folder, 'vendor');
  const { status, stderr, error } = spawnSync('cc', ['-O2', '-o', program, SOURCE], { encoding: 'utf8' });
  if (status !== 0) {
    throw new Error(
      `The mock vendor needs a C compiler (\`apt-get install gcc libc6-dev\`): ${error?.message ?? stderr}`,
    );
  }
  const lines = PREPARED_ANSWERS.map(({ target, text, pieces }, number) => {
    const file = join(folder, `${number}.answer`);
    writeFileSync(file, Buffer.concat(pieces.map(withLength)));
    return `${target}\t${text}\t${file}\n`;
  });
  const table = join(folder, 'table');
  writeFileSync(table, lines.join(''));
  const child = watch(spawn(program, [table, String(delayMs)], { stdio: ['pipe', 'pipe', 'inherit'] }));
  const [port] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { origin: `http://127.0.0.1:${port}`, process: child };
}

function withLength(piece: string): Buffer {
  const bytes = Buffer.from(piece);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  return Buffer.concat([length, bytes]);
}
