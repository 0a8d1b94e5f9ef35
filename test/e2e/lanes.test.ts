/** Requests on foreign interfaces: as bytes where the provider speaks the client's wire, translated where it does not. */
import { zstdCompressSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { appForThisTest, type TestApp, testKey } from '../helpers/app.ts';
import { textUntilItEnds } from '../helpers/http.ts';
import { anthropicFixture, openAiFixture } from '../helpers/vendor-fixtures.ts';
import { canaryKey, longLimits, providerOf, vendorFor } from '../helpers/vendor-gateway.ts';
import { wireClients } from '../helpers/wire-clients.ts';
import type { VendorRequest, VendorScript } from '../lib/vendor.ts';

async function post(
  app: TestApp,
  path: string,
  body: string | Uint8Array,
  headers: Record<string, string> = {},
) {
  const reply = await fetch(app.url + path, {
    method: 'POST',
    body: Buffer.from(body),
    headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json', ...headers },
  });
  const read = await textUntilItEnds(reply.body as AsyncIterable<unknown>);
  return { status: reply.status, headers: reply.headers, ...read };
}

async function requestOf(app: TestApp, requestId: string | null) {
  const reply = await fetch(`${app.url}/v1/requests/${requestId}`, {
    headers: { authorization: `Bearer ${testKey}` },
  });
  return (await reply.json()) as {
    status: string;
    usage: { completion_tokens: number; source: string } | null;
    model: string;
  };
}

async function openAiVendor(script: VendorScript) {
  const vendor = await vendorFor(script);
  const app = await appForThisTest({
    models: {
      providers: [providerOf('openai', vendor.baseUrl, { speaks: ['openai-chat', 'openai-responses'] })],
      aliases: { fast: 'openai/gpt-4o' },
    },
  });
  return { vendor, app };
}

const vectors = ({ json }: VendorRequest) => ({
  object: 'list',
  data: [{ object: 'embedding', index: 0, embedding: [0.25, -1] }],
  model: json['model'],
  usage: { prompt_tokens: 2, total_tokens: 2 },
});

const question = [{ role: 'user', content: 'Hi' }];

it('passes a whole answer of a vendor that speaks the wire byte by byte, and the request but for the name of the model', async () => {
  const answer = `{ "id" : "x",${JSON.stringify(openAiFixture.reply).slice(1, -1)}, "unheard_of": [1.0, 1e2] }`;
  const { vendor, app } = await openAiVendor(({ reply }) => reply(200, answer));
  const body = `{"model" : "fast",\n "messages":${JSON.stringify(question)}, "unheard_of": {"model": 1.0}}`;
  const { status, text, headers } = await post(app, '/v1/chat/completions', body, {
    'x-stainless-lang': 'js',
    'openai-organization': 'org-mine',
    'x-forwarded-for': '192.0.2.1',
    cookie: 'a=b',
  });
  expect([status, text]).toEqual([200, answer]);
  expect(vendor.requests[0]?.body).toBe(body.replace('"fast"', '"gpt-4o"'));
  expect(vendor.requests[0]?.headers).toMatchObject({
    authorization: `Bearer ${canaryKey}`,
    'x-stainless-lang': 'js',
  });
  for (const kept of ['openai-organization', 'x-forwarded-for', 'cookie', 'x-api-key'])
    expect(vendor.requests[0]?.headers).not.toHaveProperty(kept);
  expect(headers.get('x-switchyard-lane')).toBe('native');
  expect(await requestOf(app, headers.get('x-request-id'))).toMatchObject({
    status: 'succeeded',
    usage: { source: 'provider' },
  });
});

it('passes a stream byte by byte, but for the usage that only we asked for', async () => {
  const { vendor, app } = await openAiVendor(({ events, request }) => {
    const usage =
      'data: {"id":"c","choices":[],"usage":{"prompt_tokens":3,"completion_tokens":4,"total_tokens":7}}\n\n';
    const asked = (request.json['stream_options'] as { include_usage?: boolean } | undefined)?.include_usage;
    const [before = '', ...rest] = openAiFixture.stream.split(/(?=data: \[DONE\])/);
    events(before, ...(asked && !before.includes('"choices":[]') ? [usage] : []), ...rest);
  });
  const wanted = await post(
    app,
    '/v1/chat/completions',
    JSON.stringify({
      model: 'gpt-4o',
      messages: question,
      stream: true,
      stream_options: { include_usage: true },
    }),
  );
  const unwanted = await post(
    app,
    '/v1/chat/completions',
    JSON.stringify({ model: 'gpt-4o', messages: question, stream: true }),
  );
  expect(wanted.text).toContain('"usage"');
  expect(wanted.text.trimEnd().endsWith('data: [DONE]')).toBe(true);
  const frames = (text: string) => text.split(/\r?\n\r?\n/).filter((frame) => !/"choices":\[\]/.test(frame));
  expect(frames(unwanted.text)).toEqual(frames(wanted.text));
  expect(unwanted.text).not.toContain('"choices":[]');
  expect(vendor.requests[1]?.json['stream_options']).toEqual({ include_usage: true });
  const kept = await requestOf(app, unwanted.headers.get('x-request-id'));
  expect(kept).toMatchObject({ status: 'succeeded', usage: { source: 'provider' } });
});

it('hands on what a vendor says against a request in its own words, without any key', async () => {
  const said = JSON.stringify({
    error: {
      message: `Too long, key ${canaryKey}`,
      type: 'invalid_request_error',
      param: 'messages',
      code: 'context_length_exceeded',
    },
  });
  const { app } = await openAiVendor(({ reply }) => reply(400, said));
  const { status, text } = await post(
    app,
    '/v1/chat/completions',
    JSON.stringify({ model: 'gpt-4o', messages: question }),
  );
  expect([status, JSON.parse(text).error.code]).toEqual([400, 'context_length_exceeded']);
  expect(text).not.toContain(canaryKey);
});

it('ends a stream that breaks off with one error event of the wire', async () => {
  const { app } = await openAiVendor(({ eventStream, chunk, lastChunk }) => {
    eventStream();
    chunk(openAiFixture.firstHalf);
    lastChunk();
  });
  const { text, whole, headers } = await post(
    app,
    '/v1/chat/completions',
    JSON.stringify({ model: 'gpt-4o', messages: question, stream: true }),
  );
  expect(whole).toBe(false);
  const last = text.trimEnd().split('\n\n').at(-1) ?? '';
  expect(JSON.parse(last.replace('data: ', '')).error.code).toMatch(/stream_interrupted|server_error/);
  expect(text).not.toContain('[DONE]');
  expect(await requestOf(app, headers.get('x-request-id'))).toMatchObject({ status: 'failed' });
});

it("takes Anthropic's betas to Anthropic, and its answers back", async () => {
  const vendor = await vendorFor(({ json }) => json(anthropicFixture.reply));
  const app = await appForThisTest({ models: { providers: [providerOf('anthropic', vendor.baseUrl)] } });
  const body = JSON.stringify({
    model: 'claude-sonnet-4-6',
    max_tokens: 9,
    messages: question,
    context_management: {},
  });
  const { text, headers } = await post(app, '/anthropic/v1/messages?beta=true', body, {
    'anthropic-beta': 'one-2026-01-01,two',
    'anthropic-version': '2099-01-01',
  });
  expect(text).toBe(JSON.stringify(anthropicFixture.reply));
  expect(vendor.requests[0]).toMatchObject({
    body,
    headers: {
      'anthropic-beta': 'one-2026-01-01,two',
      'anthropic-version': '2099-01-01',
      'x-api-key': canaryKey,
    },
  });
  expect(headers.get('request-id')).toBe(headers.get('x-request-id'));
});

it('translates for a vendor of another wire, and says what was dropped', async () => {
  const vendor = await vendorFor(({ json }) => json(anthropicFixture.reply));
  const app = await appForThisTest({ models: { providers: [providerOf('anthropic', vendor.baseUrl)] } });
  const body = JSON.stringify({
    model: 'claude-sonnet-4-6',
    messages: question,
    metadata: { a: 'b' },
    unheard_of: 1,
  });
  const { status, text, headers } = await post(app, '/v1/chat/completions', zstdCompressSync(body), {
    'content-encoding': 'zstd',
  });
  expect(status).toBe(200);
  expect(JSON.parse(text)).toMatchObject({
    object: 'chat.completion',
    model: 'claude-sonnet-4-6',
    choices: [{ message: { role: 'assistant', content: anthropicFixture.text } }],
  });
  expect(headers.get('x-switchyard-lane')).toBe('translated');
  expect(headers.get('x-switchyard-warnings')).toMatch(/unknown_field_dropped;param=unheard_of/);
  expect(vendor.requests[0]?.json).toMatchObject({
    model: 'claude-sonnet-4-6',
    messages: [{ role: 'user' }],
  });
  const refused = await post(
    app,
    '/v1/chat/completions',
    JSON.stringify({ model: 'claude-sonnet-4-6', messages: question, logprobs: true }),
  );
  expect([refused.status, JSON.parse(refused.text).error.param]).toEqual([400, 'logprobs']);
});

it('takes embeddings to a vendor as they are, from another one by translation, and makes vectors in the sandbox', async () => {
  const { app, vendor } = await openAiVendor(({ json, request }) => json(vectors(request)));
  const input = JSON.stringify({ model: 'openai/text-embedding-3-small', input: 'Hi' });
  const native = await post(app, '/v1/embeddings', input);
  expect(vendor.requests[0]?.path).toBe('/v1/embeddings');
  expect(JSON.parse(native.text).data[0].embedding).toEqual([0.25, -1]);
  expect(await requestOf(app, native.headers.get('x-request-id'))).toMatchObject({
    usage: { prompt_tokens: 2 },
  });
  const google = await post(
    app,
    '/v1beta/models/openai/text-embedding-3-small:embedContent',
    JSON.stringify({ content: { parts: [{ text: 'Hi' }] } }),
  );
  expect(JSON.parse(google.text).embedding).toEqual({ values: [0.25, -1] });
  const sandbox = await post(
    app,
    '/v1/embeddings',
    JSON.stringify({ model: 'sandbox', input: ['a cat', 'cats'], encoding_format: 'base64', dimensions: 8 }),
  );
  const [first] = JSON.parse(sandbox.text).data as { embedding: string }[];
  expect(Buffer.from(first?.embedding ?? '', 'base64')).toHaveLength(32);
});

it('refuses vectors of another length than a Gemini client asks for', async () => {
  const vendor = await vendorFor(({ json }) =>
    json({ object: 'list', data: [{ object: 'embedding', index: 0, embedding: [0.25, -1, 0.5] }] }),
  );
  const app = await appForThisTest({
    models: { providers: [providerOf('openai', vendor.baseUrl)], maxAttempts: 3 },
  });
  const ask = (outputDimensionality: number) =>
    post(
      app,
      '/v1beta/models/openai/e5:embedContent',
      JSON.stringify({ content: { parts: [{ text: 'Hi' }] }, outputDimensionality }),
    );
  const { status, text } = await ask(2);
  expect([status, JSON.parse(text).error.status]).toEqual([400, 'INVALID_ARGUMENT']);
  expect(text).toContain('gives vectors of 3 numbers, although 2 were asked for');
  expect(vendor.requests).toHaveLength(1);
  expect((await ask(3)).status).toBe(200);
});

it('asks Gemini for the vectors of a hundred texts at a time', async () => {
  const vendor = await vendorFor(({ json, request }) => {
    const asked = request.json['requests'] as { content: { parts: [{ text: string }] } }[];
    const embeddings = asked.map(({ content }) => ({ values: [Number(content.parts[0].text)] }));
    return json({ embeddings, usageMetadata: { promptTokenCount: asked.length } });
  });
  const app = await appForThisTest({ models: { providers: [providerOf('gemini', vendor.baseUrl)] } });
  const input = Array.from({ length: 250 }, (_, index) => String(index));
  const { text } = await post(app, '/v1/embeddings', JSON.stringify({ model: 'gemini/embedding', input }));
  const { data, usage } = JSON.parse(text) as { data: { embedding: number[] }[]; usage: object };
  expect(data.map(({ embedding }) => String(embedding[0]))).toEqual(input);
  expect(usage).toMatchObject({ prompt_tokens: 250 });
  expect(vendor.requests).toHaveLength(3);
});

it('refuses an embedding where the provider has none, and says who has', async () => {
  const vendor = await vendorFor(({ json }) => json({}));
  const app = await appForThisTest({ models: { providers: [providerOf('anthropic', vendor.baseUrl)] } });
  const { status, text } = await post(
    app,
    '/v1/embeddings',
    JSON.stringify({ model: 'claude-sonnet-4-6', input: 'Hi' }),
  );
  expect([status, JSON.parse(text).error.param]).toEqual([400, 'model']);
  expect(JSON.parse(text).error.message).toContain('text-embedding-3-small');
});

it("lets a vendor's client in a browser send the headers that it has, and read what the reply says of itself", async () => {
  const app = await appForThisTest();
  const asked = 'authorization,content-type,x-stainless-lang,anthropic-version';
  const preflight = await fetch(`${app.url}/v1/messages`, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://app.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': asked,
    },
  });
  expect(preflight.headers.get('access-control-allow-headers')).toBe(asked);
  const strange = await fetch(`${app.url}/v1/messages`, {
    method: 'OPTIONS',
    headers: { 'access-control-request-method': 'POST', 'access-control-request-headers': 'a b, "c"' },
  });
  expect(strange.headers.get('access-control-allow-headers')).toMatch(/^authorization, /);
  const { headers } = await post(
    app,
    '/v1/messages',
    JSON.stringify({ model: 'x', max_tokens: 1, messages: question }),
    { origin: 'https://app.example' },
  );
  for (const name of ['request-id', 'x-switchyard-warnings'])
    expect(headers.get('access-control-expose-headers')).toContain(name);
  const program = await post(
    app,
    '/v1/messages',
    JSON.stringify({ model: 'x', max_tokens: 1, messages: question }),
  );
  expect(program.headers.get('access-control-allow-origin')).toBe('*');
  expect(program.headers.has('access-control-expose-headers')).toBe(false);
});

it('asks the fallback where the first byte takes longer than the operator set, on every interface', async () => {
  const silent = await vendorFor(() => undefined);
  const vendor = await vendorFor(({ json, request }) =>
    json(request.path.endsWith('/embeddings') ? vectors(request) : openAiFixture.reply),
  );
  const limits = { firstByte: 60, total: 1900 };
  const app = await appForThisTest({
    models: {
      providers: [
        providerOf('openai', silent.baseUrl, { id: 'silent' }),
        providerOf('openai', vendor.baseUrl, { id: 'other' }),
      ],
      models: [
        { id: 'best', provider: 'silent', model: 'm', temperature: null, fallbacks: ['other/m'] },
        { id: 'alone', provider: 'silent', model: 'm', temperature: null, fallbacks: [] },
      ],
      maxAttempts: 2,
      timeLimits: { ...longLimits, ...limits, set: limits },
    },
  });
  const asked = [
    ...Object.values(wireClients).map(
      ({ path, body }) => [path('best', false), body('best', { text: 'Hi' })] as const,
    ),
    ['/v1/embeddings', { model: 'best', input: ['Hi'] }] as const,
  ];
  for (const [path, body] of asked) {
    const { status, headers } = await post(app, path, JSON.stringify(body));
    expect([path, status, headers.get('x-switchyard-provider')]).toEqual([path, 200, 'other']);
  }
  const alone = JSON.stringify({ model: 'alone', messages: question, stream: true });
  expect((await post(app, '/v1/chat/completions', alone)).status).toBe(504);
});
