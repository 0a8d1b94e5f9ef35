/** The bundle of a small server, in a folder of its own: when it is used, and what is left of those before. */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { makeServerBundle } from '../../../scripts/generate/server-bundle.ts';
import { bundlesFolder, recordFile, serverBundle } from '../../../src/lib/server-bundle.ts';

const sources = {
  'package.json': '{ "type": "module" }',
  'src/server/server.ts': `
    import { readFileSync } from 'node:fs';
    import path from 'node:path';
    import own from 'own';
    import { told } from './processes/worker.ts';
    import { OwnError } from './own-error.ts';
    class NotOwn { static OwnError = class OwnError extends Error {} }
    const text = readFileSync(path.join(import.meta.dirname, 'text.md'), 'utf8');
    const { later } = await import('./later.ts');
    /** Not ASCII — and no part of what the server does. */
    const marks = ['3×4÷'.replaceAll(/[\u00d7×\\÷]|😀/g, '*'), 'a😀'.search(/^a[😀]$/u), \`“\${1}”\`, String.raw\`é\\n\`];
    const names = [OwnError.name, NotOwn.OwnError.name, new OwnError().constructor.name];
    console.log(JSON.stringify({ text, own, marks, names, later, told: told(), url: import.meta.url }));`,
  'src/server/own-error.ts': 'export class OwnError extends Error {}',
  'src/server/later.ts': `
    import { createRequire } from 'node:module';
    class OwnError {}
    const { from } = await import('own');
    export const later: unknown =
      [createRequire(import.meta.url)('own'), from, import.meta.filename, OwnError.name];`,
  'src/server/text.md': 'beside the source',
  'src/server/processes/worker.ts':
    'let times: number = 0;\nexport const told = () => { times += 1; return times; };',
  'node_modules/own/package.json': '{ "name": "own", "version": "1.0.0" }',
  'node_modules/own/index.js':
    "exports.from = __dirname;\nexports.file = require('node:path').basename(__filename);",
};

/** A repository of that, changed a minute ago. */
function repository(): string {
  const root = mkdtempSync(path.join(tmpdir(), 'switchyard-bundle-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const minuteAgo = Date.now() / 1000 - 60.5;
  for (const [name, text] of Object.entries(sources)) {
    const file = path.join(root, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    utimesSync(file, minuteAgo, minuteAgo);
  }
  return root;
}

function edit(root: string, name: string, from: string, to: string): void {
  const file = path.join(root, name);
  const before = readFileSync(file, 'utf8');
  const { mtimeMs } = statSync(file);
  writeFileSync(file, before.replace(from, to));
  expect(readFileSync(file, 'utf8')).not.toBe(before);
  // As an editor does a second later, and long before the next bundle is made.
  utimesSync(file, mtimeMs / 1000 + 1, mtimeMs / 1000 + 1);
}

/** What a server says that is loaded from there. */
function says(url: string | undefined): unknown {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', `await import(${JSON.stringify(url)})`],
    {
      encoding: 'utf8',
    },
  );
  expect(stderr.replaceAll(/^.*(ExperimentalWarning|--trace-warnings).*\n/gm, '')).toBe('');
  return JSON.parse(stdout);
}

const foldersOf = (root: string) =>
  readdirSync(bundlesFolder(root), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
const folderOf = (root: string) => path.basename(path.dirname(serverBundle(root)?.server ?? ''));

it('does what the sources do, and knows where they are', async () => {
  const root = repository();
  await makeServerBundle(root);
  const bundle = serverBundle(root);
  const told = says(pathToFileURL(path.join(root, 'src/server/server.ts')).href);
  expect(told).toMatchObject({ text: 'beside the source', own: { file: 'index.js' }, told: 1 });
  expect(says(bundle?.server)).toEqual(told);
  expect(existsSync(new URL(bundle?.worker ?? ''))).toBe(true);
  const written = readFileSync(new URL(bundle?.server ?? ''), 'utf8');
  // What is tagged is read as it is written; nothing else needs V8 to hold the module in two bytes a character.
  expect(written.replace('String.raw`é', '')).toMatch(/^[\0-\x7f]*$/);
  expect(written).not.toContain('no part of what the server does');
  // In parentheses, so that V8 compiles it with the file, for Node's cache.
  expect(textOfAll(root)).toMatch(
    /"node_modules\/own\/index\.js":\(function\(exports\d*\)\{[\s\S]*?\}\)\}\)/,
  );
});

/** All modules of the current bundle. */
function textOfAll(root: string): string {
  const folder = path.join(bundlesFolder(root), folderOf(root));
  const modules = readdirSync(folder).filter((name) => name.endsWith('.js'));
  return modules.map((name) => readFileSync(path.join(folder, name), 'utf8')).join('\n');
}

it.each<[string, (root: string) => void]>([
  [
    'a source was edited to as many bytes',
    (root) => edit(root, 'src/server/processes/worker.ts', '+= 1', '+= 2'),
  ],
  [
    'a source that is loaded later was edited',
    (root) => edit(root, 'src/server/later.ts', 'unknown', 'unknown[]'),
  ],
  ['a source is older than it was', (root) => utimesSync(path.join(root, 'src/server/server.ts'), 1e9, 1e9)],
  ['a source is gone', (root) => rmSync(path.join(root, 'src/server/own-error.ts'))],
  ['a package is another version', (root) => edit(root, 'node_modules/own/package.json', '1.0.0', '1.0.1')],
  ['a package is gone', (root) => rmSync(path.join(root, 'node_modules/own'), { recursive: true })],
  ['a file of it is gone', (root) => rmSync(new URL(serverBundle(root)?.worker ?? ''))],
  [
    'all of its files are gone',
    (root) => rmSync(path.join(bundlesFolder(root), folderOf(root)), { recursive: true }),
  ],
  ['its record is no JSON', (root) => writeFileSync(recordFile(root), '{ "folder": "')],
  ['its record is gone', (root) => rmSync(recordFile(root))],
])('is not used where %s, until it is made again', async (_, change) => {
  const root = repository();
  expect(serverBundle(root)).toBeNull();
  await makeServerBundle(root);
  expect(serverBundle(root)).not.toBeNull();
  change(root);
  expect(serverBundle(root)).toBeNull();
  for (const [name, text] of Object.entries(sources)) {
    if (existsSync(path.join(root, name))) continue;
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), text);
    utimesSync(path.join(root, name), 1e9, 1e9);
  }
  await makeServerBundle(root);
  expect(serverBundle(root)).not.toBeNull();
});

it('is used where files have lost the parts of a second of their times, as in an image', async () => {
  const root = repository();
  await makeServerBundle(root);
  for (const name of Object.keys(sources)) {
    const seconds = Math.floor(statSync(path.join(root, name)).mtimeMs / 1000);
    utimesSync(path.join(root, name), seconds, seconds);
  }
  expect(serverBundle(root)).not.toBeNull();
});

it('is not made of sources that are edited meanwhile', async () => {
  const root = repository();
  const inAMinute = Date.now() / 1000 + 60;
  utimesSync(path.join(root, 'src/server/later.ts'), inAMinute, inAMinute);
  await makeServerBundle(root);
  expect(serverBundle(root)).toBeNull();
});

it('stays while the next is made and used, for servers that load of it later', async () => {
  const root = repository();
  await makeServerBundle(root);
  const first = folderOf(root);
  edit(root, 'src/server/processes/worker.ts', '+= 1', '+= 2');
  await makeServerBundle(root);
  const second = folderOf(root);
  expect(foldersOf(root)).toEqual([first, second].sort());
  await makeServerBundle(root);
  expect([folderOf(root), foldersOf(root)]).toEqual([second, [first, second].sort()]);
  edit(root, 'src/server/processes/worker.ts', '+= 2', '+= 3');
  await makeServerBundle(root);
  expect(foldersOf(root)).toEqual([second, folderOf(root)].sort());
});
