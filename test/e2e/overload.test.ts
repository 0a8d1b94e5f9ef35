import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { Reloads } from '../../src/config/reloads.ts';
import { digestForTests, startApp, type TestApp, testAdminPassword, testKey } from '../helpers/app.ts';
import { ask, open } from '../helpers/http.ts';
import { chat, expectVitalSigns, flood, load, metric, withGate } from '../helpers/overload.ts';
import { onEveryStore } from '../helpers/store.ts';
import { keyOfAnotherTenant } from '../helpers/store-accounts.ts';
import { until } from '../helpers/vendor-gateway.ts';

/** What a server does with more requests than it can answer well. */
describe('overload', () => {
  describe('a tenant with 2,000 connections', () => {
    it('does not keep a small one from its answers, and is refused itself, with when to come back', async () => {
      const { app, vendor, release } = await withGate(
        { maxRunning: 200, maxWaiting: 400, maxWaitMs: 600_000 },
        { plans: { enterprise: { requestWeight: 1 }, pro: { requestWeight: 1 } } },
      );
      const small = await keyOfAnotherTenant(app);
      const { all } = await flood(app, 2_000, testKey);
      // Half of all places to run and to wait; there are no other requests.
      await until(() => load(app).running === 100 && load(app).waiting.get('enterprise') === 200);
      await until(() => vendor.requests.length === 100);
      await expectVitalSigns(app);
      const answers = Array.from({ length: 20 }, () => chat(app, small));
      await until(() => vendor.requests.length === 120);
      expect(load(app).waiting.get('pro')).toBeUndefined();
      expect(await metric(app, 'switchyard_overload_running')).toBe(120);
      expect(await metric(app, 'switchyard_overload_waiting{plan="enterprise"}')).toBe(200);
      const shed = 'switchyard_overload_shed_total{reason="no_room",plan="enterprise"}';
      await expect.poll(() => metric(app, shed)).toBe(1_700);
      release();
      for (const { status } of await Promise.all(answers)) expect(status).toBe(200);
      const flooded = await all;
      const refused = flooded.filter(({ status }) => status === 503);
      expect(flooded.filter(({ status }) => status === 200)).toHaveLength(300);
      expect(refused).toHaveLength(1_700);
      for (const { text, retryAfter } of refused) {
        expect(JSON.parse(text).error).toMatchObject({
          code: 'overloaded',
          type: 'overloaded_error',
          retryable: true,
        });
        expect(retryAfter).toMatch(/^[1-8]$/);
      }
      // They do not all come back at once.
      expect(new Set(refused.map(({ retryAfter }) => retryAfter)).size).toBeGreaterThan(1);
      await until(() => load(app).running === 0);
      expect((await chat(app)).status).toBe(200);
    });
  });

  describe('a request that waits for its turn', () => {
    it('is over when its client leaves, and takes no turn any more', async () => {
      const { app, vendor, release } = await withGate({ maxRunning: 1 });
      const first = chat(app);
      await until(() => load(app).running === 1);
      const abort = new AbortController();
      const gone = chat(app, testKey, abort.signal).catch(() => null);
      const next = chat(app);
      await until(() => load(app).waiting.get('enterprise') === 2);
      abort.abort();
      await gone;
      await until(() => load(app).waiting.get('enterprise') === 1);
      release();
      expect([(await first).status, (await next).status]).toEqual([200, 200]);
      expect(vendor.requests).toHaveLength(2);
      await until(() => load(app).running === 0);
      const cancelled = app.log.find((line) => line['status'] === 499);
      expect(cancelled).toMatchObject({ operation: 'createChat' });
    });

    it('is refused when that takes too long, and nothing of it is counted', async () => {
      const { app, release } = await withGate(
        { maxRunning: 1, maxWaitMs: 100 },
        { limits: { requestsPerMinute: 50 } },
      );
      const first = chat(app);
      await until(() => load(app).running === 1);
      const { status, error, headers } = await chat(app);
      expect([status, error.code]).toEqual([503, 'overloaded']);
      expect(headers['retry-after']).toMatch(/^[1-4]$/);
      release();
      const { status: served, headers: told } = await first;
      expect([served, told['x-ratelimit-remaining-requests']]).toEqual([200, '49']);
      expect(
        await metric(app, 'switchyard_overload_shed_total{reason="waited_too_long",plan="enterprise"}'),
      ).toBe(1);
    });

    it('has its turn while the server drains', async () => {
      const { app, release } = await withGate({ maxRunning: 1 });
      const both = [chat(app), chat(app)];
      await until(() => load(app).running === 1 && load(app).waiting.get('enterprise') === 1);
      const drained = app.listener.drain(60_000);
      release();
      for (const { status } of await Promise.all(both)) expect(status).toBe(200);
      await drained;
      expect(load(app).running).toBe(0);
    });

    it('is told so when the server cannot wait any longer', async () => {
      const { app } = await withGate({ maxRunning: 1 });
      const both = [chat(app), chat(app)];
      await until(() => load(app).running === 1 && load(app).waiting.get('enterprise') === 1);
      await app.listener.drain(0);
      for (const { status, error } of await Promise.all(both))
        expect([status, error.code]).toEqual([503, 'shutting_down']);
      expect([load(app).running, load(app).waiting.size]).toEqual([0, 0]);
    });

    it('reads nothing of its body', async () => {
      const { app, release } = await withGate({ maxRunning: 1 });
      const first = chat(app);
      await until(() => load(app).running === 1);
      const socket = await open(app.port);
      onTestFinished(() => void socket.destroy());
      socket.on('error', () => undefined);
      const head = [
        'POST /v1/chat HTTP/1.1',
        'Host: x',
        `Authorization: Bearer ${testKey}`,
        'Content-Type: application/json',
        'Content-Length: 1000000',
      ];
      socket.write(`${head.join('\r\n')}\r\n\r\n{"message": "`);
      await until(() => load(app).waiting.get('enterprise') === 1);
      socket.write('x'.repeat(900_000));
      expect(app.budget.held).toBeLessThan(900_000);
      release();
      expect((await first).status).toBe(200);
    });
  });

  describe('on foreign interfaces', () => {
    it('official clients come again by themselves, in the shape of their vendor', async () => {
      const { app, release } = await withGate({ maxRunning: 1, maxWaiting: 0 });
      const first = chat(app);
      await until(() => load(app).running === 1);
      const openai = new OpenAI({ apiKey: testKey, baseURL: `${app.url}/v1`, maxRetries: 0 });
      const anthropic = new Anthropic({ apiKey: testKey, baseURL: app.url, maxRetries: 0 });
      const messages = [{ role: 'user' as const, content: 'Hello' }];
      const toOpenAi = (client = openai) => client.chat.completions.create({ model: 'gpt-4o', messages });
      const toAnthropic = (client = anthropic) =>
        client.messages.create({ model: 'gpt-4o', max_tokens: 9, messages });
      await expect(toOpenAi()).rejects.toMatchObject({ status: 503, code: 'server_is_overloaded' });
      await expect(toAnthropic()).rejects.toMatchObject({ status: 529, type: 'overloaded_error' });
      const gemini = await ask(`${app.url}/v1beta/models/gpt-4o:generateContent`, {
        body: { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] },
      });
      expect([gemini.status, gemini.json.error.status]).toEqual([503, 'UNAVAILABLE']);
      expect(JSON.stringify(gemini.json.error.details)).toContain('retryDelay');

      const again = [
        toOpenAi(openai.withOptions({ maxRetries: 10 })),
        toAnthropic(anthropic.withOptions({ maxRetries: 10 })),
      ];
      await expect
        .poll(() => metric(app, 'switchyard_overload_shed_total{reason="no_room",plan="enterprise"}'))
        .toBeGreaterThanOrEqual(5);
      release();
      expect((await first).status).toBe(200);
      const [completion, reply] = await Promise.all(again);
      expect([completion, reply].map((each) => (each as { id: string }).id)).toEqual([
        expect.any(String),
        expect.any(String),
      ]);
    });
  });
});

/** What servers on one database tell of themselves, to each other and to the operator. */
describe('several servers', () => {
  interface Shown {
    readonly id: string;
    readonly version: string | null;
    readonly state: string | null;
    readonly config_digest: string | null;
    readonly current: boolean;
  }

  async function serversOf({ url }: TestApp): Promise<readonly Shown[]> {
    const { status, json } = await ask(`${url}/api/admin/servers`, { key: testAdminPassword });
    expect(status).toBe(200);
    return json.data;
  }

  /** What each server reports of itself, without the one that answers. */
  const others = async (app: TestApp) => (await serversOf(app)).filter(({ current }) => !current);

  /** A configuration whose file can be written. */
  async function configOf(first: string) {
    const file = { text: first };
    const read = () => readConfig({ SWITCHYARD_CONFIG: '/etc/switchyard.yaml' }, async () => file.text);
    const config = new Reloads({
      config: await read(),
      file: '/etc/switchyard.yaml',
      read,
      apply: async () => undefined,
      pseudonym: digestForTests,
      now: Date.now,
    });
    return { file, config };
  }

  onEveryStore('servers on one database', (on) => {
    it('are seen from each, with what they tell, until they are gone', async () => {
      const database = await on.database();
      const same = 'aliases: {one: sandbox/echo, two: sandbox/echo}';
      const [a, b] = [
        await configOf(same),
        await configOf('aliases: {two: sandbox/echo, one: sandbox/echo}'),
      ];
      const one = await startApp({ database, config: a.config });
      const other = await startApp({ database, config: b.config });
      on.cleanUp(() => one.close());
      const [own] = (await serversOf(one)).filter(({ current }) => current);
      await expect
        .poll(async () => (await serversOf(one)).find(({ current }) => current)?.state)
        .toBe('ready');
      const shownByOther = async () => {
        await other.accounts.beat();
        return (await others(one)).map(({ state }) => state);
      };
      await expect.poll(shownByOther).toEqual(['ready']);
      expect(await others(one)).toMatchObject([
        { id: other.accounts.instanceId, version: 'test', state: 'ready', config_digest: own?.config_digest },
      ]);
      expect((await others(other)).map(({ id }) => id)).toEqual([one.accounts.instanceId]);

      a.file.text = 'aliases: {one: sandbox/echo}';
      const reload = `${one.url}/api/admin/config/reload`;
      const { json } = await ask(reload, { method: 'POST', key: testAdminPassword });
      const now = (await serversOf(one)).find(({ current }) => current)?.config_digest;
      expect([now, now !== own?.config_digest]).toEqual([json.config.digest, true]);
      await one.accounts.beat();
      expect((await others(other))[0]?.config_digest).toBe(now);
      expect((await others(one))[0]?.config_digest).toBe(own?.config_digest);

      await other.close();
      expect(await others(one)).toEqual([]);
    });

    it('tell when they are stopping', async () => {
      const database = await on.database();
      const one = await startApp({ database });
      on.cleanUp(() => one.close());
      const other = await startApp({ database });
      on.cleanUp(() => other.close());
      other.lifecycle.draining = true;
      await other.accounts.beat();
      expect((await others(one)).map(({ state }) => state)).toEqual(['draining']);
    });

    it('of an older version tell nothing, and are listed', async () => {
      const one = await startApp({ database: await on.database() });
      on.cleanUp(() => one.close());
      const { clock, db } = one.accounts.store;
      await db
        .insertInto('instances')
        .values({ id: '0', host: 'other', pid: 7, started_at: 1, expires_at: clock.now() + 15_000 })
        .execute();
      const unknown = { name: null, version: null, state: null, config_digest: null };
      expect(await others(one)).toMatchObject([{ id: '0', pid: 7, ...unknown }]);
      const { token } = await one.accounts.sessions.begin(null);
      const page = await ask(`${one.url}/admin/factory/settings/api-keys?view=servers`, {
        key: null,
        headers: { cookie: `switchyard_admin=${token}` },
      });
      expect([page.status, page.text.includes('unknown')]).toEqual([200, true]);
    });
  });
});
