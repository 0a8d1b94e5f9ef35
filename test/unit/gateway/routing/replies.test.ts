import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { createModelGateway } from '../../../../src/gateway/routing/gateway.ts';
import { readReply as readAnthropic } from '../../../../src/gateway/wires/anthropic/vendor/reply.ts';
import { readReply as readOpenAi } from '../../../../src/gateway/wires/openai-chat/vendor/reply.ts';
import { noTokens } from '../../../../src/model/usage.ts';
import { anthropicFixture, openAiFixture, vendorFixtures } from '../../../helpers/vendor-fixtures.ts';
import {
  callOf,
  canaryKey,
  errorOf,
  gatewayTo,
  providerOf,
  settingsOf,
  shown,
} from '../../../helpers/vendor-gateway.ts';
import type { VendorScript } from '../../../lib/vendor.ts';

const vendor = { id: 'test', apiKey: null };
const claude = { vendor, model: 'claude-sonnet-4-6', customTools: new Set<string>() };
const openAi = (message: object, finish_reason: unknown = 'stop') =>
  readOpenAi(vendor, 'gpt-4o', { choices: [{ index: 0, message, finish_reason }] });

describe.each(vendorFixtures)('a whole reply on the $wire wire', (fixture) => {
  test('is read', async () => {
    const gateway = await gatewayTo(fixture, ({ json }) => json(fixture.reply));
    const { completion, provider, model, warnings } = await gateway.ask();
    expect({ provider, model, warnings }).toEqual({
      provider: fixture.wire,
      model: fixture.model,
      warnings: [],
    });
    const { finishReason, usage } = fixture.end;
    expect(shown(completion)).toEqual({ content: fixture.text, toolCalls: [], finishReason, usage });
    expect(gateway.attempts).toMatchObject([{ outcome: 'succeeded', errorCode: null, status: null }]);
  });

  test('may come in pieces that cut through characters', async () => {
    const bytes = Buffer.from(JSON.stringify(fixture.reply));
    const gateway = await gatewayTo(fixture, (reply) => {
      reply.eventStream({ 'content-type': 'application/json' });
      for (const byte of bytes) reply.chunk(Uint8Array.of(byte));
      reply.lastChunk();
    });
    expect(shown((await gateway.ask()).completion).content).toBe(fixture.text);
  });

  test('leaves the connection for the next request', async () => {
    const gateway = await gatewayTo(fixture, ({ json }) => json(fixture.reply), {}, { connections: 1 });
    await gateway.ask();
    await gateway.ask();
    expect(gateway.vendor.connections).toBe(1);
  });
});

describe('finish reasons', () => {
  test.each([
    ['stop', 'stop'],
    ['length', 'length'],
    ['content_filter', 'content_filter'],
    ['tool_calls', 'stop'],
    ['function_call', 'stop'],
    ['something_new', 'stop'],
  ])('OpenAI: %s is %s', (given, expected) => {
    expect(openAi({ content: 'x' }, given).finishReason).toBe(expected);
  });

  test.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['refusal', 'content_filter'],
    ['tool_use', 'stop'],
    ['pause_turn', 'stop'],
    ['something_new', 'stop'],
  ])('Anthropic: %s is %s', (stop_reason, expected) => {
    expect(readAnthropic(claude, { ...anthropicFixture.reply, stop_reason }).finishReason).toBe(expected);
  });

  test('a refusal is shown and counts as withheld', () => {
    expect(shown(openAi({ content: null, refusal: 'I cannot help with that.' }))).toMatchObject({
      content: 'I cannot help with that.',
      finishReason: 'content_filter',
    });
  });

  test('of content in parts only the text is shown', () => {
    const content = [
      { type: 'thinking', thinking: [{ type: 'text', text: 'hidden' }] },
      { type: 'text', text: 'shown' },
    ];
    expect(shown(openAi({ content })).content).toBe('shown');
  });
});

describe('usage', () => {
  const counted = (prompt: number, output: number, cacheRead = 0, reasoning = 0) => ({
    ...noTokens,
    inputUncached: prompt - cacheRead,
    cacheRead,
    output,
    reasoning,
  });

  test('Anthropic: cached tokens are part of the prompt, once', () => {
    const { usage } = readAnthropic(claude, anthropicFixture.reply);
    expect(usage).toEqual({ ...counted(10 + 8, 11, 8, 3), cacheWrite5m: 6 });
  });

  test('Anthropic: none', () => {
    expect(readAnthropic(claude, { ...anthropicFixture.reply, usage: undefined }).usage).toBeNull();
  });

  test.each([
    [
      'every chunk',
      'data: {"choices":[{"delta":{"content":"a"}}],"usage":{"prompt_tokens":9,"completion_tokens":1}}\n\ndata: {"choices":[{"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":5}}\n\ndata: [DONE]\n\n',
      counted(9, 5),
    ],
    [
      'the finish chunk',
      'data: {"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":5}}\n\ndata: [DONE]\n\n',
      counted(9, 5),
    ],
    [
      'no chunk',
      'data: {"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
      null,
    ],
  ])('in a stream that tells it in %s', async (_, stream, usage) => {
    const gateway = await gatewayTo(openAiFixture, ({ events }) => events(stream));
    const { events } = await gateway.read();
    expect(events).toEqual([
      { type: 'delta', content: 'a' },
      { type: 'end', finishReason: 'stop', endReason: 'stop', usage },
    ]);
  });
});

describe.each([openAiFixture, anthropicFixture])('an interim response on the $wire wire', (fixture) => {
  const body = JSON.stringify(fixture.reply);
  const final = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  const interim = 'HTTP/1.1 100 Continue\r\n\r\n';
  const rows: [string, readonly string[]][] = [
    ['that nobody asked for', [interim + final]],
    ['in a piece of its own', [interim, final]],
    ['with headers, again and again', [`HTTP/1.1 100 Continue\r\nx: y\r\n\r\n${interim}`, interim + final]],
    [
      'of another kind',
      ['HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </x>; rel=preload\r\n\r\n', final],
    ],
    [
      'of several kinds',
      [`HTTP/1.1 103 Early Hints\r\n\r\n${interim}HTTP/1.1 102 Processing\r\n\r\n${interim}${final}`],
    ],
    ['byte by byte', [...(interim + final.slice(0, 30))].concat(final.slice(30))],
  ];

  test.each(rows)('%s is skipped', async (_, pieces) => {
    const gateway = await gatewayTo(
      fixture,
      async ({ write }) => {
        for (const piece of pieces) {
          write(piece);
          await new Promise((resolve) => setTimeout(resolve, 2));
        }
      },
      {},
      { connections: 1 },
    );
    for (let n = 0; n < 2; n += 1) expect(shown((await gateway.ask()).completion).content).toBe(fixture.text);
    expect(gateway.vendor.connections).toBe(1);
  });

  test('is none within a body', async () => {
    const gateway = await gatewayTo(fixture, async (reply) => {
      const text = JSON.stringify(fixture.reply).replace('Gr', `${interim.trim()} Gr`);
      const at = text.indexOf('HTTP/1.1');
      reply.write(
        `HTTP/1.1 200 OK\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text.slice(0, at)}`,
      );
      await new Promise((resolve) => setTimeout(resolve, 20));
      reply.write(text.slice(at));
    });
    expect(shown((await gateway.ask()).completion).content).toBe(
      fixture.text.replace('Gr', `${interim.trim()} Gr`),
    );
  });

  test('that never ends is no answer', async () => {
    const gateway = await gatewayTo(fixture, ({ write }) =>
      write(`HTTP/1.1 100 Continue\r\nx: ${'y'.repeat(200_000)}`),
    );
    expect(await errorOf(gateway.ask())).toMatchObject({
      code: expect.stringMatching(/^provider_(?:invalid_response|unreachable)$/),
    });
  });
});

describe('what a vendor asks to wait', () => {
  const day = 86_400;
  test.each<[string, Record<string, string>, number | undefined]>([
    ['for ages', { 'retry-after': '99999999999999999999' }, 3600],
    ['for longer than numbers go', { 'retry-after': '9'.repeat(400) }, 3600],
    ['for ages in milliseconds', { 'retry-after-ms': '99999999999999999999' }, 3600],
    ['until the far future', { 'retry-after': 'Fri, 31 Dec 9999 23:59:59 GMT' }, 3600],
    ['until the past', { 'retry-after': 'Mon, 01 Jan 1990 00:00:00 GMT' }, 0],
    ['for a day', { 'retry-after': String(day) }, 3600],
    ['for an hour', { 'retry-after': '3600' }, 3600],
    ['for less than nothing', { 'retry-after': '-5' }, undefined],
    ['in hexadecimal', { 'retry-after': '0x10' }, undefined],
    ['as a power', { 'retry-after': '1e9' }, undefined],
    ['for no number', { 'retry-after': 'NaN' }, undefined],
    ['for a while', { 'retry-after': 'a while' }, undefined],
    ['for nothing', { 'retry-after': '' }, undefined],
  ])('%s', async (_, headers, seconds) => {
    const gateway = await gatewayTo(openAiFixture, ({ json }) => json({}, 503, headers));
    for (let n = 0; n < 5; n += 1) expect((await errorOf(gateway.ask())).retryAfter).toBe(seconds);
    // The breaker is open now, and keeps to the same bound.
    const { code, retryAfter = 0 } = await errorOf(gateway.ask());
    expect(code).toBe('provider_unavailable');
    expect(retryAfter).toBeGreaterThan(0);
    expect(retryAfter).toBeLessThanOrEqual(3600);
  });
});

describe('what the client reads', () => {
  const told = async (status: number, body: object | string, headers: Record<string, string> = {}) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const gateway = await gatewayTo(openAiFixture, ({ reply }) => reply(status, text, headers));
    return errorOf(gateway.ask());
  };

  test('a rejection quotes the vendor', async () => {
    const message = "This model's maximum context length is 8192 tokens.";
    const error = await told(400, openAiFixture.errorReply('invalid_request_error', message));
    expect(error.message).toBe(`The provider "openai" refused the request: ${message}`);
  });

  test('a rejection without a reason says so, and an error page is not quoted', async () => {
    const expected = 'The provider "openai" refused the request: it gave no reason.';
    expect((await told(400, {})).message).toBe(expected);
    const pages = ['<html>nginx/1.2.3</html>', 'Bad Request\n<p>nginx', '{"error":', 'x '.repeat(2000), ''];
    for (const page of pages) expect((await told(422, page)).message).toBe(expected);
  });

  test.each([
    ['an object', { error: { message: 'x' } }],
    ['text', { error: 'x' }],
    ['a message', { object: 'error', message: 'x' }],
    ['a detail', { detail: 'x' }],
    ['plain text', ' x\n'],
    ['a list', [{ error: { code: 400, message: 'x', status: 'INVALID_ARGUMENT' } }]],
  ])('the reason may stand in %s', async (_, body) => {
    expect((await told(400, body)).message).toBe('The provider "openai" refused the request: x');
  });

  test('a long reason is cut', async () => {
    const { message } = await told(400, { error: { message: 'äöü '.repeat(10_000) } });
    expect(message.length).toBeLessThan(560);
    expect(message).toMatch(/…$/);
  });

  test.each([
    [
      'Gemini on a wrong key',
      [{ error: { code: 400, message: 'API key not valid. Please pass a valid API key.' } }],
      'The provider "openai" refused the credentials of this server.',
    ],
    [
      'Anthropic on an empty account',
      anthropicFixture.errorReply(
        'invalid_request_error',
        'Your credit balance is too low to access the Anthropic API.',
      ),
      'The account of this server at the provider "openai" has no credit left.',
    ],
  ])('a 400 that is not about the request: %s', async (_, body, message) => {
    const error = await told(400, body);
    expect(error.code).toBe('provider_credentials_refused');
    expect(error.message).toBe(message);
  });

  test('nothing answers at the address', async () => {
    const gateway = createModelGateway(settingsOf([providerOf('openai', 'http://127.0.0.1:1/v1')]));
    const { signal } = new AbortController();
    const error = await errorOf(gateway.complete('gpt-4o', callOf(), { signal }));
    expect(error).toMatchObject({ code: 'provider_unreachable' });
    expect(error.message).not.toContain('127.0.0.1');
    await gateway.close();
  });

  test('the host is unknown', async () => {
    const gateway = createModelGateway(settingsOf([providerOf('openai', 'http://nowhere.invalid/v1')]));
    const { signal } = new AbortController();
    expect(await errorOf(gateway.complete('gpt-4o', callOf(), { signal }))).toMatchObject({
      code: 'provider_unreachable',
    });
    await gateway.close();
  });

  test('TLS fails', async () => {
    const server = createServer((socket) => socket.end('This is not TLS.')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const gateway = createModelGateway(settingsOf([providerOf('openai', `https://127.0.0.1:${port}/v1`)]));
    const { signal } = new AbortController();
    const error = await errorOf(gateway.complete('gpt-4o', callOf(), { signal }));
    expect(error).toMatchObject({ code: 'provider_unreachable' });
    await gateway.close();
    server.close();
  });

  test('the gateway is closed', async () => {
    const gateway = await gatewayTo(openAiFixture, ({ json }) => json(openAiFixture.reply));
    await gateway.close();
    expect(await errorOf(gateway.ask())).toMatchObject({ code: 'shutting_down' });
  });
});

describe('secrets stay here', () => {
  const leaks: [string, VendorScript][] = [
    ...[400, 401, 403, 404, 413, 429, 500, 503].map((status): [string, VendorScript] => [
      `echoed with ${status}`,
      ({ json, request }) =>
        json(
          {
            error: {
              message: `Incorrect API key provided: ${canaryKey} ${JSON.stringify(request.headers)}`,
              code: canaryKey,
            },
          },
          status,
          { 'x-echo': canaryKey },
        ),
    ]),
    [
      'echoed masked',
      ({ json }) => json({ error: { message: `Incorrect API key: ${canaryKey.slice(0, 16)}****ACEG` } }, 400),
    ],
    [
      'echoed behind a long text',
      ({ json }) => json({ error: { message: 'x'.repeat(490) + canaryKey } }, 400),
    ],
    [
      'echoed in an error under 200',
      ({ json }) => json({ error: { message: canaryKey, type: 'invalid_request_error' } }),
    ],
    [
      'echoed in a page',
      ({ reply }) => reply(200, `<html>${canaryKey}</html>`, { 'content-type': 'text/html' }),
    ],
    ['echoed in an event', ({ events }) => events(`data: {"error":{"message":"${canaryKey}"}}\n\n`)],
    ['echoed in a broken event', ({ events }) => events(`data: {"x ${canaryKey}\n\n`)],
    ['echoed in garbage', ({ write }) => write(`${canaryKey}\r\n\r\n`)],
    ['and the connection breaks', ({ reset }) => reset()],
  ];

  test.each(leaks)('%s', async (_, script) => {
    const gateway = await gatewayTo(openAiFixture, script);
    const { error: streamError } = await gateway.read();
    const errors = [await errorOf(gateway.ask()), streamError];
    for (const error of errors) {
      const shown = `${JSON.stringify(error)} ${String(error)} ${everything(error)}`;
      expect(shown).not.toContain('canary');
      expect(shown).not.toContain('ACEG');
    }
    expect(JSON.stringify(gateway.attempts)).not.toContain('canary');
  });
});

/** All text within an error, its causes and stacks included. */
function everything(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const fields = Object.getOwnPropertyNames(error).map(
    (name) => (error as unknown as Record<string, unknown>)[name],
  );
  return fields
    .map((field) => (field instanceof Error ? everything(field) : (JSON.stringify(field) ?? '')))
    .join(' ');
}
