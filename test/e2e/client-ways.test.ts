/** What clients of foreign interfaces do besides asking a model. Each way was seen of the client that is named. */
import { request } from 'node:http';
import Anthropic from '@anthropic-ai/sdk';
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema';
import { expect, it } from 'vitest';
import { appForThisTest, testKey } from '../helpers/app.ts';
import type { VendorScript } from '../helpers/vendor.ts';
import { anthropicFixture, openAiFixture } from '../helpers/vendor-fixtures.ts';
import { canaryKey, providerOf, vendorFor } from '../helpers/vendor-gateway.ts';

async function appWith(wire: 'openai' | 'anthropic' | 'gemini', script: VendorScript, pingMs = 10_000) {
  const vendor = await vendorFor(script);
  const app = await appForThisTest({ models: { providers: [providerOf(wire, vendor.baseUrl)] }, pingMs });
  return { app, vendor };
}

it('lists models whatever a client adds to the query, as Claude Code does with a limit and Codex with its version', async () => {
  const app = await appForThisTest();
  const get = async (query: string) => {
    const reply = await fetch(`${app.url}/v1/models${query}`, {
      headers: { authorization: `Bearer ${testKey}` },
    });
    return [reply.status, await reply.json()];
  };
  const plain = await get('');
  expect(plain[0]).toBe(200);
  for (const query of [
    '?limit=1000',
    '?limit=1000&beta=true&after_id=a&after_id=b',
    '?client_version=0.169.0',
  ])
    expect(await get(query)).toEqual(plain);
});

it('refuses a WebSocket with 426, after which Codex goes on over HTTP at once', async () => {
  const app = await appForThisTest();
  const headers = {
    authorization: `Bearer ${testKey}`,
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': '64aDsOU7WzalEUFd+ceBsw==',
  };
  const reply = await new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
    const call = request(`${app.url}/v1/responses`, { headers }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        body += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode, body }));
    });
    call.on('upgrade', () => reject(new Error('it was upgraded')));
    call.on('error', reject).end();
  });
  expect(reply.status).toBe(426);
  expect(JSON.parse(reply.body)).toMatchObject({ error: { code: 'websocket_unsupported' } });
  const plain = await fetch(`${app.url}/v1/responses`, { headers: { authorization: `Bearer ${testKey}` } });
  expect(plain.status).toBe(405);
});

it("says that no thread is kept so that the loop of Anthropic's own client sends the whole conversation", async () => {
  const { app, vendor } = await appWith('openai', ({ request: { json }, reply }) => {
    const messages = json['messages'] as { role: string }[];
    const call = {
      id: 'call_1',
      type: 'function',
      function: { name: 'get_weather', arguments: '{"city":"Oslo"}' },
    };
    const answered = messages.some(({ role }) => role === 'tool');
    const message = answered
      ? { role: 'assistant', content: 'It rains.' }
      : { role: 'assistant', content: null, tool_calls: [call] };
    const answer = {
      id: 'x',
      object: 'chat.completion',
      created: 1,
      model: 'gpt-4o',
      choices: [{ index: 0, message, finish_reason: answered ? 'stop' : 'tool_calls' }],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    };
    reply(200, JSON.stringify(answer));
  });
  const anthropic = new Anthropic({ baseURL: app.url, apiKey: testKey, maxRetries: 0 });
  const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } as const;
  const weather = betaTool({
    name: 'get_weather',
    description: 'The weather in a city',
    inputSchema: schema,
    run: () => 'rain',
  });
  const answer = await anthropic.beta.messages.toolRunner({
    model: 'gpt-4o',
    max_tokens: 100,
    messages: [{ role: 'user', content: 'What is the weather in Oslo?' }],
    tools: [weather],
  });
  expect(answer.content).toMatchObject([{ type: 'text', text: 'It rains.' }]);
  expect(
    vendor.requests.map(({ json }) => (json['messages'] as { role: string }[]).map(({ role }) => role)),
  ).toEqual([['user'], ['user', 'assistant', 'tool']]);
});

it('keeps no thread in the sandbox either', async () => {
  const app = await appForThisTest();
  const anthropic = new Anthropic({ baseURL: app.url, apiKey: testKey, maxRetries: 0 });
  const asked = anthropic.beta.messages.create({
    model: 'sandbox',
    max_tokens: 100,
    messages: [{ role: 'user', content: 'Hi' }],
    thread: { type: 'create' },
  });
  await expect(asked).rejects.toMatchObject({
    status: 400,
    error: { error: { param: 'thread', details: { error_code: 'thread_unsupported_request' } } },
  });
});

it('counts tokens in the version of the wire that its client names, under our own key', async () => {
  const { app, vendor } = await appWith('anthropic', ({ json }) => json({ input_tokens: 7 }));
  const anthropic = new Anthropic({
    baseURL: app.url,
    apiKey: testKey,
    maxRetries: 0,
    defaultHeaders: { 'anthropic-version': '2099-01-01' },
  });
  const messages = [{ role: 'user' as const, content: 'Hi' }];
  const counted = await anthropic.messages.countTokens({ model: 'claude-sonnet-4-6', messages });
  expect(counted.input_tokens).toBe(7);
  expect(vendor.requests[0]?.headers).toMatchObject({
    'anthropic-version': '2099-01-01',
    'x-api-key': canaryKey,
  });
});

it.each([404, 405, 501])(
  'estimates the tokens of a prompt where a vendor answers %i to be asked for them',
  async (status) => {
    const { app } = await appWith('anthropic', ({ reply }) =>
      reply(status, JSON.stringify({ error: { message: 'Not found', type: 'not_found' } })),
    );
    const reply = await fetch(`${app.url}/v1/messages/count_tokens`, {
      method: 'POST',
      headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'claude-sonnet-4-6',
        messages: [{ role: 'user', content: 'Good day to you' }],
      }),
    });
    expect(reply.status).toBe(200);
    expect(reply.headers.get('x-switchyard-warnings')).toBe('tokens_estimated');
    const { input_tokens: tokens } = (await reply.json()) as { input_tokens: number };
    expect(tokens).toBeGreaterThan(3);
  },
);

it.each([
  ['openai', '/v1/chat/completions', { model: 'gpt-4o' }, ': ping\n\n', openAiFixture.stream],
  [
    'anthropic',
    '/v1/messages',
    { model: 'claude-sonnet-4-6', max_tokens: 100 },
    'event: ping\n',
    anthropicFixture.stream,
  ],
] as const)(
  'says at once that it is still there when it begins a stream of %s before its vendor does',
  async (wire, path, more, ping, stream) => {
    const begun = Promise.withResolvers<void>();
    const { app } = await appWith(wire, ({ events }) => void begun.promise.then(() => events(stream)), 200);
    const reply = await fetch(app.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...more, stream: true, messages: [{ role: 'user', content: 'Hi' }] }),
    });
    // Only its head has come, and the vendor answers before the next silence is over.
    begun.resolve();
    const text = await reply.text();
    expect(text.startsWith(ping)).toBe(true);
    expect(text).toContain('data: {');
  },
);
