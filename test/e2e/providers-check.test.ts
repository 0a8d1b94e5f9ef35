/** How providers stand, on the command line, in the admin area and in the list of models. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { appForThisTest, type TestApp, testKey } from '../helpers/app.ts';
import { switchyard } from '../helpers/cli.ts';
import type { VendorScript } from '../helpers/vendor.ts';
import { canaryKey, providerOf, vendorFor } from '../helpers/vendor-gateway.ts';

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
