import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '../helpers/free-port.ts';
import { install } from '../lib/install.ts';
import { type Listening, startListening } from '../lib/server.ts';
import { judgesFolder } from './judges.ts';

/**
 * Starts the mock of all vendors.
 * @param fixtures those of the judges if left out, merged in the order of the files' names
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
  const folder = path.join(judgesFolder, 'fixtures');
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .flatMap((file) => (JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as Fixtures).fixtures);
}

interface Fixtures {
  readonly fixtures: readonly unknown[];
}
