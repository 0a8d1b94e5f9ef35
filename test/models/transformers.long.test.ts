/** Every interface of a client before `transformers serve` with a real model, on both of the wires that it speaks. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { VendorWire } from '../../src/model/parts.ts';
import { startApp, type TestApp } from '../helpers/app.ts';
import { ask } from '../helpers/http.ts';
import { longLimits, providerOf } from '../helpers/vendor-gateway.ts';
import { type Asked, type ModelClient, modelClients } from './clients.ts';
import { type ModelServer, startTransformers } from './servers.ts';
import { asked, expectKnown, ledgerRow, openStream, readOf, waysTo } from './ways.ts';

/** A processor answers slowly. */
const slow = { firstByte: 600_000, idle: 600_000, total: 1_200_000 };

const speaking: Readonly<Record<string, readonly [VendorWire, ...VendorWire[]]>> = {
  'as chat': ['openai-chat'],
  'as responses': ['openai-responses'],
};
const names = Object.keys(speaking);
const idOf = (name: string) => `smol-${name.replaceAll(' ', '-')}`;

let vendor: ModelServer;
let app: TestApp;
beforeAll(async () => {
  vendor = await startTransformers();
  app = await startApp({
    models: {
      providers: names.map((name) =>
        providerOf('openai', vendor.baseUrl, {
          id: name.replaceAll(' ', '-'),
          speaks: speaking[name] ?? ['openai-chat'],
          apiKey: null,
          patterns: [],
          maxTokensField: 'max_tokens' as const,
          dialect: { like: 'transformers', rules: {} },
        }),
      ),
      models: names.flatMap((name) =>
        ['smollm2', 'other'].map((model) => ({
          id: model === 'other' ? `${idOf(name)}-of-others` : idOf(name),
          provider: name.replaceAll(' ', '-'),
          model,
          temperature: null,
          fallbacks: [],
        })),
      ),
      maxAttempts: 4,
      timeLimits: { ...longLimits, ...slow, set: slow },
    },
  });
}, 900_000);
afterAll(async () => {
  await app?.close();
  await vendor?.kill();
});

const cats: Asked = { text: 'Tell me about cats.', maxTokens: 8 };
const ways = waysTo(names);
const clientNamed = (name: string) => modelClients.find((client) => client.name === name) as ModelClient;
const [chat, raw] = [clientNamed('chat completions'), clientNamed('completions')];
const patience = { timeout: 900_000 };

describe('transformers serve', patience, () => {
  it('says the same at temperature 0 to whoever asks, and its counters reach client and ledger', async () => {
    const straight = readOf(chat, await asked(vendor.url, chat, 'smollm2', cats, false), false);
    const straightRaw = readOf(raw, await asked(vendor.url, raw, 'smollm2', cats, false), false);
    expect(straight.completionTokens).toBe(cats.maxTokens);
    const found: string[] = [];
    for (const { client, provider, streamed, where } of ways) {
      const answer = await asked(app.url, client, idOf(provider), cats, streamed);
      const wanted = client === raw && provider === 'as chat' ? straightRaw : straight;
      const got = readOf(client, answer, streamed);
      if (got.text !== wanted.text) found.push(`${where}: text ${got.text}`);
      if (got.promptTokens !== wanted.promptTokens || got.completionTokens !== wanted.completionTokens)
        found.push(`${where}: ${got.promptTokens} and ${got.completionTokens} tokens`);
      if (streamed && !client.end.test(answer.text)) found.push(`${where}: end`);
      const { usage } = await ledgerRow(app, answer.headers['x-request-id']);
      if (usage?.source !== 'provider' || usage.prompt_tokens !== got.promptTokens)
        found.push(`${where}: ledger ${usage?.source} ${usage?.prompt_tokens}`);
    }
    expectKnown('transformers texts', found);
  });

  it('is free again when a client goes away in the middle of an answer', async () => {
    const found: string[] = [];
    for (const { client, provider, where } of ways.filter(({ streamed }) => streamed)) {
      const text = client.name === 'completions' ? counting : 'Write a very long story about the sea.';
      const stream = await openStream(app.url, client, idOf(provider), { text, maxTokens: 1800 });
      await expect.poll(() => client.readStream(stream.events()).text.length).toBeGreaterThan(20);
      stream.leave();
      const { status, usage } = await ledgerRow(app, stream.id);
      if (status !== 'cancelled' || usage?.source !== 'estimated' || usage.completion_tokens < 2)
        found.push(`${where}: ${status}, ${usage?.completion_tokens} ${usage?.source}`);
    }
    // It writes one answer at a time: what was left would come first.
    const next = await asked(
      app.url,
      clientNamed('chat'),
      idOf('as chat'),
      { text: 'Hi', maxTokens: 1 },
      false,
    );
    expect(next.status).toBe(200);
    expect(found).toEqual([]);
  });

  it('is asked for what it takes, and clients are told what it does not', async () => {
    const warnings: Record<string, unknown> = {};
    for (const [path, body] of Object.entries(rich)) {
      const answer = await ask(app.url + path, { body, direct: true });
      expect(answer.status, answer.text).toBe(200);
      warnings[path] = answer.headers['x-switchyard-warnings'];
    }
    const [messages, responses, chats, gemini] = Object.keys(rich) as [string, string, string, string];
    expect(warnings).toEqual({
      [messages]: 'field_dropped;param=top_k, parameter_ignored;param=tool_choice.disable_parallel_tool_use',
      [responses]: ['prompt_cache_key', 'text.verbosity', 'service_tier', 'parallel_tool_calls']
        .map((name) => `parameter_ignored;param=${name}`)
        .join(', '),
      [chats]: 'field_dropped;param=presence_penalty, field_dropped;param=frequency_penalty',
      [gemini]:
        'field_dropped;param=generationConfig.topK, parameter_ignored;param=generationConfig.frequencyPenalty, parameter_ignored;param=generationConfig.presencePenalty',
    });
  });

  it('is said to have refused a request, in the words of each interface', async () => {
    const found: string[] = [];
    for (const { client, provider, streamed, where } of ways) {
      const answer = await asked(app.url, client, `${idOf(provider)}-of-others`, cats, streamed);
      if (answer.status !== 400) found.push(`${where}: status ${answer.status}`);
      if (!client.error.test(answer.text)) found.push(`${where}: form ${answer.text}`);
      if (!answer.text.includes("Server is pinned to 'smollm2'"))
        found.push(`${where}: words ${answer.text}`);
    }
    // Its error within a stream is a text.
    const body = { ...chat.body(idOf('as chat'), cats, true), frequency_penalty: -1 };
    const broken = await ask(app.url + chat.path('', true), { body, direct: true });
    expect(broken.text).toContain('"error": "`penalty` has to be a strictly positive float');
    expect(await ledgerRow(app, broken.headers['x-request-id'])).toMatchObject({
      status: 'failed',
      error_code: 'provider_error',
    });
    expect(found).toEqual([]);
  });
});

const counting = Array.from({ length: 20 }, (_, n) => `${n + 1},`).join(' ');
const hi = [{ role: 'user', content: 'Hi' }];
const parameters = { type: 'object', properties: {} };
const rich: Record<string, object> = {
  '/v1/messages': {
    model: idOf('as chat'),
    max_tokens: 2,
    messages: hi,
    top_k: 3,
    top_p: 0.5,
    stop_sequences: ['x'],
    metadata: { user_id: 'x' },
    tools: [{ name: 'f', input_schema: parameters }],
    tool_choice: { type: 'any', disable_parallel_tool_use: true },
  },
  '/v1/responses': {
    model: idOf('as chat'),
    input: 'Hi',
    max_output_tokens: 2,
    store: false,
    tools: [{ type: 'function', name: 'f', parameters }],
    tool_choice: 'required',
    parallel_tool_calls: false,
    text: { verbosity: 'low' },
    service_tier: 'auto',
    prompt_cache_key: 'x',
  },
  '/v1/chat/completions': {
    model: idOf('as responses'),
    messages: hi,
    max_completion_tokens: 2,
    presence_penalty: 1,
    frequency_penalty: 1,
    parallel_tool_calls: false,
    user: 'x',
    tools: [{ type: 'function', function: { name: 'f', parameters } }],
    tool_choice: 'required',
  },
  [`/v1beta/models/${idOf('as chat')}:generateContent`]: {
    contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
    generationConfig: {
      maxOutputTokens: 2,
      topK: 3,
      seed: 4,
      presencePenalty: 1,
      frequencyPenalty: -1,
      stopSequences: ['x'],
    },
  },
};
