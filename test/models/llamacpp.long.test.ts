/** Every interface of a client before llama.cpp with a real model, on each of the wires that it speaks. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { VendorWire } from '../../src/model/parts.ts';
import { appForThisTest, startApp, type TestApp } from '../helpers/app.ts';
import { ask } from '../helpers/http.ts';
import { longLimits, providerOf } from '../helpers/vendor-gateway.ts';
import { type Asked, type ModelClient, modelClients, requestOf } from './clients.ts';
import { isIdle, type ModelServer, startLlama } from './servers.ts';
import { asked, expectKnown, ledgerRow, openStream, readOf, type Way, waysTo } from './ways.ts';

/** A processor answers slowly. */
const slow = { firstByte: 600_000, idle: 600_000, total: 1_200_000 };

/** Providers by their names, each with what `speaks` says. */
const speaking: Readonly<Record<string, readonly [VendorWire, ...VendorWire[]]>> = {
  'as chat': ['openai-chat'],
  'as responses': ['openai-responses'],
  'as anthropic': ['anthropic'],
  'as all three': ['openai-chat', 'openai-responses', 'anthropic'],
};
const names = Object.keys(speaking);
const idOf = (name: string) => `smol-${name.replaceAll(' ', '-')}`;

const modelsAt = (url: string) => ({
  providers: names.map((name) =>
    providerOf('openai', url, {
      id: name.replaceAll(' ', '-'),
      speaks: speaking[name] ?? ['openai-chat'],
      apiKey: null,
      patterns: [],
      maxTokensField: 'max_tokens' as const,
    }),
  ),
  models: names.map((name) => ({
    id: idOf(name),
    provider: name.replaceAll(' ', '-'),
    model: 'smollm2',
    temperature: null,
    fallbacks: [],
  })),
  maxAttempts: 4,
  timeLimits: { ...longLimits, ...slow, set: slow },
});

let llama: ModelServer;
let app: TestApp;
beforeAll(async () => {
  llama = await startLlama({ cache: false });
  app = await startApp({ models: modelsAt(llama.baseUrl) });
});
afterAll(async () => {
  await app?.close();
  await llama?.kill();
});

// OpenAI takes no fewer tokens for a response.
const cats: Asked = { text: 'Tell me about cats.', maxTokens: 16 };

const ways = waysTo(names);

const native: Readonly<Record<string, string>> = { responses: 'as responses', messages: 'as anthropic' };
/** Each client on the lanes that its requests can take to a vendor: as they are, and translated to two wires. */
const mainWays = ways.filter(
  ({ client: { name }, provider }) =>
    provider === 'as chat' ||
    provider === native[name] ||
    (name === 'gemini' && provider === 'as responses') ||
    (name === 'chat' && provider === 'as anthropic'),
);
const ofTexts = ({ client }: Way) => client.name !== 'completions';
const firstWay = mainWays.find(ofTexts)?.where;
const isStreamed = ({ streamed }: Way) => streamed;
const clientNamed = (name: string) => modelClients.find((client) => client.name === name) as ModelClient;

/** A machine that has other work writes a few tokens in a second. */
const patience = { timeout: 1_500_000 };

describe('a real model', patience, () => {
  it('says the same at temperature 0 to whoever asks, and its counters reach client and ledger', async () => {
    const [chat, raw] = [clientNamed('chat completions'), clientNamed('completions')];
    const straight = readOf(chat, await asked(llama.url, chat, 'smollm2', cats, false), false);
    const straightRaw = readOf(raw, await asked(llama.url, raw, 'smollm2', cats, false), false);
    expect(straight.completionTokens).toBe(cats.maxTokens);

    const found: string[] = [];
    for (const { client, provider, streamed, where } of ways) {
      const answer = await asked(app.url, client, idOf(provider), cats, streamed);
      if (answer.status !== 200) {
        found.push(`${where}: status ${answer.status}`);
        continue;
      }
      // On any other wire than its own a prompt goes as the message of a chat.
      const isRaw = client === raw && speaking[provider]?.includes('openai-chat');
      const wanted = isRaw ? straightRaw : straight;
      const got = readOf(client, answer, streamed);
      if (got.text !== wanted.text) found.push(`${where}: text`);
      const { promptTokens, completionTokens } = got;
      if (promptTokens !== wanted.promptTokens) found.push(`${where}: prompt tokens ${promptTokens}`);
      if (completionTokens !== wanted.completionTokens)
        found.push(`${where}: completion tokens ${completionTokens}`);
      if (streamed && !client.end.test(answer.text)) found.push(`${where}: end`);
      const row = await ledgerRow(app, answer.headers['x-request-id']);
      if (row.usage?.source !== 'provider') found.push(`${where}: ledger ${row.usage?.source}`);
      else if (row.usage.prompt_tokens !== promptTokens || row.usage.completion_tokens !== completionTokens)
        found.push(`${where}: ledger ${row.usage.prompt_tokens} and ${row.usage.completion_tokens}`);
    }
    expectKnown('texts', found);
  });

  it('continues what a client began, whole as streamed, and repeats none of it', async () => {
    const [question, begun] = ['Count to ten.', '1, 2, 3,'];
    const bodies = {
      chat: {
        messages: [question, begun].map((content, at) => ({ role: at ? 'assistant' : 'user', content })),
      },
      gemini: {
        contents: [question, begun].map((text, at) => ({ role: at ? 'model' : 'user', parts: [{ text }] })),
      },
    };
    const found: string[] = [];
    for (const { client, streamed } of waysTo(['as chat']).filter(({ client }) =>
      ['messages', 'gemini', 'chat'].includes(client.name),
    )) {
      const model = idOf('as chat');
      const { body } = requestOf(client, model, cats, streamed);
      const more = client.name === 'gemini' ? bodies.gemini : bodies.chat;
      const url = app.url + client.path(model, streamed);
      const { text } = readOf(
        client,
        await ask(url, { body: { ...(body as object), ...more }, direct: true }),
        streamed,
      );
      found.push(text.trim());
    }
    expect(found.length).toBe(6);
    expect(new Set(found)).toEqual(new Set([found[0]]));
    expect(found[0]).toMatch(/^4, 5, 6/);
  });

  it('holds to a JSON Schema', async () => {
    const schema = {
      type: 'object',
      properties: { color: { enum: ['red', 'blue'] }, count: { type: 'integer', minimum: 0, maximum: 9 } },
      required: ['color', 'count'],
      additionalProperties: false,
    };
    const found: string[] = [];
    for (const { client, provider, streamed, where } of ways.filter((way) => ofTexts(way) && !way.streamed)) {
      const answer = await asked(
        app.url,
        client,
        idOf(provider),
        { ...cats, maxTokens: 32, schema },
        streamed,
      );
      const { text } = readOf(client, answer, streamed);
      if (!/^\s*\{\s*"color"\s*:\s*"(red|blue)"\s*,\s*"count"\s*:\s*\d\s*\}\s*$/.test(text))
        found.push(where);
    }
    expectKnown('schemas', found);
  });

  it('is free again when a client goes away in the middle of an answer', async () => {
    const found: string[] = [];
    for (const { client, provider, where } of mainWays.filter(isStreamed)) {
      const stream = await openStream(app.url, client, idOf(provider), {
        text: longTextFor(client),
        maxTokens: 1800,
      });
      await expect.poll(() => client.readStream(stream.events()).text.length).toBeGreaterThan(60);
      expect(await isIdle(llama)).toBe(false);
      stream.leave();
      await expect.poll(() => isIdle(llama)).toBe(true);
      const { status, usage } = await ledgerRow(app, stream.id);
      if (status !== 'cancelled' || usage?.source !== 'estimated' || usage.completion_tokens < 10)
        found.push(`${where}: ${status}, ${usage?.completion_tokens} ${usage?.source}`);
    }
    expectKnown('cancelled', found);
  });

  it('gives all that ask at once their answers, though it writes two at a time', async () => {
    const found: string[] = [];
    const all = mainWays.filter(isStreamed);
    const wanted = await asked(llama.url, modelClients[1] as ModelClient, 'smollm2', cats, false);
    const { text } = readOf(modelClients[1] as ModelClient, wanted, false);
    await Promise.all(
      all.map(async ({ client, provider, where }) => {
        const answer = await asked(app.url, client, idOf(provider), { ...cats, maxTokens: 16 }, true);
        if (!client.end.test(answer.text)) found.push(`${where}: no end`);
        if (readOf(client, answer, true).text.length < text.length / 2) found.push(`${where}: cut`);
      }),
    );
    expect(found).toEqual([]);
  });
});

describe('a real model on a server', patience, () => {
  it('says to each client in the words of its interface that a conversation is too long', async () => {
    const small = await startLlama({ context: 256 });
    onTestFinished(() => small.kill());
    const server = await appForThisTest({ models: modelsAt(small.baseUrl) });
    const found: string[] = [];
    for (const { client, provider, streamed, where } of mainWays) {
      const what = { text: 'A cat sat on a mat. '.repeat(60), maxTokens: 16 };
      const answer = await asked(server.url, client, idOf(provider), what, streamed);
      if (answer.status !== 400) found.push(`${where}: status ${answer.status}`);
      if (!client.tooLong.test(answer.text)) found.push(`${where}: words`);
      if (!client.error.test(answer.text)) found.push(`${where}: form`);
    }
    expectKnown('too long', found);
  });

  it('counts what came from its cache', async () => {
    const caching = await startLlama();
    onTestFinished(() => caching.kill());
    const server = await appForThisTest({ models: modelsAt(caching.baseUrl) });
    const found: string[] = [];
    for (const { client, provider, streamed, where } of mainWays.filter(ofTexts)) {
      const answer = await asked(
        server.url,
        client,
        idOf(provider),
        { text: story, maxTokens: 16 },
        streamed,
      );
      readOf(client, answer, streamed);
      const { usage } = await ledgerRow(server, answer.headers['x-request-id']);
      // The first of all has nothing to take from.
      if (where === firstWay) continue;
      if (!(usage.prompt_tokens_details.cached_tokens > 10)) found.push(where);
    }
    expectKnown('cached', found);
  });

  it('that is killed ends every stream with the error of its interface, and no other end', async () => {
    const dying = await startLlama({ slots: mainWays.length / 2, context: 512 });
    onTestFinished(() => dying.kill());
    const server = await appForThisTest({ models: modelsAt(dying.baseUrl) });
    const all = mainWays.filter(isStreamed);
    const streams = await Promise.all(
      all.map(async (way) => ({
        ...way,
        stream: await openStream(server.url, way.client, idOf(way.provider), {
          text: longTextFor(way.client),
          maxTokens: 400,
        }),
      })),
    );
    for (const { client, stream } of streams)
      await expect.poll(() => client.readStream(stream.events()).text.length).toBeGreaterThan(0);
    await dying.kill();
    const found: string[] = [];
    for (const { client, stream, where } of streams) {
      const whole = await stream.over;
      // Some of their clients take an error before an end in good order for a whole answer.
      if (whole && ['chat completions', 'completions', 'gemini'].includes(client.name))
        found.push(`${where}: clean end`);
      if (!client.error.test(stream.text())) found.push(`${where}: no error`);
      if (client.end.test(stream.text())) found.push(`${where}: ends as if whole`);
      const { status, error_code: code } = await ledgerRow(server, stream.id);
      if (code !== 'provider_stream_interrupted') found.push(`${where}: ${status} ${code}`);
    }
    expectKnown('killed', found);
  });

  it('that is loading is waited for, or said to be out of service for the moment', async () => {
    const loading = await startLlama({ loaded: false });
    onTestFinished(() => loading.kill());
    const server = await appForThisTest({ models: modelsAt(loading.baseUrl) });
    const found: string[] = [];
    for (const { client, provider, where } of mainWays.filter(isStreamed)) {
      const answer = await asked(server.url, client, idOf(provider), cats, true);
      if (![200, 503].includes(answer.status)) found.push(`${where}: status ${answer.status}`);
      else if (answer.status === 503 && !client.error.test(answer.text)) found.push(`${where}: form`);
    }
    expect(found).toEqual([]);
    await expect
      .poll(
        async () =>
          (await asked(server.url, modelClients[0] as ModelClient, idOf('as chat'), cats, false)).status,
      )
      .toBe(200);
  });
});

/** Long enough for a cache to be used, and for an answer that goes on; a bare prompt does with what goes on by itself. */
const longTextFor = ({ name }: ModelClient) => (name === 'completions' ? counting : story);
const counting = Array.from({ length: 20 }, (_, n) => `${n + 1},`).join(' ');
const story = `Write a very long story about ${'a cat and a dog and a mouse and '.repeat(6)} the sea.`;
