#!/usr/bin/env node
/** Run by `npm run switchyard` and the package's command. Plain JavaScript, as the Node.js that runs it may be too old for everything else. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import * as modules from 'node:module';
import path from 'node:path';
import { nodeLinesText, nodePackages } from './lib/node-lines.js';

if (process.features.typescript) {
  // A command takes half the time with the compiled form of the sources kept.
  modules.enableCompileCache(path.join(import.meta.dirname, '../node_modules/.cache/switchyard'));
  await import('./cli/main.ts');
} else {
  runOnOwn();
}

/** Runs the same on the Node.js that the package brings. */
function runOnOwn() {
  const node = ownNode();
  if (node === null) {
    console.error(
      `error: Switchyard runs on ${nodeLinesText}; this is ${process.versions.node}. Install it with its optional dependencies: they bring the right one.`,
    );
    process.exitCode = 1;
    return;
  }
  const child = spawn(node, process.argv.slice(1), { stdio: 'inherit' });
  // A terminal sends both; a sender of this one alone means the other.
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
    process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal === null ? 1 : 130);
  });
}

/** Its file; null where the package has none. */
function ownNode() {
  const { resolve } = modules.createRequire(import.meta.url);
  const kind = /** @type {keyof typeof nodePackages} */ (`${process.platform}-${process.arch}`);
  try {
    const name = process.platform === 'win32' ? 'bin/node.exe' : 'bin/node';
    const file = path.join(path.dirname(resolve(`${nodePackages[kind]}/package.json`)), name);
    return existsSync(file) ? file : null;
  } catch {
    return null;
  }
}
