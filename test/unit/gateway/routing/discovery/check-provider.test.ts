/** Providers are asked by the vendors' own clients, over real sockets. */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { checkProviders } from '../../../../../src/gateway/routing/discovery/check-provider.ts';
import type { ModelSettings, ProviderSettings } from '../../../../../src/gateway/upstream/settings.ts';
import { canaryKey, providerOf, settingsOf, vendorFor } from '../../../../helpers/vendor-gateway.ts';
import { startVendor, type VendorScript } from '../../../../lib/vendor.ts';

const fixtures = path.join(import.meta.dirname, '../../../../fixtures/tls');

const listed: VendorScript = ({ json, request }) => {
  if (request.path.startsWith('/v1beta/models'))
    return json({ models: [{ name: 'models/gemini-3.8-flash' }, { name: 'models/gemini-4' }] });
  const [path] = request.path.split('?');
  if (path !== '/v1/models') return json({ error: { message: 'nothing here' } }, 404);
  const data = ['one', 'two', 'three'].map((id) => ({
    id,
    object: 'model',
    type: 'model',
    created: 1,
    owned_by: 'x',
  }));
  return json({ object: 'list', data, has_more: false, first_id: 'one', last_id: 'three' });
};

function modelOf(provider: string, model: string): ModelSettings {
  return { id: `${provider}-${model}`, provider, model, temperature: null, fallbacks: [] };
}

async function checkOf(provider: ProviderSettings, models: readonly ModelSettings[] = []) {
  const checks = await checkProviders(settingsOf([provider], { models }));
  expect(JSON.stringify(checks)).not.toContain(canaryKey);
  return checks[0];
}

it('lists the models of each vendor with its own client and its own credentials', async () => {
  const vendor = await vendorFor(listed);
  const root = vendor.baseUrl.replace(/\/v1$/, '');
  const models = [modelOf('openai', 'two'), modelOf('openai', 'four'), modelOf('gemini', 'gemini-4')];
  const providers = [
    providerOf('openai', vendor.baseUrl),
    providerOf('anthropic', root),
    providerOf('gemini', `${root}/v1beta/openai`, { speaks: ['openai-chat', 'gemini'] }),
    providerOf('openai', vendor.baseUrl, { id: 'keyless', apiKey: null }),
  ];
  const checks = await checkProviders(
    settingsOf(providers, { models, aliases: { quick: 'anthropic/five' } }),
  );
  expect(
    checks.map(({ id, problem, models: count, unknownModels }) => [id, problem, count, unknownModels]),
  ).toEqual([
    ['openai', null, 3, ['four']],
    ['anthropic', null, 3, ['five']],
    ['gemini', null, 2, []],
    ['keyless', null, 3, []],
  ]);
  const agents = vendor.requests.map(({ headers }) => headers['user-agent'] ?? '').join(' ');
  for (const client of ['OpenAI/JS', 'Anthropic/JS', 'google-genai-sdk']) expect(agents).toContain(client);
  const keyOf = (header: string) =>
    vendor.requests.filter(({ headers }) => headers[header]?.endsWith(canaryKey));
  expect(['authorization', 'x-api-key', 'x-goog-api-key'].map((header) => keyOf(header).length)).toEqual([
    1, 1, 1,
  ]);
  expect(vendor.requests).toHaveLength(4);
});

it.each([
  [401, 'credentials'],
  [403, 'credentials'],
  [404, 'address'],
  [429, 'rate_limited'],
  [500, 'failed'],
] as const)('says of a vendor that answers %i: %s', async (status, problem) => {
  const vendor = await vendorFor(({ json }) => json({ error: { message: `no: ${canaryKey}` } }, status));
  for (const wire of ['openai', 'anthropic', 'gemini'] as const)
    expect(await checkOf(providerOf(wire, vendor.baseUrl)), wire).toMatchObject({
      reachable: true,
      problem,
      models: null,
      message: expect.stringContaining(String(status)),
    });
});

it('says that nothing listens at an address', async () => {
  const gone = await startVendor(listed);
  await gone.close();
  for (const wire of ['openai', 'anthropic', 'gemini'] as const)
    expect(await checkOf(providerOf(wire, gone.baseUrl)), wire).toMatchObject({
      reachable: false,
      problem: 'unreachable',
      message: 'It cannot be reached (ECONNREFUSED).',
    });
});

it('says that there is no such host', async () => {
  expect(await checkOf(providerOf('openai', 'http://no-such-host.invalid/v1'))).toMatchObject({
    reachable: false,
    problem: 'unreachable',
  });
});

it('says that a certificate is not accepted', async () => {
  const [key, cert] = await Promise.all(
    ['key', 'crt'].map((kind) => readFile(path.join(fixtures, `self-signed.${kind}`))),
  );
  const server = createServer({ key, cert }, (_, response) => response.end('{}'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  for (const wire of ['openai', 'anthropic', 'gemini'] as const)
    expect(await checkOf(providerOf(wire, `https://127.0.0.1:${port}/v1`)), wire).toMatchObject({
      reachable: false,
      problem: 'tls',
    });
});

it('says that an answer is no list of models', async () => {
  const vendor = await vendorFor(({ reply }) =>
    reply(200, '<html>Hello</html>', { 'content-type': 'text/html' }),
  );
  expect(await checkOf(providerOf('openai', vendor.baseUrl))).toMatchObject({
    reachable: true,
    problem: 'invalid_reply',
  });
});

it('takes no key to where an address leads on', async () => {
  const elsewhere = await vendorFor(listed);
  const vendor = await vendorFor(({ reply }) => reply(307, '', { location: `${elsewhere.baseUrl}/models` }));
  for (const wire of ['openai', 'anthropic', 'gemini'] as const)
    expect((await checkOf(providerOf(wire, vendor.baseUrl)))?.problem, wire).not.toBeNull();
  expect(elsewhere.requests).toHaveLength(0);
});
