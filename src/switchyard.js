#!/usr/bin/env node
/** What `npm run switchyard` and the package's command run. */
import * as modules from 'node:module';
import path from 'node:path';

if (process.features.typescript) {
  // A command takes half the time with the compiled form of the sources kept.
  modules.enableCompileCache(path.join(import.meta.dirname, '../node_modules/.cache/switchyard'));
  await import('./cli.ts');
} else {
  console.error(
    `error: this is Node.js ${process.versions.node}, too old to run it directly; use npm run switchyard`,
  );
  process.exitCode = 1;
}
