/** What is broken off by the server, its database or a reader: what the client is told, and what is kept of it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { JobTable } from '../../src/background/jobs/job-table.ts';
import { RunStore } from '../../src/services/agents/run-store.ts';
import { StoreError } from '../../src/store/errors.ts';
import { agentOf, modelThat } from '../helpers/agents.ts';
import { appForThisTest, type TestApp, type TestAppOptions, testKey } from '../helpers/app.ts';
import { ask, eventsOf, open } from '../helpers/http.ts';
import type { VendorScript } from '../helpers/vendor.ts';
import { openAiFixture } from '../helpers/vendor-fixtures.ts';
import { longLimits, providerOf, until, vendorFor } from '../helpers/vendor-gateway.ts';

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
