import { readFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createCatalogue } from '../../../../../src/gateway/routing/catalogue.ts';
import { checkProviders } from '../../../../../src/gateway/routing/discovery/check-provider.ts';
import { Discovery } from '../../../../../src/gateway/routing/discovery/discovered-models.ts';
import type { ModelSettings, ProviderSettings } from '../../../../../src/gateway/upstream/settings.ts';
import { canaryKey, providerOf, settingsOf, vendorFor } from '../../../../helpers/vendor-gateway.ts';
import { startVendor, type VendorScript } from '../../../../lib/vendor.ts';

/** Providers are asked by the vendors' own clients, over real sockets. */

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

describe('the models that are discovered', () => {
  const provider = providerOf('openai', 'http://x/v1', { discover: true });

  function discovery(answers: (readonly string[] | Error)[]) {
    const asked: string[] = [];
    const clock = { ms: 1 };
    const list = async ({ id }: { readonly id: string }) => {
      asked.push(id);
      const answer = answers[asked.length - 1] ?? new Error('no answer');
      if (answer instanceof Error) throw answer;
      return answer;
    };
    const others = [providerOf('anthropic', 'http://y')];
    return { asked, clock, found: new Discovery([provider, ...others], list, () => clock.ms) };
  }

  it('asks a provider that is to be discovered once in ten minutes, and no other', async () => {
    const { asked, clock, found } = discovery([['a', 'b', 'b', 'with space'], ['c']]);
    await Promise.all([found.refresh(), found.refresh()]);
    expect([asked, found.current]).toEqual([['openai'], [{ provider: 'openai', names: ['a', 'b'] }]]);
    clock.ms += 599_000;
    await found.refresh();
    expect(asked).toHaveLength(1);
    clock.ms += 1_000;
    await found.refresh();
    expect(asked).toHaveLength(2);
    await expect.poll(() => found.current).toEqual([{ provider: 'openai', names: ['c'] }]);
  });

  it('keeps the last list of a provider that fails', async () => {
    const { asked, clock, found } = discovery([['a'], new Error('down'), ['b']]);
    await found.refresh();
    clock.ms += 600_000;
    await found.refresh();
    await expect.poll(() => asked).toHaveLength(2);
    expect(found.current[0]?.names).toEqual(['a']);
    clock.ms += 60_000;
    await found.refresh();
    await expect.poll(() => found.current[0]?.names).toEqual(['b']);
  });

  it('shows what is discovered under the name that leads there, once', () => {
    const catalogue = createCatalogue(
      settingsOf([provider, providerOf('openai', 'http://z/v1', { id: 'groq', patterns: [] })], {
        models: [{ id: 'fast', provider: 'groq', model: 'llama-4', temperature: null, fallbacks: [] }],
        aliases: { 'gpt-mine': 'fast' },
      }),
    );
    const before = catalogue.list().data.map(({ id }) => id);
    const after = catalogue
      .list([
        { provider: 'openai', names: ['gpt-new', 'gpt-4o', 'gpt-mine', 'whisper-9'] },
        { provider: 'groq', names: ['llama-4', 'llama-5', 'gpt-oss'] },
      ])
      .data.map(({ id }) => id);
    expect(after.slice(0, before.length)).toEqual(before);
    expect(after.slice(before.length)).toEqual([
      'gpt-new',
      'openai/gpt-mine',
      'openai/whisper-9',
      'groq/llama-4',
      'groq/llama-5',
      'groq/gpt-oss',
    ]);
    for (const id of after.slice(before.length)) expect(catalogue.find(id)).toMatchObject({ id });
  });

  it('names what is discovered to whoever asks for a model that there is not', () => {
    const providers = [providerOf('openai', 'http://z/v1', { id: 'local', patterns: [] })];
    const current = () => [{ provider: 'local', names: ['smollm2'] }];
    const catalogue = createCatalogue(settingsOf(providers), current);
    expect(() => catalogue.resolve('smollm')).toThrow('Known are local/smollm2, sandbox');
  });
});

it('says that a proxy refuses, and not that the vendor is slow', async () => {
  const refused = Object.assign(new TypeError('fetch failed'), {
    cause: Object.assign(new Error('Proxy response (407) !== 200 when HTTP Tunneling'), {
      name: 'AbortError',
    }),
  });
  const settings = settingsOf([providerOf('openai', 'https://vendor.example/v1')]);
  const [check] = await checkProviders(settings, () => Promise.reject(refused));
  expect(check).toMatchObject({
    problem: 'unreachable',
    message: expect.stringMatching(/proxy answers 407/),
  });
});
