import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { Reloads } from '../../src/config/reloads.ts';
import { appForThisTest, digestForTests, type TestApp, testAdminPassword, testKey } from '../helpers/app.ts';
import { switchyard } from '../helpers/cli.ts';
import { root } from '../helpers/contract.ts';
import { ask } from '../helpers/http.ts';
import { startMcpServer } from '../helpers/mcp-server.ts';
import { fileFor, key, serverWith, vendorNamed } from '../helpers/reload.ts';
import { openAiFixture } from '../helpers/vendor-fixtures.ts';
import { canaryKey, providerOf, vendorFor } from '../helpers/vendor-gateway.ts';
import type { VendorScript } from '../lib/vendor.ts';

/** Reloads of the configuration while the server runs; `reload.long.test.ts` has all that servers as processes do. */
describe('reloads', () => {
  it('a reload exchanges the provider, and lets a stream end on the old one', async () => {
    let goOn = () => {};
    const middle = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const [one, other] = await Promise.all([
      vendorFor(vendorNamed('one', middle)),
      vendorFor(vendorNamed('other')),
    ]);
    const server = await serverWith(fileFor(one));
    const stream = await fetch(`${server.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'who', stream: true, messages: [{ role: 'user', content: 'Who?' }] }),
    });
    expect(stream.status).toBe(200);
    await server.write(fileFor(other));
    const { status, json } = await server.reload();
    expect(status).toBe(200);
    expect(json.changes).toEqual([
      { section: 'providers', name: 'house', change: 'changed', fields: ['base_url'] },
    ]);
    expect(await server.chat()).toBe('other');
    goOn();
    const text = await stream.text();
    expect(text).toContain('one begins');
    expect(text).toContain('and one ends');
    expect(text).toContain('[DONE]');
    expect(one.requests).toHaveLength(1);
  });

  it('is refused with every problem by a server in this process, whose replies are held against the contract', async () => {
    let text = 'aliases: {fast: sandbox/echo}';
    const read = () => readConfig({ SWITCHYARD_CONFIG: '/etc/switchyard.yaml' }, async () => text);
    const started = await read();
    const config = new Reloads({
      config: started,
      file: started.file,
      read,
      apply: async () => undefined,
      pseudonym: digestForTests,
      now: Date.now,
    });
    const app = await appForThisTest({ config });
    const reload = () =>
      ask(`${app.url}/api/admin/config/reload`, { method: 'POST', key: testAdminPassword });
    text = 'alias: {}\nmodel: {}';
    const refused = await reload();
    expect(refused.status).toBe(409);
    expect(refused.error.details).toHaveLength(2);
    text = 'aliases: {quick: sandbox/echo}';
    const { status, json } = await reload();
    expect(status).toBe(200);
    expect(
      json.changes.map(({ name, change }: { name: string; change: string }) => `${name} ${change}`).sort(),
    ).toEqual(['fast removed', 'quick added']);
    expect((await ask(`${app.url}/api/admin/config`, { key: testAdminPassword })).json).toEqual(json.config);
  });
});

/** The commands about the configuration, as processes of their own. */
describe('the commands about it', () => {
  async function fileWith(text: string) {
    const directory = await mkdtemp(path.join(tmpdir(), 'switchyard-config-'));
    onTestFinished(() => rm(directory, { recursive: true }));
    const file = path.join(directory, 'switchyard.yaml');
    await writeFile(file, text);
    return { file, directory, dataDir: path.join(directory, 'data') };
  }

  const broken = `providers:
  groq:
    base_url: https://api.groq.com/openai/v1
    api_key: \${MISSING_KEY}
aliases:
  fast: nothing-there
`;

  describe('config check', () => {
    it('finds nothing wrong with a right file, and opens no database', async () => {
      const { file, directory, dataDir } = await fileWith('aliases: {fast: sandbox/echo}\n');
      const { code, stdout, stderr } = await switchyard({ DATA_DIR: dataDir }, 'config', 'check', file);
      expect({ code, stdout, stderr }).toEqual({
        code: 0,
        stdout: `${file} and the settings are right.\n`,
        stderr: '',
      });
      expect(await readdir(directory)).toEqual(['switchyard.yaml']);
    });

    it('tells everything that is wrong in the file and in the environment', async () => {
      const { file } = await fileWith(broken);
      const { code, stdout } = await switchyard({ PORT: 'x' }, 'config', 'check', file);
      expect(code).toBe(1);
      const lines = stdout.trimEnd().split('\n');
      expect(lines).toHaveLength(3);
      expect(lines[0]).toBe('PORT is "x"; expected a whole number from 0 to 65535.');
      expect(lines[1]).toMatch(
        `${file}:4:14: providers.groq.api_key: the environment variable MISSING_KEY is not set`,
      );
      expect(lines[2]).toContain(`${file}:6:9: aliases.fast: `);
    });

    it('says where as JSON, too', async () => {
      const { file } = await fileWith(broken);
      const env = { PORT: 'x', SWITCHYARD_CONFIG: file };
      const { code, json } = await switchyard(env, 'config', 'check', '--json');
      expect(code).toBe(1);
      expect(json.valid).toBe(false);
      expect(json.problems).toEqual([
        { file: null, line: null, column: null, message: expect.stringContaining('PORT') },
        { file, line: 4, column: 14, message: expect.stringMatching(/^providers\.groq\.api_key: /) },
        { file, line: 6, column: 9, message: expect.stringMatching(/^aliases\.fast: /) },
      ]);
    });

    it('checks the settings alone where there is no file', async () => {
      expect(await switchyard({}, 'config', 'check')).toMatchObject({
        code: 0,
        stdout: 'The settings are right; there is no file.\n',
      });
    });

    it('tells of a file that is missing', async () => {
      const { code, stdout } = await switchyard({}, 'config', 'check', '/nowhere/switchyard.yaml');
      expect(code).toBe(1);
      expect(stdout).toBe(
        'SWITCHYARD_CONFIG is "/nowhere/switchyard.yaml"; the file cannot be read (ENOENT).\n',
      );
    });
  });

  describe('the schema of the file', () => {
    it('is the same from the command and from a server', async () => {
      const { url } = await appForThisTest();
      const reply = await fetch(`${url}/config.schema.json`);
      expect(reply.status).toBe(200);
      expect(reply.headers.get('content-type')).toBe('application/schema+json; charset=utf-8');
      const served = (await reply.json()) as object;
      expect((await switchyard({}, 'config', 'schema')).json).toEqual(served);
      expect(served).toMatchObject({ $schema: 'https://json-schema.org/draft/2020-12/schema' });
    });
  });

  describe('mcp', () => {
    it('says of each server whether it is there, and what its tools are called', async () => {
      const docs = await startMcpServer();
      onTestFinished(() => docs.close());
      const { file } = await fileWith(`mcp_servers:
  docs: { url: '${docs.url}' }
  gone: { url: 'http://127.0.0.1:1/mcp' }
`);
      const env = { SWITCHYARD_CONFIG: file };
      const checked = await switchyard(env, 'mcp', 'check', '--json');
      expect(checked.code).toBe(1);
      expect(checked.json).toMatchObject([
        {
          id: 'docs',
          problem: null,
          tools: [{ name: 'weather.of', name_of_all: 'docs_weather_of' }, {}, {}, {}],
        },
        { id: 'gone', problem: expect.stringContaining('failed'), tools: [] },
      ]);
      const listed = await switchyard(env, 'mcp', 'list');
      expect(listed.stdout).toMatch(/^docs +weather\.of +docs_weather_of$/m);
      expect(listed.stdout).toMatch(/^gone: /m);
    });
  });
});

/** How providers stand, on the command line, in the admin area and in the list of models. */
describe('how providers stand', () => {
  const listing: VendorScript = ({ json }) => {
    const data = ['gpt-4o', 'gpt-9'].map((id) => ({ id, object: 'model', created: 1, owned_by: 'openai' }));
    json({ object: 'list', data });
  };
  const refusing: VendorScript = ({ json }) => json({ error: { message: `bad key ${canaryKey}` } }, 401);

  /** Runs the command with a configuration of two providers. */
  async function check(...args: string[]) {
    const [good, bad] = await Promise.all([vendorFor(listing), vendorFor(refusing)]);
    const folder = await mkdtemp(path.join(tmpdir(), 'switchyard-check-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = path.join(folder, 'switchyard.yaml');
    await writeFile(
      file,
      `providers:
  good: {base_url: "${good.baseUrl}", api_key: "\${GOOD_KEY}"}
  bad: {base_url: "${bad.baseUrl}", api_key: "\${GOOD_KEY}"}
models:
  quick: {provider: good, model: gpt-4o}
  lost: {provider: good, model: gpt-0}
`,
    );
    const env = { SWITCHYARD_CONFIG: file, GOOD_KEY: canaryKey, DATA_DIR: folder };
    return switchyard(env, 'providers', 'check', ...args);
  }

  it('is told by the command as a table, without any key', async () => {
    const { code, stdout, stderr } = await check();
    expect([code, stderr]).toEqual([1, '']);
    expect(stdout).toMatch(/^PROVIDER +STATE +MS +MODELS +ADDRESS +WHAT$/m);
    expect(stdout).toMatch(/^good +ok +\d+ +2 .*It lists 2 models\.$/m);
    expect(stdout).toMatch(/^bad +credentials +\d+ +- .*It refuses the key of this server \(401\)\.$/m);
    expect(stdout).toContain('good does not list: gpt-0');
    expect(stdout).not.toContain(canaryKey);
  });

  it('is told by the command as JSON', async () => {
    const { json, stdout } = await check('--json');
    expect(json).toMatchObject([
      {
        id: 'good',
        reachable: true,
        problem: null,
        models: 2,
        unknown_models: ['gpt-0'],
        latency_ms: expect.any(Number),
      },
      { id: 'bad', reachable: true, problem: 'credentials', models: null, unknown_models: [] },
    ]);
    expect(stdout).not.toContain(canaryKey);
  });

  it('is fine where no provider is configured', async () => {
    const { code, stdout } = await switchyard({}, 'providers', 'check');
    expect([code, stdout]).toEqual([0, 'No provider is configured; the sandbox answers.\n']);
  });

  it('is shown in the admin area', async () => {
    const [good, bad] = await Promise.all([vendorFor(listing), vendorFor(refusing)]);
    const app = await appForThisTest({
      models: {
        providers: [providerOf('openai', good.baseUrl), providerOf('anthropic', bad.baseUrl)],
        aliases: { lost: 'openai/gpt-0' },
      },
    });
    const { token } = await app.accounts.sessions.begin(null);
    const address = `${app.url}/admin/factory/settings/api-keys?view=providers`;
    const reply = await fetch(address, { headers: { cookie: `switchyard_admin=${token}` } });
    const text = await reply.text();
    expect(reply.status).toBe(200);
    for (const shown of ['It lists 2 models.', 'It refuses the key', '<code>gpt-0</code>', good.baseUrl])
      expect(text).toContain(shown);
    expect(text).not.toContain(canaryKey);
    const asked = good.requests.length;
    expect(await (await fetch(address)).text()).toContain('Sign in');
    expect(good.requests).toHaveLength(asked);
  });

  it('shows what a provider lists among the models, and routes it, where the operator wants it', async () => {
    const vendor = await vendorFor(listing);
    const other = await vendorFor(listing);
    const app = await appForThisTest({
      models: {
        providers: [
          providerOf('openai', vendor.baseUrl, { discover: true }),
          providerOf('openai', other.baseUrl, { id: 'second', patterns: [] }),
        ],
      },
    });
    expect(await modelNames(app, '/v1/models')).toContain('gpt-9');
    expect(await modelNames(app, '/v1beta/models')).toContain('models/gpt-9');
    expect(vendor.requests.map((request) => request.path)).toEqual(['/v1/models']);
    expect(other.requests).toHaveLength(0);
  });

  async function modelNames(app: TestApp, at: string): Promise<string[]> {
    const reply = await fetch(app.url + at, { headers: { authorization: `Bearer ${testKey}` } });
    const { data, models } = (await reply.json()) as { data?: { id: string }[]; models?: { name: string }[] };
    return data?.map(({ id }) => id) ?? models?.map(({ name }) => name) ?? [];
  }
});

/** By a server of its own: in this process other tests have loaded the parts of undici that chats leave out. */
it('reaches vendors of `https:` through a proxy', async () => {
  const fixture = (name: string) => readFileSync(path.join(root, 'test/fixtures/tls', name));
  const tls = { key: fixture('self-signed.key'), cert: fixture('self-signed.crt') };
  const vendor = createTlsServer(tls, (_, reply) => {
    reply.setHeader('content-type', 'application/json').end(JSON.stringify(openAiFixture.reply));
  });
  const asked: string[] = [];
  const proxy = createServer((socket) => {
    socket.once('data', (head) => {
      asked.push(head.toString().split('\r\n', 1)[0] ?? '');
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      const through = connect((vendor.address() as AddressInfo).port, '127.0.0.1');
      socket.pipe(through).pipe(socket);
      for (const end of [socket, through]) end.on('error', () => undefined);
    });
  });
  for (const server of [vendor, proxy]) {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
  }
  const server = await serverWith(fileFor({ baseUrl: 'https://vendor.example/v1' }), {
    HTTPS_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    NODE_TLS_REJECT_UNAUTHORIZED: '0',
  });
  expect(await server.chat()).toBe(openAiFixture.text);
  expect(asked).toEqual(['CONNECT vendor.example:443 HTTP/1.1']);
});
