/**
 * What follows every install: the documentation page, what the server needs that is made of the contract, and a first start,
 * which makes the user's first one quick. Plain JavaScript, as it may run on a Node.js that is too old for everything else.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { nodeLinesText } from '../src/lib/node-lines.js';

if (!process.features.typescript) {
  console.error(
    `Switchyard runs on ${nodeLinesText}; this is ${process.versions.node}. Run "npm ci" without --omit: it brings the right one.`,
  );
  process.exit(1);
}
// A package that makes the Postman collection asks for localStorage, which Node.js remarks on.
const quiet = '--disable-warning=ExperimentalWarning';
for (const script of ['build.ts', 'docs.ts', 'warm-up.ts']) {
  const { status } = spawnSync(process.execPath, [quiet, path.join(import.meta.dirname, script)], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(1);
}
