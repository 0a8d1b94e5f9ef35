/** A server that is started from its bundle does what it does from its sources, which it is started from once they are edited. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { cloneOfCheckout } from '../helpers/contract.ts';
import { eventsIn, finalJob, postDemo } from '../helpers/factory.ts';
import { ask } from '../helpers/http.ts';
import { freePort } from '../lib/server.ts';

const key = 'bundle-test-key-0123456789';
/** What start.js itself needs, to which the bundle is of no help. */
const ofTheStart = ['capacity.ts', 'server-bundle.ts', 'supervisor.ts'];

let clone: string;
beforeAll(() => {
  clone = cloneOfCheckout();
  expect(run('scripts/build.ts')).toMatchObject({ status: 0, stderr: '' });
  // Writes down, by process, what its main thread loads.
  writeFileSync(
    path.join(clone, 'watch.mjs'),
    `import { appendFileSync } from 'node:fs';
    import { registerHooks } from 'node:module';
    import { isMainThread } from 'node:worker_threads';
    if (isMainThread) registerHooks({ load(url, context, next) {
      appendFileSync(process.env.LOADED + '/' + process.pid, url + '\\n');
      return next(url, context);
    } });`,
  );
});
afterAll(() => rmSync(clone, { recursive: true }));

function run(...args: readonly string[]) {
  const flags = ['--disable-warning=ExperimentalWarning'];
  return spawnSync(process.execPath, [...flags, ...args], { cwd: clone, encoding: 'utf8' });
}

interface Started {
  readonly url: string;
  readonly child: ChildProcess;
  readonly output: () => string;
  /** Our own modules that each of its processes has loaded, from the root of the clone. */
  readonly loaded: () => readonly (readonly string[])[];
}

async function start(...args: readonly string[]): Promise<Started> {
  const port = await freePort();
  const data = mkdtempSync(path.join(clone, 'data-'));
  const child = spawn(process.execPath, args, {
    cwd: clone,
    env: {
      PATH: process.env['PATH'],
      PORT: String(port),
      API_KEYS: key,
      DATA_DIR: data,
      DRAIN_DELAY_MS: '0',
      LOADED: data,
      NODE_OPTIONS: `--import=${pathToFileURL(path.join(clone, 'watch.mjs')).href}`,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (output += piece));
  const exited = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await exited;
  });
  await expect.poll(() => `${child.exitCode} ${output}`).toContain('null Switchyard listens on');
  const from = `${pathToFileURL(clone).href}/`;
  return {
    url: `http://127.0.0.1:${port}`,
    child,
    output: () => output,
    loaded: () =>
      readdirSync(data)
        .filter((name) => /^\d+$/.test(name))
        .map((name) => readFileSync(path.join(data, name), 'utf8').trim().split('\n'))
        .map((urls) => urls.filter((url) => url.startsWith(from)).map((url) => url.slice(from.length))),
  };
}

const isOfBundle = (name: string) => /^build\/server\/\w+\/server\.js$/.test(name);
const sourcesIn = (loaded: readonly string[]) =>
  loaded.filter((name) => name.endsWith('.ts') && !ofTheStart.includes(path.basename(name)));

async function chatsAndBuilds({ url }: Started): Promise<void> {
  const chat = await ask(`${url}/v1/chat`, { key, direct: true, body: { message: 'Hello!' } });
  expect([chat.status, chat.json['model']]).toEqual([200, 'sandbox']);
  const input = { text: 'The railway switch connects two tracks near the station.' };
  const feature = await ask(`${url}/v1/ai/keywords`, { key, direct: true, body: { input } });
  expect(feature.status).toBe(200);
  const build = await postDemo({ url }, 'a reading list where I can rate books', { direct: true });
  expect(finalJob(eventsIn(build.text)).status).toBe('succeeded');
  expect((await ask(url, { key: null, direct: true })).status).toBe(200);
}

it.each([
  ['npm start', ['src/start.js']],
  ['switchyard serve', ['src/switchyard.js', 'serve']],
])('is loaded by "%s", answers a chat and builds an app', async (_, args) => {
  const server = await start(...args);
  await chatsAndBuilds(server);
  const [loaded = [], ...others] = server.loaded();
  expect(others).toEqual([]);
  expect(loaded.filter(isOfBundle)).toHaveLength(1);
  // The process replaces itself, by one that has nothing to do with a command line.
  expect(loaded.filter((name) => name === 'src/cli/main.ts')).toHaveLength(args.includes('serve') ? 1 : 0);
  // A module that is loaded from both would have its state twice.
  expect(sourcesIn(loaded.slice(loaded.lastIndexOf('src/start.js')))).toEqual([]);
});

it('is loaded by each of two processes', async () => {
  const server = await start('src/start.js', '--processes', '2');
  const workers = () => server.loaded().filter((loaded) => loaded.some(isOfBundle));
  await expect.poll(() => workers().length).toBe(2);
  await chatsAndBuilds(server);
  for (const loaded of workers()) expect(sourcesIn(loaded)).toEqual([]);
});

it('is left aside once a source is edited: what runs is what the sources say', async () => {
  const file = path.join(clone, 'src/server/server.ts');
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace('Switchyard listens on', 'Switchyard listens on this: '),
  );
  const server = await start('src/start.js');
  await expect.poll(server.output).toContain('Switchyard listens on this: ');
  await chatsAndBuilds(server);
  expect(server.loaded().flat().some(isOfBundle)).toBe(false);
});
