/**
 * Installs the packages of tools in `test/`, which `npm ci` of the project leaves alone: at the first use, and again when their lock
 * has changed. They are kept outside the project, where every checkout finds them, and are the `node_modules` of the tool's folder.
 *
 *   node test/lib/install.ts chaos conformance/generators
 */
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { run } from '../../scripts/clients/run.ts';

const cache = process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache');

/** Throws with what npm printed, if it fails. */
export async function install(tool: string): Promise<void> {
  const folder = path.join(import.meta.dirname, '..', tool);
  const [manifest, lock] = ['package.json', 'package-lock.json'].map((name) => path.join(folder, name)) as [
    string,
    string,
  ];
  const digest = createHash('sha256').update(readFileSync(lock)).digest('hex').slice(0, 12);
  const kept = path.join(cache, `${JSON.parse(readFileSync(manifest, 'utf8')).name}-${digest}`);
  if (!existsSync(kept)) {
    console.error(`Installing the packages of test/${tool}, once.`);
    // Whole or not there: an install that is broken off leaves nothing that the next one would take for whole.
    const made = `${kept}.${process.pid}`;
    mkdirSync(made, { recursive: true });
    for (const file of [manifest, lock]) copyFileSync(file, path.join(made, path.basename(file)));
    await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: made, retries: 2 });
    renameSync(made, kept);
  }
  const link = path.join(folder, 'node_modules');
  rmSync(link, { recursive: true, force: true });
  symlinkSync(path.join(kept, 'node_modules'), link);
}

if (import.meta.main) for (const tool of process.argv.slice(2)) await install(tool);
