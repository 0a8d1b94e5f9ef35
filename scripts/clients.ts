/**
 * Makes the client libraries in `build/clients/` from `generated/openapi.json`.
 *
 *   node scripts/clients.ts [language …]            write the packages, all or those named
 *   node scripts/clients.ts --test [language …]     and compile each and run its live test against a server
 *
 * To write a package takes its generator and not the language. Without a program that it takes a library is left out with a
 * word about it, which is an error where `CI` is set.
 */
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { readContract } from './clients/contract.ts';
import { go } from './clients/go/library.ts';
import { java } from './clients/java/library.ts';
import { javascript } from './clients/javascript/library.ts';
import type { Library } from './clients/library.ts';
import { php } from './clients/php/library.ts';
import { python } from './clients/python/library.ts';
import { ruby } from './clients/ruby/library.ts';
import { isInstalled } from './clients/run.ts';
import { type LiveServer, liveServer, ownAddress } from './clients/server.ts';

const libraries: readonly Library[] = [javascript, python, go, ruby, php, java];

const root = path.join(import.meta.dirname, '..');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { test: { type: 'boolean', default: false } },
});
const unknown = positionals.filter((name) => !libraries.some((library) => library.name === name));
if (unknown.length > 0) {
  console.error(
    `There is no library ${unknown.join(', ')}; there are ${libraries.map(({ name }) => name).join(', ')}.`,
  );
  process.exit(2);
}
const contract = readContract();
const server = values.test ? await liveServer() : null;
for (const library of libraries) {
  if (positionals.length === 0 || positionals.includes(library.name)) await make(library, server);
}
await server?.close();

async function make(library: Library, server: LiveServer | null): Promise<void> {
  const { name } = library;
  if (isMissing(library.generating, name, 'made')) return;
  const started = performance.now();
  const folder = path.join(root, 'build/clients', name);
  try {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    await library.generate(contract, folder);
    if (server) {
      if (isMissing(library.running, name, 'compiled and run')) return;
      await library.compile(contract, folder);
      const way = await ownAddress(server, `198.51.100.${libraries.indexOf(library) + 1}`);
      const env = {
        SWITCHYARD_BASE_URL: way.url,
        SWITCHYARD_API_KEY: server.apiKey,
        SWITCHYARD_LIMITED_API_KEY: await server.limitedKey(),
      };
      await library.live(folder, env, () => server.examples(way.url)).finally(way.close);
    }
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(
      `${name}: ${server ? 'made, compiled, live test passed' : `build/clients/${name}`} (${seconds} s)`,
    );
  } catch (error) {
    console.error(`${name}: FAILED\n${(error as Error).message}`);
    process.exitCode = 1;
  }
}

/** Whether a program that a step takes is not installed; says which. */
function isMissing(programs: readonly string[], name: string, step: string): boolean {
  const missing = programs.filter((program) => !isInstalled(program));
  if (missing.length === 0) return false;
  console.error(`${name}: NOT ${step}, as ${missing.join(' and ')} must be installed for it`);
  if (process.env['CI']) process.exitCode = 1;
  return true;
}
