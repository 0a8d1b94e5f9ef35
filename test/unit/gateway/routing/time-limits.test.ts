import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createModelGateway } from '../../../../src/gateway/routing/gateway.ts';
import { openAiFixture, vendorFixtures } from '../../../helpers/vendor-fixtures.ts';
import {
  callOf,
  errorOf,
  gatewayTo,
  longLimits,
  providerOf,
  settingsOf,
  shown,
  until,
  vendorFor,
} from '../../../helpers/vendor-gateway.ts';
import type { VendorReply } from '../../../lib/vendor.ts';

/** So short in all that a whole answer is given no more time than a stream to begin. */
const brief = 1900;
const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe.each(vendorFixtures)('on the $wire wire', (fixture) => {
  const limited = (limit: Partial<typeof longLimits>) => ({ timeLimits: { ...longLimits, ...limit } });
  const firstByte = 'provider_first_byte_timeout';
  const idle = 'provider_idle_timeout';

  test.each<[string, (r: VendorReply) => void, string]>([
    ['silence', () => undefined, firstByte],
    ['half a head', ({ write }) => write('HTTP/1.1 200 OK\r\n'), firstByte],
    ['a head', ({ eventStream }) => eventStream(), idle],
    [
      'half a body',
      (r) => {
        r.eventStream();
        r.chunk('{"choi');
      },
      idle,
    ],
  ])('a whole answer that stops after %s', async (_, script, code) => {
    const gateway = await gatewayTo(fixture, script, limited({ firstByte: 60, idle: 60, total: brief }));
    const error = await errorOf(gateway.ask());
    expect(error.code).toBe(code);
    expect(error.message).toContain(`"${fixture.wire}"`);
    expect(error.message).toContain('60 ms');
    await until(() => gateway.vendor.openSockets === 0);
  });

  test.each<[string, (r: VendorReply) => void, string]>([
    ['silence', () => undefined, firstByte],
    ['a head', ({ eventStream }) => eventStream(), firstByte],
    [
      'half an event',
      (r) => {
        r.eventStream();
        r.chunk('data: {"');
      },
      firstByte,
    ],
    [
      'the first event',
      (r) => {
        r.eventStream();
        r.chunk(fixture.beforeText);
      },
      idle,
    ],
    [
      'half of the text',
      (r) => {
        r.eventStream();
        r.chunk(fixture.firstHalf);
      },
      idle,
    ],
  ])('a stream that stops after %s', async (_, script, code) => {
    const gateway = await gatewayTo(fixture, script, limited({ firstByte: 80, idle: 60 }));
    const { error } = await gateway.read();
    expect(error).toMatchObject({ code });
    await until(() => gateway.vendor.openSockets === 0);
  });

  test('comments alone are signs of life until the whole time is over', async () => {
    const pinging = async (reply: VendorReply) => {
      reply.eventStream();
      while (!reply.socket.destroyed) {
        reply.chunk(': ping\n\n');
        await later(20);
      }
    };
    const gateway = await gatewayTo(fixture, pinging, limited({ firstByte: 1000, total: 1500 }));
    expect((await gateway.read()).error).toMatchObject({ code: 'provider_total_timeout' });
    await until(() => gateway.vendor.openSockets === 0);
  });

  test('a whole answer may begin late where nobody else is left to ask', async () => {
    const late = async (reply: VendorReply) => {
      await later(300);
      reply.json(fixture.reply);
    };
    const gateway = await gatewayTo(fixture, late, limited({ firstByte: 60 }));
    expect(shown((await gateway.ask()).completion).content).toBe(fixture.text);
  });

  test('a stream may be slow as long as it is not silent', async () => {
    const gateway = await gatewayTo(
      fixture,
      async (reply) => {
        reply.eventStream();
        reply.chunk(fixture.firstHalf);
        for (let i = 0; i < 8; i += 1) {
          await later(100);
          reply.chunk(': ping\n\n');
        }
        reply.chunk(fixture.stream.slice(fixture.firstHalf.length));
      },
      limited({ firstByte: 400, idle: 400 }),
    );
    expect((await gateway.read()).events.at(-1)).toEqual(fixture.end);
  });

  test('a whole answer may be slow as long as it is not silent', async () => {
    const body = JSON.stringify(fixture.reply);
    const gateway = await gatewayTo(
      fixture,
      async (reply) => {
        reply.eventStream({ 'content-type': 'application/json' });
        for (let at = 0; at < body.length; at += 80) {
          reply.chunk(body.slice(at, at + 80));
          await later(100);
        }
        reply.lastChunk();
      },
      limited({ firstByte: 400, idle: 400 }),
    );
    expect(shown((await gateway.ask()).completion).content).toBe(fixture.text);
  });

  test('a request may have its own limits', async () => {
    const gateway = await gatewayTo(fixture, () => undefined);
    const { signal } = new AbortController();
    const hasty = { signal, limits: { ...longLimits, firstByte: 50, total: brief } };
    const impatient = { signal, limits: { ...longLimits, total: 50 } };
    const { model } = fixture;
    const firstByte = { code: 'provider_first_byte_timeout' };
    expect(await errorOf(gateway.complete(model, callOf(), hasty))).toMatchObject(firstByte);
    expect(await errorOf(gateway.stream(model, callOf(), hasty))).toMatchObject(firstByte);
    expect(await errorOf(gateway.complete(model, callOf(), impatient))).toMatchObject({
      code: 'provider_total_timeout',
    });
  });

  test('a slow reader is not taken for a silent vendor', async () => {
    const gateway = await gatewayTo(
      fixture,
      async (reply) => {
        reply.eventStream();
        reply.chunk(fixture.firstHalf);
        await later(150);
        reply.chunk(fixture.stream.slice(fixture.firstHalf.length));
        reply.lastChunk();
      },
      limited({ firstByte: 50, idle: 50 }),
    );
    const { signal } = new AbortController();
    const { events } = await gateway.stream(fixture.model, callOf(), { signal });
    await later(300);
    let last: unknown;
    for await (const event of events) last = event;
    expect(last).toEqual(fixture.end);
  });

  test.each<[string, (r: VendorReply) => void]>([
    ['before the head', () => undefined],
    [
      'before the text',
      (r) => {
        r.eventStream();
        r.chunk(fixture.beforeText);
      },
    ],
  ])('the whole request may take so long: %s', async (_, script) => {
    const gateway = await gatewayTo(fixture, script, { ...limited({ total: 70 }), maxAttempts: 4 });
    const error = await errorOf(gateway.ask());
    expect(error.code).toBe('provider_total_timeout');
    expect(error.message).toContain('70 ms');
    expect((await gateway.read()).error).toMatchObject({ code: 'provider_total_timeout' });
    await until(() => gateway.vendor.openSockets === 0);
    expect(gateway.attempts).toMatchObject([
      { outcome: 'failed', errorCode: 'provider_total_timeout' },
      { outcome: 'failed', errorCode: 'provider_total_timeout' },
    ]);
  });

  test('the whole request may take so long: in the middle of a stream that never stops', async () => {
    const gateway = await gatewayTo(
      fixture,
      async (reply) => {
        reply.eventStream();
        reply.chunk(fixture.firstHalf);
        while (!reply.socket.destroyed) {
          reply.chunk(fixture.delta('x'));
          await later(5);
        }
      },
      limited({ total: 100 }),
    );
    const { events, error } = await gateway.read();
    expect(events.length).toBeGreaterThan(1);
    expect(events.some(({ type }) => type === 'end')).toBe(false);
    expect(error).toMatchObject({ code: 'provider_total_timeout' });
    await until(() => gateway.vendor.openSockets === 0);
  });
});

test('no connection comes about', async () => {
  // A vendor that never answers the TLS greeting.
  const silent = await vendorFor(() => undefined);
  const timeLimits = { ...longLimits, connect: 60 };
  const baseUrl = silent.baseUrl.replace('http:', 'https:');
  const gateway = createModelGateway(settingsOf([providerOf('openai', baseUrl)], { timeLimits }));
  const { signal } = new AbortController();
  const error = await errorOf(gateway.complete('gpt-4o', callOf(), { signal }));
  expect(error).toMatchObject({ code: 'provider_connect_timeout', outage: true });
});

test('a proxy stands before the vendors, but for those that are excepted', async () => {
  const asked: string[] = [];
  const proxy = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers['proxy-authorization']}`);
    response.setHeader('content-type', 'application/json').end(JSON.stringify(openAiFixture.reply));
  });
  proxy.on('connect', ({ url = '' }, socket) => {
    asked.push(`CONNECT ${url}`);
    const status = url.startsWith('down.') ? '502 Bad Gateway' : '407 Proxy Authentication Required';
    socket.end(`HTTP/1.1 ${status}\r\ncontent-length: 0\r\n\r\n`);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void proxy.close());
  const address = `http://user:secret@127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const direct = await vendorFor(({ json }) => json(openAiFixture.reply));
  const answerOf = (baseUrl: string, https: string | null = address) => {
    const providers = [providerOf('openai', baseUrl)];
    const by = { http: address, https, except: '127.0.0.1,.internal' };
    const gateway = createModelGateway(
      settingsOf(providers, { timeLimits: longLimits, proxy: by, maxAttempts: 2 }),
    );
    return gateway.complete('gpt-4o', callOf(), { signal: new AbortController().signal });
  };
  const { parts } = (await answerOf('http://vendor.example/v1')).completion;
  expect(parts).toMatchObject([{ type: 'text', text: openAiFixture.text }]);
  expect(asked).toEqual([
    `POST http://vendor.example/v1/chat/completions Basic ${Buffer.from('user:secret').toString('base64')}`,
  ]);
  await answerOf(direct.baseUrl);
  expect(direct.requests.length).toBe(1);
  const refused = await errorOf(answerOf('https://vendor.example/v1'));
  expect(refused).toMatchObject({ code: 'provider_unreachable', outage: true, retryable: false });
  expect(refused.message).toMatch(/: the outbound proxy of this server answers 407 instead of connecting\.$/);
  expect(asked.slice(1)).toEqual(['CONNECT vendor.example:443']);
  const down = await errorOf(answerOf('https://down.example/v1'));
  expect([down.retryable, down.message]).toEqual([true, expect.stringContaining('answers 502 instead')]);
  expect(asked.slice(2)).toEqual(Array(2).fill('CONNECT down.example:443'));
  // A proxy of `http:` alone is none of `https:`. The name leads nowhere.
  await errorOf(answerOf('https://vendor.invalid/v1', null));
  expect(asked.length).toBe(4);
  expect(`${refused.message} ${String((refused.cause as Error).message)}`).not.toContain('secret');
});

test('no connection is free', async () => {
  const [fixture] = vendorFixtures;
  const timeLimits = { ...longLimits, connect: 60 };
  const gateway = await gatewayTo(fixture, () => undefined, { timeLimits }, { connections: 1 });
  const controller = new AbortController();
  const first = gateway.ask(callOf(), controller.signal).catch(() => null);
  await until(() => gateway.vendor.requests.length === 1);
  const error = await errorOf(gateway.ask());
  expect(error).toMatchObject({ code: 'provider_connect_timeout', outage: false });
  expect(error.message).toBe('All connections to the provider "openai" were in use for 60 ms.');
  controller.abort();
  await first;
});

test('what has come while this process was busy is read before the vendor is called silent', async () => {
  const fixture = openAiFixture;
  const gateway = await gatewayTo(
    fixture,
    async (reply) => {
      reply.eventStream();
      reply.chunk(fixture.firstHalf);
      // Written, but not read, when the limit is over.
      setTimeout(() => reply.chunk(fixture.stream.slice(fixture.firstHalf.length)), 50);
      await later(20);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600);
    },
    { timeLimits: { ...longLimits, firstByte: 300, idle: 300 } },
  );
  expect((await gateway.read()).events.at(-1)).toEqual(fixture.end);
});
