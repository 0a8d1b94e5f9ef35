import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { JobTable } from '../../src/background/jobs/job-table.ts';
import { RunStore } from '../../src/services/agents/run-store.ts';
import { StoreError } from '../../src/store/errors.ts';
import { agentOf, modelThat } from '../helpers/agents.ts';
import { appForThisTest, type TestApp, type TestAppOptions, testKey } from '../helpers/app.ts';
import { ask, eventsOf, open, textUntilItEnds } from '../helpers/http.ts';
import { anthropicFixture, openAiFixture } from '../helpers/vendor-fixtures.ts';
import { longLimits, providerOf, until, vendorFor } from '../helpers/vendor-gateway.ts';
import type { VendorScript } from '../lib/vendor.ts';

/** Interruptions by the server, its database or a reader: what the client gets, and what is stored. */
describe('what is broken off', () => {
  async function serverWith(script: VendorScript, more: TestAppOptions = {}) {
    const vendor = await vendorFor(script);
    const app = await appForThisTest({
      models: {
        providers: [providerOf('openai', vendor.baseUrl)],
        maxAttempts: 1,
        defaultModel: 'gpt-4o',
        timeLimits: longLimits,
      },
      agents: { agents: [agentOf({ model: 'gpt-4o' })] },
      ...more,
    });
    return { app, vendor, at: `${app.url}/v1/agents/tester` };
  }

  /** What the ledger holds when nothing runs any more, first to last. */
  async function ledgerOf({ accounts }: TestApp) {
    const { db } = accounts.store;
    for (;;) {
      await accounts.admissions.flush();
      const rows = await db.selectFrom('ledger_rows').selectAll().orderBy('request_id').execute();
      if (rows.length > 0 && rows.every(({ status }) => status !== 'running')) return rows;
      await sleep(5);
    }
  }

  const runsIn = ({ accounts }: TestApp) => accounts.store.db.selectFrom('agent_runs').selectAll().execute();

  /** A stream that has begun. */
  async function begun(url: string, body?: object) {
    const response = await fetch(url, {
      headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    expect(response.status).toBe(200);
    return async () => eventsOf(await response.text()).map(({ data }) => data);
  }

  const isTerminal = ({ type }: { type: string }) => type === 'end' || type === 'error';

  describe('a run that a stopping server breaks off', () => {
    const silent: VendorScript = (reply) => {
      reply.eventStream();
      reply.chunk(openAiFixture.delta('Well, '));
    };

    it('tells its own end to who has asked for it as a stream', async () => {
      const { app, vendor, at } = await serverWith(silent);
      const events = await begun(`${at}/run/stream`, { input: 'Go' });
      await until(() => vendor.requests.length === 1);
      await app.listener.drain(10);
      const told = (await events()).filter(isTerminal);
      expect(told).toMatchObject([
        { type: 'end', run: { status: 'interrupted', error: { code: 'run_interrupted', retryable: true } } },
      ]);
      expect(await ledgerOf(app)).toMatchObject([
        { status: 'failed', error_code: 'run_interrupted', http_status: 200 },
      ]);
    });

    it('goes on in the background, and who watches is told that the server stops', async () => {
      const { app, vendor, at } = await serverWith(silent);
      const { json } = await ask(`${at}/run`, { body: { input: 'Go', background: true } });
      const events = await begun(`${at}/runs/${json.id}/events`);
      await until(() => vendor.requests.length === 1);
      await app.listener.drain(10);
      expect((await runsIn(app))[0]?.status).toBe('running');
      const told = (await events()).filter(isTerminal);
      expect(told).toMatchObject([{ type: 'error', error: { code: 'shutting_down', retryable: true } }]);
    });
  });

  describe('a stream whose reader takes nothing', () => {
    const endless: VendorScript = async (reply) => {
      let open = true;
      void reply.closed.then(() => {
        open = false;
      });
      reply.eventStream();
      for (let sent = 0; open && sent < 2000; sent += 1) {
        reply.chunk(openAiFixture.delta('word '.repeat(4000)));
        if (reply.socket.writableNeedDrain)
          await Promise.race([new Promise((resolve) => reply.socket.once('drain', resolve)), reply.closed]);
      }
    };

    it.each([
      ['/v1/chat/stream', { message: 'Hello' }],
      ['/v1/ai/rewrite/stream', { input: { text: 'Hello there, you.', tone: 'formal' }, engine: 'model' }],
    ])('of %s is kept as cancelled, with what was used', async (path, body) => {
      const { app } = await serverWith(endless, { writeTimeoutMs: 100 });
      const text = JSON.stringify(body);
      const socket = await open(app.port);
      onTestFinished(() => void socket.destroy());
      socket.on('error', () => undefined);
      socket.pause();
      socket.write(
        [
          `POST ${path} HTTP/1.1`,
          'Host: x',
          `Authorization: Bearer ${testKey}`,
          'Content-Type: application/json',
          `Content-Length: ${Buffer.byteLength(text)}`,
          '',
          text,
        ].join('\r\n'),
      );
      const rows = await ledgerOf(app);
      expect(rows).toMatchObject([{ status: 'cancelled', http_status: 499, error_code: null }]);
      expect(rows[0]?.completion_tokens).toBeGreaterThan(0);
      await until(() => app.log.some(({ msg, status }) => msg === 'request' && status === 499));
    });
  });

  describe('a run whose record cannot be read', () => {
    const unreadable = () => {
      const find = vi
        .spyOn(RunStore.prototype, 'find')
        .mockRejectedValue(new StoreError('unreachable', 'The database is away.'));
      onTestFinished(() => find.mockRestore());
    };

    it('is streamed and answered all the same', async () => {
      const { app, at } = await serverWith(modelThat('Yes.'));
      unreadable();
      const events = await begun(`${at}/run/stream`, { input: 'Go' });
      expect((await events()).at(-1)).toMatchObject({ type: 'end', run: { status: 'succeeded' } });
      const whole = await ask(`${at}/run`, { body: { input: 'Go' } });
      expect([whole.status, whole.json.status, whole.json.output]).toEqual([200, 'succeeded', 'Yes.']);
      const later = await ask(`${at}/run`, { body: { input: 'Go', background: true } });
      expect([later.status, later.json.status]).toEqual([202, 'running']);
      expect(await ledgerOf(app)).toMatchObject(Array(3).fill({ status: 'succeeded' }));
    });

    it('is stopped when its stream fails, as nobody hears it any more', async () => {
      const asked = Promise.withResolvers<void>();
      // The vendor never answers.
      const { app, at } = await serverWith(() => asked.resolve(), { errorsExpected: true });
      const read = vi
        .spyOn(JobTable.prototype, 'events')
        .mockImplementation(() =>
          asked.promise.then(() => Promise.reject(new StoreError('unreachable', 'The database is away.'))),
        );
      onTestFinished(() => read.mockRestore());
      const events = await begun(`${at}/run/stream`, { input: 'Go' });
      expect(await events()).toMatchObject([{ type: 'error', error: { code: 'storage_unavailable' } }]);
      expect(await ledgerOf(app)).toMatchObject([{ status: 'failed', error_code: 'storage_unavailable' }]);
      expect(await runsIn(app)).toMatchObject([{ status: 'failed' }]);
    });
  });

  describe('a run that cannot begin', () => {
    it.each([{}, { background: true }, { stream: true }])(
      'stands in the ledger with what its client was told: %j',
      async (more) => {
        const { app, at } = await serverWith(modelThat('Yes.'), { errorsExpected: true });
        await app.accounts.store.db.schema.dropTable('agent_run_events').execute();
        await app.accounts.store.db.schema.dropTable('agent_runs').execute();
        const { status, error } = await ask(`${at}/run`, { body: { input: 'Go', ...more } });
        expect([status, error.code]).toEqual([503, 'storage_unavailable']);
        expect(await ledgerOf(app)).toMatchObject([
          { status: 'failed', error_code: 'storage_unavailable', http_status: 503 },
        ]);
      },
    );
  });
});

/** Streams of foreign interfaces while their vendor is silent, and bodies as their clients send them. */
describe('streams of foreign interfaces', () => {
  const question = [{ role: 'user', content: 'Hi' }];

  async function post(
    app: TestApp,
    path: string,
    body: object | Buffer,
    headers: Record<string, string> = {},
  ) {
    const reply = await fetch(app.url + path, {
      method: 'POST',
      body: Buffer.isBuffer(body) ? body : JSON.stringify(body),
      headers: { 'x-api-key': testKey, ...headers },
    });
    const read = await textUntilItEnds(reply.body as AsyncIterable<unknown>);
    return { status: reply.status, ...read };
  }

  /** Waits for the stream's sign of life. */
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
      const { status, text } = await post(app, '/v1/chat/completions', bytes, {
        'content-encoding': encoding,
      });
      expect([status, JSON.parse(text).choices?.[0].message.content]).toEqual([200, 'Grüße']);
    });

    it.each([
      ['unknown encoding', Buffer.from(json), { 'content-encoding': 'lzma' }, 415],
      ['damaged', zstdCompressSync(json).subarray(0, 20), { 'content-encoding': 'zstd' }, 400],
      ['no zstd', Buffer.from(json), { 'content-encoding': 'zstd' }, 400],
      ['no JSON', Buffer.from('{"model":'), {}, 400],
      ['no object', Buffer.from('[]'), {}, 400],
      ['no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), {}, 400],
      ['none at all', Buffer.alloc(0), {}, 400],
      ['a form', Buffer.from('--x--'), { 'content-type': 'multipart/form-data; boundary=x' }, 415],
    ])('is refused in the form of the interface: %s', async (_what, bytes, headers, status) => {
      const app = await appForThisTest();
      const reply = await post(app, '/v1/messages', bytes, headers as unknown as Record<string, string>);
      expect(reply.status).toBe(status);
      expect(JSON.parse(reply.text)).toMatchObject({
        type: 'error',
        error: { type: 'invalid_request_error' },
      });
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
});
