/**
 * `node scripts/release/package.ts <folder>`: makes the package that `npm install` takes, and prints its file. Node.js strips no
 * types of files in `node_modules`, so the package holds compiled modules, with the names and places that they have here.
 */

import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { nodePackages } from '../../src/lib/node-lines.js';
import { serverFiles } from '../generate/build.ts';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  /** Left out while there is none. */
  readonly repository?: unknown;
  readonly type: string;
  readonly bin: unknown;
  readonly engines: unknown;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

const root = path.join(import.meta.dirname, '../..');
/** Beside `src` and `generated`. */
const copied = ['LICENSE', 'README.md', 'CHANGELOG.md', 'SECURITY.md', 'build'];
/** In `build`, where checks leave much else. */
const built = new Set([...serverFiles, 'docs.html', 'guides.json']);
/** These import modules that are compiled; all other JavaScript stays as it is. */
const compiledScripts = new Set(['src/start.js', 'src/switchyard.js']);

const [into] = process.argv.slice(2);
if (!into) throw new Error('Usage: node scripts/release/package.ts <folder>');
mkdirSync(into, { recursive: true });
const folder = mkdtempSync(path.join(tmpdir(), 'switchyard-package-'));
try {
  compile();
  // Over what the compiler has made of JavaScript that it has met.
  for (const name of ['src', 'generated', ...copied]) copy(name);
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
  const args = ['pack', '--silent', '--pack-destination', path.resolve(into)];
  console.log(path.join(into, execFileSync('npm', args, { cwd: folder, encoding: 'utf8' }).trim()));
} finally {
  rmSync(folder, { recursive: true });
}

/** Everything but what is compiled, and what belongs to this folder alone. */
function copy(name: string): void {
  cpSync(path.join(root, name), path.join(folder, name), {
    recursive: true,
    filter: (from) => {
      const [top, inner = ''] = path.relative(root, from).split(path.sep);
      if (top === 'build' && inner !== '' && !built.has(inner)) return false;
      if (compiledScripts.has(path.relative(root, from))) return false;
      return !from.endsWith('.ts') && !from.endsWith('.tsbuildinfo');
    },
  });
}

function compile(): void {
  const config = path.join(folder, 'tsconfig.json');
  const from = (pattern: string) => path.join(root, pattern);
  writeFileSync(
    config,
    JSON.stringify({
      extends: from('tsconfig.json'),
      compilerOptions: {
        rootDir: root,
        outDir: folder,
        noEmit: false,
        noCheck: true,
        target: 'esnext',
        rewriteRelativeImportExtensions: true,
        typeRoots: [from('node_modules/@types')],
      },
      include: ['src/**/*.ts', 'generated/**/*.ts', ...compiledScripts].map(from),
      exclude: [],
    }),
  );
  execFileSync(process.execPath, [from('node_modules/typescript/bin/tsc'), '-p', config], {
    stdio: 'inherit',
  });
  rmSync(config);
}

/** With the Node.js that it runs on, whatever the machine has. */
function manifest() {
  const all = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as Manifest;
  const { name, version, description, license, repository, type, bin, engines } = all;
  const { dependencies, optionalDependencies } = all;
  const missing = Object.values(nodePackages).filter((one) => optionalDependencies[one] === undefined);
  if (missing.length > 0) throw new Error(`package.json names no version of ${missing.join(', ')}.`);
  const needed = { engines, dependencies, optionalDependencies };
  return { name, version, description, license, repository, type, bin, ...needed };
}
