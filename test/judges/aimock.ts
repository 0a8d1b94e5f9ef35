import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { install } from '../lib/install.ts';
import { freePort, type Listening, startListening } from '../lib/server.ts';
import { judgesFolder } from './judges.ts';

/**
 * Starts the mock of all vendors.
 * @param fixtures those of the judges if left out
 */
export async function startAimock(
  folder: string,
  fixtures: readonly unknown[] = readFixtures(),
): Promise<Listening> {
  await install('judges');
  mkdirSync(folder, { recursive: true });
  const merged = path.join(folder, 'fixtures.json');
  writeFileSync(merged, JSON.stringify({ fixtures }, null, 1));
  const program = path.join(judgesFolder, 'node_modules/@copilotkit/aimock/dist/cli.js');
  const port = await freePort();
  return await startListening({
    args: [
      program,
      '--port',
      String(port),
      '--fixtures',
      merged,
      '--validate-on-load',
      '--log-level',
      'warn',
    ],
    env: { PATH: process.env['PATH'] ?? '', HOME: folder },
    port,
    readyPath: '/ready',
    log: path.join(folder, 'aimock.log'),
  });
}

function readFixtures(): unknown[] {
  return parse(readFileSync(path.join(judgesFolder, 'fixtures.yaml'), 'utf8')) as unknown[];
}
