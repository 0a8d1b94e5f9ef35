/** Streams of foreign interfaces while their vendor is silent, and bodies as their clients send them. */
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { appForThisTest, type TestApp, testKey } from '../helpers/app.ts';
import { textUntilItEnds } from '../helpers/broken-body.ts';
import { anthropicFixture, openAiFixture } from '../helpers/vendor-fixtures.ts';
import { providerOf, vendorFor } from '../helpers/vendor-gateway.ts';

const question = [{ role: 'user', content: 'Hi' }];

async function post(app: TestApp, path: string, body: object | Buffer, headers: Record<string, string> = {}) {
  const reply = await fetch(app.url + path, {
    method: 'POST',
    body: Buffer.isBuffer(body) ? body : JSON.stringify(body),
    headers: { 'x-api-key': testKey, ...headers },
  });
  const read = await textUntilItEnds(reply.body as AsyncIterable<unknown>);
  return { status: reply.status, ...read };
}

/** Waits until the client has been told that its stream is alive. */
function afterPing(go: () => void): void {
  setTimeout(go, 200);
}

describe.each([
  ['/v1/chat/completions', 'gpt-4o', openAiFixture, ': ping\n\n'],
  ['/v1/messages', 'claude-sonnet-4-6', anthropicFixture, 'event: ping\ndata: {"type": "ping"}\n\n'],
] as const)('a stream of %s', (path, model, fixture, ping) => {
  const body = { model, max_tokens: 9, messages: question, stream: true };
  const models = (baseUrl: string) => ({ providers: [providerOf(fixture.wire, baseUrl)] });

  it('says that it is alive before the first byte of an answer, in the form of the interface', async () => {
    const vendor = await vendorFor(({ events }) => afterPing(() => events(fixture.stream)));
    const app = await appForThisTest({ models: models(vendor.baseUrl), pingMs: 20 });
    const { status, text } = await post(app, path, body);
    expect([status, text.startsWith(ping)]).toEqual([200, true]);
    expect(text.replaceAll(ping, '')).toContain('Grüße');
  });

  it('tells a failure in the stream once that has begun, and as a status before', async () => {
    const vendor = await vendorFor(({ reply }) => afterPing(() => reply(500, '{}')));
    const app = await appForThisTest({ models: models(vendor.baseUrl), pingMs: 20 });
    const late = await post(app, path, body);
    expect([late.status, late.text.startsWith(ping)]).toEqual([200, true]);
    expect(late.whole).toBe(fixture.wire === 'anthropic');
    expect(late.text.split('"error"').length).toBeGreaterThan(1);
    const early = await post(await appForThisTest({ models: models(vendor.baseUrl) }), path, body);
    expect(early.status).toBeGreaterThanOrEqual(500);
    expect(JSON.parse(early.text).error.message).toContain(fixture.wire);
  });
});

describe('a body', () => {
  const body = { model: 'sandbox/echo', messages: [{ role: 'user', content: 'Grüße' }] };
  const json = JSON.stringify(body);

  it.each([
    ['gzip', gzipSync(json)],
    ['deflate', deflateSync(json)],
    ['br', brotliCompressSync(json)],
    ['zstd', zstdCompressSync(json)],
    ['identity', Buffer.from(json)],
  ])('may come as %s', async (encoding, bytes) => {
    const app = await appForThisTest();
    const { status, text } = await post(app, '/v1/chat/completions', bytes, { 'content-encoding': encoding });
    expect([status, JSON.parse(text).choices?.[0].message.content]).toEqual([200, 'Grüße']);
  });

  it.each([
    ['unknown encoding', Buffer.from(json), { 'content-encoding': 'lzma' }, 415],
    ['damaged', zstdCompressSync(json).subarray(0, 20), { 'content-encoding': 'zstd' }, 400],
    ['no JSON', Buffer.from('{"model":'), {}, 400],
    ['no object', Buffer.from('[]'), {}, 400],
    ['no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), {}, 400],
    ['none at all', Buffer.alloc(0), {}, 400],
    ['a form', Buffer.from('--x--'), { 'content-type': 'multipart/form-data; boundary=x' }, 415],
  ])('is refused in the form of the interface: %s', async (_what, bytes, headers, status) => {
    const app = await appForThisTest();
    const reply = await post(app, '/v1/messages', bytes, headers as unknown as Record<string, string>);
    expect(reply.status).toBe(status);
    expect(JSON.parse(reply.text)).toMatchObject({ type: 'error', error: { type: 'invalid_request_error' } });
  });

  it('may be large, up to 32 MiB after decompression', async () => {
    const app = await appForThisTest({ bufferMemory: 256 * 1024 * 1024 });
    const large = (bytes: number) => JSON.stringify({ ...body, unheard_of: 'x'.repeat(bytes) });
    const within = await post(app, '/v1/chat/completions', gzipSync(large(31 * 1024 * 1024)), {
      'content-encoding': 'gzip',
    });
    expect(within.status).toBe(200);
    const beyond = await post(app, '/v1/chat/completions', gzipSync(large(33 * 1024 * 1024)), {
      'content-encoding': 'gzip',
    });
    expect([beyond.status, JSON.parse(beyond.text).error.code]).toEqual([413, 'payload_too_large']);
    expect(app.budget.held).toBe(0);
  });
});
