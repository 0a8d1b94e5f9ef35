import Anthropic from '@anthropic-ai/sdk';
import fc from 'fast-check';
import OpenAI from 'openai';
import { expect, it } from 'vitest';
import type { DryRunReport } from '../../generated/types.gen.ts';
import type { Limits } from '../../src/tenants/accounts/plans.ts';
import { appForThisTest, type TestApp, testKey } from '../helpers/app.ts';
import { ask } from '../helpers/http.ts';
import { anthropicFixture, openAiFixture } from '../helpers/vendor-fixtures.ts';
import { providerOf, vendorFor } from '../helpers/vendor-gateway.ts';

const dry = { 'x-switchyard-dry-run': 'true' };
const message = 'Why is the sky blue?';
const messages = [{ role: 'user', content: message }];

async function world(limits?: Partial<Limits>) {
  let asked = 0;
  const openAi = await vendorFor(({ json }) => {
    asked += 1;
    return json(openAiFixture.reply);
  });
  const anthropic = await vendorFor(({ json }) => {
    asked += 1;
    return json(anthropicFixture.reply);
  });
  const app = await appForThisTest({
    ...(limits && { limits }),
    models: {
      providers: [providerOf('openai', openAi.baseUrl), providerOf('anthropic', anthropic.baseUrl)],
      models: [
        {
          id: 'best',
          provider: 'openai',
          model: 'gpt-5.5',
          temperature: null,
          fallbacks: ['claude-sonnet-4-6'],
        },
      ],
    },
    prices: {
      'openai/gpt-5.5': { prompt: 2, completion: 10, cachedPrompt: 0.5 },
      'anthropic/claude-sonnet-4-6': { prompt: 3, completion: 15, cacheWrite1h: 6, cachedPrompt: 0.3 },
    },
  });
  return { app, asked: () => asked };
}

async function traces({ accounts: { store } }: TestApp) {
  const ledger = await store.db.selectFrom('ledger_rows').selectAll().execute();
  const counters = await store.db.selectFrom('limit_buckets').select(['id', 'used']).orderBy('id').execute();
  const kept = await store.db.selectFrom('idempotency_keys').selectAll().execute();
  return { ledger, counters, kept };
}

const gemini = { contents: [{ role: 'user', parts: [{ text: message }] }] };
const requests: Readonly<Record<string, readonly [string, object]>> = {
  chat: ['/v1/chat', { model: 'best', message }],
  'a chat as a stream': ['/v1/chat/stream', { model: 'best', message }],
  'a chat that says that it streams': ['/v1/chat', { model: 'best', message, stream: true }],
  'a chat under its second name': ['/api/chat', { model: 'best', message }],
  'chat completions': ['/v1/chat/completions', { model: 'best', messages }],
  'a stream of chat completions': ['/v1/chat/completions', { model: 'best', messages, stream: true }],
  responses: ['/v1/responses', { model: 'best', input: message }],
  messages: ['/v1/messages', { model: 'best', messages, max_tokens: 100 }],
  'a stream of messages': ['/v1/messages', { model: 'best', messages, max_tokens: 100, stream: true }],
  gemini: ['/v1beta/models/best:generateContent', gemini],
  'a stream of Gemini': ['/v1beta/models/best:streamGenerateContent', gemini],
};

it('says on every interface what a request would come to, and leaves no trace', async () => {
  const { app, asked } = await world();
  const before = await traces(app);
  for (const [name, [path, body]] of Object.entries(requests)) {
    const headers = { ...dry, 'idempotency-key': 'the-same-for-all' };
    const { status, json, headers: told } = await ask(app.url + path, { body, headers });
    expect([name, status, told['x-switchyard-dry-run']]).toEqual([name, 200, 'true']);
    expect(told['content-type'], name).toMatch(/^application\/json/);
    const report = json as DryRunReport;
    expect(report, name).toMatchObject({
      object: 'dry_run',
      model: 'best',
      refused: false,
      refusals: [],
      targets: [
        { provider: 'openai', model: 'gpt-5.5', able: true },
        { provider: 'anthropic', model: 'claude-sonnet-4-6', able: true },
      ],
      tokens: { source: 'estimated' },
    });
    expect(report.tokens?.prompt, name).toBeGreaterThan(5);
    expect(report.targets[0]?.price_version).toMatch(/^[0-9a-f]{16}$/);
  }
  expect(asked()).toBe(0);
  expect(await traces(app)).toEqual(before);
});

it('says it of vectors, judgements, pictures and sound as well', async () => {
  const { app, asked } = await world();
  const before = await traces(app);
  const others: readonly (readonly [string, string, object])[] = [
    ['createEmbedding', '/v1/embeddings', { model: 'openai/text-embedding-3-small', input: message }],
    ['createModeration', '/v1/moderations', { model: 'openai/omni-moderation-latest', input: message }],
    ['createCompletion', '/v1/completions', { model: 'best', prompt: message }],
    ['createImage', '/v1/images/generations', { model: 'openai/gpt-image-1', prompt: message }],
    ['createSpeech', '/v1/audio/speech', { model: 'openai/tts-1', input: message, voice: 'alloy' }],
    ['embedContent', '/v1beta/models/sandbox:embedContent', { content: { parts: [{ text: message }] } }],
  ];
  for (const [operation, path, body] of others) {
    const { status, json } = await ask(app.url + path, { body, headers: dry });
    expect([status, json.operation, json.refusals]).toEqual([200, operation, []]);
    expect(json.targets).toHaveLength(operation === 'createCompletion' ? 2 : 1);
  }
  const wrong = { model: 'openai/tts-1', voice: 'alloy' };
  const { json } = await ask(`${app.url}/v1/audio/speech`, { body: wrong, headers: dry });
  expect(json).toMatchObject({ refused: true, model: null, tokens: null, targets: [], limits: [] });
  expect(asked()).toBe(0);
  expect(await traces(app)).toEqual(before);
});

it('gives the range of the cost from the cached prompt to the longest answer at the dearest of the targets', async () => {
  const { app } = await world();
  const body = { model: 'best', message, maxTokens: 1000 };
  const { json } = await ask(`${app.url}/v1/estimate`, { body });
  const { prompt } = json.tokens;
  const micro = (value: number) => Math.round(value) / 1e6;
  expect(json).toMatchObject({ operation: 'createEstimate', tokens: { max_completion: 1000 } });
  expect(json.targets.map((target: { cost: object }) => target.cost)).toEqual([
    { min_usd: micro(prompt * 0.5), max_usd: micro(prompt * 2 + 10_000) },
    { min_usd: micro(prompt * 0.3), max_usd: micro(prompt * 6 + 15_000) },
  ]);
  expect(json.cost).toEqual({ min_usd: micro(prompt * 0.3), max_usd: micro(prompt * 6 + 15_000) });
  // Without a maximum of the answer, or a price, there is no upper bound.
  const open = await ask(`${app.url}/v1/chat/completions`, {
    body: { model: 'best', messages },
    headers: dry,
  });
  expect(open.json.tokens.max_completion).toBeNull();
  expect(open.json.cost.max_usd).toBeNull();
  const unpriced = await ask(`${app.url}/v1/estimate`, { body: { model: 'gpt-4o', message } });
  expect(unpriced.json.cost).toEqual({ min_usd: null, max_usd: null });
});

it('says how the limits stand and that they are spent, and does not use them up', async () => {
  const { app, asked } = await world({ requestsPerMinute: 2 });
  const body = { model: 'best', message };
  const left = async () => {
    const { json } = await ask(`${app.url}/v1/chat`, { body, headers: dry });
    return [json.limits.find(({ name }: { name: string }) => name === 'minute')?.remaining, json.refused];
  };
  for (let times = 0; times < 5; times += 1) expect(await left()).toEqual([2, false]);
  for (let times = 0; times < 2; times += 1)
    expect((await ask(`${app.url}/v1/chat`, { body })).status).toBe(200);
  expect(await left()).toEqual([0, true]);
  const { json } = await ask(`${app.url}/v1/chat`, { body: { ...body, model: 'unheard-of' }, headers: dry });
  expect(json.refusals.map(({ code }: { code: string }) => code)).toEqual([
    'rate_limited',
    'model_not_found',
  ]);
  expect(asked()).toBe(2);
});

it('is of use to the official SDKs, which send the header as any other', async () => {
  const { app, asked } = await world();
  const apiKey = testKey;
  const openai = new OpenAI({ apiKey, baseURL: `${app.url}/v1`, maxRetries: 0 });
  const completion: unknown = await openai.chat.completions.create(
    { model: 'best', messages: [{ role: 'user', content: message }] },
    { headers: dry },
  );
  expect(completion).toMatchObject({ object: 'dry_run', operation: 'createChatCompletion', refused: false });
  const anthropic = new Anthropic({ apiKey, baseURL: app.url, maxRetries: 0 });
  const told: unknown = await anthropic.messages.create(
    { model: 'best', max_tokens: 9, messages: [{ role: 'user', content: message }] },
    { headers: dry },
  );
  expect(told).toMatchObject({ object: 'dry_run', operation: 'createMessage', refused: false });
  expect(asked()).toBe(0);
});

it('refuses the header where there is no dry run, and another value than true and false', async () => {
  const { app } = await world();
  const run = await ask(`${app.url}/v1/agents/assistant/run`, { body: { input: 'Hi' }, headers: dry });
  expect([run.status, run.json.error.code]).toEqual([400, 'invalid_request']);
  const headers = { 'x-switchyard-dry-run': 'yes' };
  const wrong = await ask(`${app.url}/v1/chat`, { body: { model: 'best', message }, headers });
  expect([wrong.status, wrong.json.error.code]).toEqual([400, 'invalid_request']);
  expect((await ask(`${app.url}/v1/chat`, { body: { message }, headers: dry, key: null })).status).toBe(401);
  const off = { 'x-switchyard-dry-run': 'false' };
  const carriedOut = await ask(`${app.url}/v1/chat`, { body: { model: 'best', message }, headers: off });
  expect(carriedOut.json.content).toBeTypeOf('string');
});

it('predicts for any request whether it is refused, and with which code', async () => {
  const { app } = await world();
  const part = fc.constantFrom<unknown>(
    { role: 'user', content: 'Hi' },
    { role: 'system', content: 'Be kind.' },
    { role: 'assistant', content: 'Hello' },
    { role: 'tool', content: '4', tool_call_id: 'x' },
    { role: 'user', content: '' },
    { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }] },
    { role: 'user', content: [{ type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }] },
    { role: 'elephant', content: 'Hi' },
  );
  const tool = {
    type: 'function',
    function: { name: 'add', parameters: { type: 'object', properties: {} } },
  };
  const request = fc.record(
    {
      model: fc.constantFrom('best', 'gpt-5.5', 'claude-sonnet-4-6', 'unheard-of', 'sandbox', ''),
      messages: fc.array(part, { minLength: 1, maxLength: 3 }),
      temperature: fc.constantFrom(0, 0.5, 1.5, 3),
      maxTokens: fc.constantFrom(1, 1000, 1_000_000, 0, 2_000_000),
      tools: fc.constantFrom([tool], [tool, tool], []),
      tool_choice: fc.constantFrom('auto', 'none', { type: 'function', function: { name: 'sub' } }),
    },
    { requiredKeys: ['model', 'messages'] },
  );
  let refusedOnes = 0;
  let carriedOut = 0;
  await fc.assert(
    fc.asyncProperty(request, async (body) => {
      const { status, json } = await ask(`${app.url}/v1/chat`, { body, headers: dry });
      expect(status).toBe(200);
      const got = await ask(`${app.url}/v1/chat`, { body });
      const [first] = (json as DryRunReport).refusals;
      if (got.status === 200) {
        carriedOut += 1;
        expect(first).toBeUndefined();
      } else {
        refusedOnes += 1;
        expect(first).toEqual({
          code: got.json.error.code,
          status: got.status,
          message: got.json.error.message,
          param: got.json.error.param,
          details: got.json.error.details,
        });
      }
    }),
    { numRuns: 120, examples: [[{ model: 'best', messages: [{ role: 'user', content: 'Hi' }] }]] },
  );
  expect(refusedOnes).toBeGreaterThan(0);
  expect(carriedOut).toBeGreaterThan(0);
});

it('predicts on foreign interfaces what is refused, with the status and the words of the refusal', async () => {
  const { app } = await world();
  const entry = fc.constantFrom<unknown>(
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'Hello' },
    { role: 'tool', content: '4', tool_call_id: 'x' },
    { role: 'user', content: [{ type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }] },
    { role: 'user', content: 5 },
  );
  const request = fc.record(
    {
      model: fc.constantFrom<unknown>('best', 'gpt-5.5', 'claude-sonnet-4-6', 'unheard-of', 'sandbox', 7),
      messages: fc.array(entry, { minLength: 1, maxLength: 2 }),
      max_tokens: fc.constantFrom<unknown>(1, 100, 0, 'many'),
      logit_bias: fc.constantFrom({ 50256: -100 }),
      n: fc.constantFrom(1, 3),
    },
    { requiredKeys: ['model', 'messages'] },
  );
  const paths = fc.constantFrom('/v1/chat/completions', '/v1/messages');
  let refusedOnes = 0;
  await fc.assert(
    fc.asyncProperty(paths, request, async (path, body) => {
      const { status, json } = await ask(app.url + path, { body, headers: dry });
      expect(status).toBe(200);
      const got = await ask(app.url + path, { body });
      const [first] = (json as DryRunReport).refusals;
      expect(first?.status ?? 200).toBe(got.status);
      if (first) {
        refusedOnes += 1;
        expect(first.message).toBe(got.json.error.message);
      }
    }),
    { numRuns: 100 },
  );
  expect(refusedOnes).toBeGreaterThan(0);
});

it('refuses a key that asks for too many with 429', async () => {
  const { app } = await world();
  const statuses = new Map<number, number>();
  // Where the minute ends meanwhile, as many again are taken.
  for (let times = 0; times < 1300; times += 1) {
    const { status } = await ask(`${app.url}/v1/estimate`, { body: { message } });
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (status === 429) break;
  }
  expect([...statuses.keys()]).toEqual([200, 429]);
  expect(statuses.get(200)).toBeGreaterThanOrEqual(600);
});
