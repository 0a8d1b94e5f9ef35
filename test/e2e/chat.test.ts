/** Chat through the whole server, from a client's socket to a vendor's socket and back. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appForThisTest, startApp, type TestApp, type TestAppOptions } from '../helpers/app.ts';
import { ask, eventsOf, open } from '../helpers/http.ts';
import { anthropicFixture, openAiFixture, wireJson, wireText } from '../helpers/vendor-fixtures.ts';
import { canaryKey, longLimits, providerOf, until, vendorFor } from '../helpers/vendor-gateway.ts';
import type { VendorScript } from '../lib/vendor.ts';

const paths = ['/v1/chat', '/api/chat'] as const;
/** These and the one that streams: what is refused before the first event is refused alike. */
const allPaths = [...paths, '/v1/chat/stream'] as const;
const messages = [{ role: 'user', content: 'Why is the sky blue?' }];

/** The server in front of one scripted vendor that serves `gpt-4o` and `claude-sonnet-4-6`. */
async function behind(script: VendorScript, more: TestAppOptions['models'] = {}) {
  const vendor = await vendorFor(script);
  const openai = providerOf('openai', vendor.baseUrl);
  const anthropic = providerOf('anthropic', vendor.baseUrl);
  const app = await appForThisTest({
    models: { providers: [openai, anthropic], maxAttempts: 1, timeLimits: longLimits, ...more },
  });
  return { app, vendor };
}

describe.each(paths)('POST %s without a provider', (path) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  it('answers variant A and variant B alike', async () => {
    const a = await ask(app.url + path, { body: { model: 'sandbox/echo', messages } });
    const b = await ask(app.url + path, { body: { model: 'sandbox/echo', message: messages[0]?.content } });
    for (const { status, json } of [a, b]) {
      expect(status).toBe(200);
      expect(json).toMatchObject({
        content: messages[0]?.content,
        finish_reason: 'stop',
        provider: 'sandbox',
      });
      expect(json.usage.total_tokens).toBe(json.usage.prompt_tokens + json.usage.completion_tokens);
    }
  });

  it('answers variant B without a model by the default one, and says that the sandbox stands in for another', async () => {
    expect((await ask(app.url + path, { body: { message: 'Hello' } })).json).toMatchObject({
      model: 'sandbox',
      warnings: [],
    });
    const { json } = await ask(app.url + path, { body: { message: 'Hello', model: 'gpt-4o' } });
    expect(json).toMatchObject({
      model: 'sandbox',
      warnings: [{ code: 'sandbox_answered', param: 'model' }],
    });
  });

  it('streams: a start, deltas that add up, one end', async () => {
    const { status, headers, text } = await ask(app.url + path, {
      body: { model: 'sandbox/echo', message: 'héllo wörld 👋', stream: true },
    });
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
    const events = eventsOf(text);
    expect(events.map(({ event }) => event)).toEqual(events.map(({ data }) => data.type));
    const types = events.map(({ data }) => data.type);
    expect(types[0]).toBe('start');
    expect(types.slice(1, -1).every((type) => type === 'delta')).toBe(true);
    expect(types.at(-1)).toBe('end');
    expect(events.map(({ data }) => data['content'] ?? '').join('')).toBe('héllo wörld 👋');
  });

  it.each([
    ['sandbox/rate-limited', 429, 'provider_rate_limited'],
    ['sandbox/error', 502, 'provider_error'],
    ['sandbox/cut-stream', 502, 'provider_stream_interrupted'],
  ])('plays %s', async (model, status, code) => {
    const answer = await ask(app.url + path, { body: { model, message: 'Hello' } });
    expect(answer.status).toBe(status);
    expect(answer.error).toMatchObject({ code, retryable: true });
    if (status === 429) expect(answer.headers['retry-after']).toBe('7');
  });

  it('ends a stream that breaks off with exactly one error event', async () => {
    const { status, text } = await ask(app.url + path, {
      body: { model: 'sandbox/cut-stream', message: 'Hello', stream: true },
    });
    expect(status).toBe(200);
    const data = eventsOf(text).map((event) => event.data);
    expect(data[0]?.type).toBe('start');
    expect(data.filter(({ type }) => type === 'end')).toEqual([]);
    expect(data.filter(({ type }) => type === 'error')).toEqual([data.at(-1)]);
    expect(data.at(-1)).toMatchObject({
      error: { code: 'provider_stream_interrupted', request_id: expect.stringMatching(/^req_/) },
    });
  });
});

describe('with vendors', () => {
  it('names the model and the provider that answered, with the tokens that they counted', async () => {
    const { app, vendor } = await behind((reply) => reply.json(openAiFixture.reply));
    const { status, json } = await ask(`${app.url}/v1/chat`, { body: { model: 'gpt-4o', messages } });
    expect(status).toBe(200);
    expect(json).toMatchObject({
      model: 'gpt-4o',
      provider: openAiFixture.wire,
      content: openAiFixture.text,
      usage: { source: 'provider' },
    });
    expect(vendor.requests[0]?.json).toMatchObject({
      model: 'gpt-4o',
      temperature: 0.7,
      max_completion_tokens: 2048,
    });
  });

  it.each(paths)('%s shows a refusal as what was said, and no thinking', async (path) => {
    const { app } = await behind(({ request, json, events }) => {
      const name = JSON.stringify(request.json['messages']).includes('Refuse') ? 'refusal' : 'thinking';
      if (request.json['stream']) events(wireText(`openai-chat/${name}.sse`));
      else json(wireJson(`openai-chat/${name}.json`));
    });
    const expected = [
      ['Refuse', "I'm sorry, I can't help with that request.", 'content_filter'],
      ['Think', '9.8 is greater.', 'stop'],
    ] as const;
    for (const [message, content, finish_reason] of expected) {
      const body = { model: 'gpt-4o', message };
      expect((await ask(app.url + path, { body })).json).toMatchObject({ content, finish_reason });
      const { text } = await ask(app.url + path, { body: { ...body, stream: true } });
      const events = eventsOf(text);
      expect(events.map(({ data }) => data['content'] ?? '').join('')).toBe(content);
      expect(new Set(events.map(({ data }) => data.type))).toEqual(new Set(['start', 'delta', 'end']));
      expect(events.at(-1)?.data).toMatchObject({ finish_reason });
    }
  });

  it('adapts a temperature above the model and says so', async () => {
    const { app, vendor } = await behind((reply) => reply.json(anthropicFixture.reply));
    const { json } = await ask(`${app.url}/v1/chat`, {
      body: { model: 'claude-sonnet-4-6', messages, temperature: 1.4 },
    });
    expect(json.warnings).toMatchObject([{ code: 'temperature_adapted', param: 'temperature' }]);
    expect(vendor.requests[0]?.json).toMatchObject({ temperature: 1, max_tokens: 2048 });
  });

  it('sends a name as it is, but one that its vendor has withdrawn as the declared successor, and says so', async () => {
    const { app, vendor } = await behind((reply) =>
      reply.request.json['stream'] ? reply.events(openAiFixture.stream) : reply.json(openAiFixture.reply),
    );
    const chat = async (model: string) =>
      (await ask(`${app.url}/v1/chat`, { body: { model, messages } })).json;
    const asked = ['gpt-4o', 'gpt-4-0613', 'openai/gpt-4'];
    for (const model of asked) expect((await chat(model)).warnings).toEqual([]);
    const warning = {
      code: 'model_substituted',
      message: 'openai withdrew gpt-4 on 2026-10-23; gpt-5.6-sol answered, which it names as the successor.',
      param: 'model',
    };
    expect(await chat('gpt-4')).toMatchObject({ model: 'gpt-5.6-sol', warnings: [warning] });
    const { text } = await ask(`${app.url}/v1/chat`, { body: { model: 'gpt-4', messages, stream: true } });
    expect(eventsOf(text)[0]?.data).toMatchObject({ model: 'gpt-5.6-sol', warnings: [warning] });
    expect(vendor.requests.map(({ json }) => json['model'])).toEqual([
      'gpt-4o',
      'gpt-4-0613',
      'gpt-4',
      'gpt-5.6-sol',
      'gpt-5.6-sol',
    ]);
  });

  it('an unknown model is a 400 that lists those that are known', async () => {
    const { app } = await behind((reply) => reply.end());
    for (const model of ['no-such-model', 'nobody/gpt-4o', '__proto__', 'constructor']) {
      const { status, error } = await ask(`${app.url}/v1/chat`, { body: { model, messages } });
      expect(status).toBe(400);
      expect(error).toMatchObject({ code: 'model_not_found', param: 'model' });
      expect(error.message).toContain('gpt-4o');
    }
  });

  it('a vendor that refuses our key is a 502 that shows neither its message nor the key', async () => {
    const leak = `Incorrect API key provided: ${canaryKey}`;
    const { app } = await behind((reply) =>
      reply.json({ error: { message: leak, code: 'invalid_api_key' } }, 401),
    );
    const { status, text, error } = await ask(`${app.url}/v1/chat`, { body: { model: 'gpt-4o', messages } });
    expect(status).toBe(502);
    expect(error).toMatchObject({ code: 'provider_credentials_refused', retryable: false });
    expect(text).not.toContain('Incorrect');
    await until(() => app.log.length > 0);
    for (const shown of [text, JSON.stringify(app.log)]) expect(shown).not.toContain(canaryKey);
  });

  it.each(allPaths)('%s passes on how long a vendor asks to wait', async (path) => {
    const { app } = await behind((reply) =>
      reply.json({ error: { message: 'Slow down' } }, 429, { 'retry-after': '17' }),
    );
    const { status, headers, error } = await ask(app.url + path, { body: { model: 'gpt-4o', messages } });
    expect([status, error.code, headers['retry-after']]).toEqual([429, 'provider_rate_limited', '17']);
  });

  it.each(allPaths)('%s answers 503 for a vendor that is overloaded', async (path) => {
    const { app } = await behind((reply) => reply.json({ error: { message: 'Overloaded' } }, 529));
    const { status, error } = await ask(app.url + path, { body: { model: 'claude-sonnet-4', messages } });
    expect([status, error.code]).toEqual([503, 'provider_overloaded']);
  });

  it.each(allPaths)('%s answers 504 for a vendor that stays silent', async (path) => {
    const { app } = await behind(() => undefined, {
      timeLimits: { ...longLimits, firstByte: 60, total: 1900 },
    });
    const { status, error } = await ask(app.url + path, { body: { model: 'gpt-4o', messages } });
    expect([status, error.code]).toEqual([504, 'provider_first_byte_timeout']);
  });

  it('a failure before the first event of a stream is an ordinary error reply', async () => {
    const { app } = await behind((reply) => reply.reset());
    const { status, error } = await ask(`${app.url}/v1/chat`, {
      body: { model: 'gpt-4o', messages, stream: true },
    });
    expect([status, error.code]).toEqual([502, 'provider_unreachable']);
  });

  it('the next target answers when the first fails, and the answer says so', async () => {
    const { app } = await behind(
      (reply) =>
        reply.request.path.includes('chat/completions')
          ? reply.json({ error: { message: 'Down' } }, 500)
          : reply.json(anthropicFixture.reply),
      {
        maxAttempts: 2,
        models: [
          {
            id: 'best',
            provider: openAiFixture.wire,
            model: 'gpt-4o',
            temperature: null,
            fallbacks: ['claude-sonnet-4-6'],
          },
        ],
      },
    );
    const { status, json } = await ask(`${app.url}/v1/chat`, { body: { model: 'best', messages } });
    expect(status).toBe(200);
    expect(json).toMatchObject({ content: anthropicFixture.text, warnings: [{ code: 'fallback_used' }] });
  });

  it.each(['end', 'resetAndDestroy'] as const)(
    'a client that leaves by %s before the answer closes the connection to the vendor',
    async (leave) => {
      let closed = false;
      const { app, vendor } = await behind(async (reply) => {
        await reply.closed;
        closed = true;
      });
      const body = JSON.stringify({ model: 'gpt-4o', messages });
      const socket = await open(app.port);
      const head = [
        'POST /v1/chat HTTP/1.1',
        'Host: x',
        'Authorization: Bearer test-key-with-all-scopes',
        'Content-Type: application/json',
      ];
      socket.write(`${head.join('\r\n')}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
      await until(() => vendor.requests.length === 1);
      socket[leave]();
      await until(() => closed && app.running.size === 0);
      expect(vendor.requests.length).toBe(1);
    },
  );

  it('prompts and answers are not logged', async () => {
    const { app } = await behind((reply) => reply.json(openAiFixture.reply));
    await ask(`${app.url}/v1/chat`, { body: { model: 'gpt-4o', message: 'a secret question' } });
    await until(() => app.log.length > 0);
    const log = JSON.stringify(app.log);
    for (const text of ['a secret question', openAiFixture.text, 'test-key-with-all-scopes'])
      expect(log).not.toContain(text);
  });
});
