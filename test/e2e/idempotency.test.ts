/** Requests with an `Idempotency-Key`: their work is done once, and repeated requests get its answer. */
import { describe, expect, it } from 'vitest';
import { appForThisTest, type TestApp, testAdminPassword, testKey } from '../helpers/app.ts';
import { type Answer, type Ask, ask as askAny } from '../helpers/http.ts';
import { begin, server, waiting } from '../helpers/idempotency.ts';
import { onEveryStore } from '../helpers/store.ts';
import { until } from '../helpers/vendor-gateway.ts';
import { answerText, modelOn, sendTo, wireClients } from '../helpers/wire-clients.ts';
import type { VendorReply } from '../lib/vendor.ts';

const question = { model: modelOn['openai-chat'], message: 'Why is the sky blue?' };

/** Bytes count here, so nothing may write them again. */
const ask = (url: string, asked: Ask) => askAny(url, { ...asked, direct: true });

const keyed = (key: string, more: Record<string, string> = {}) => ({ 'idempotency-key': key, ...more });

const chat = ({ url }: TestApp, key: string, more: Ask = {}) =>
  ask(`${url}/v1/chat`, { body: question, headers: keyed(key), ...more });

/** The same request, and once more when the first has its answer. */
const twice = async (url: string, asked: Ask) => [await ask(url, asked), await ask(url, asked)] as const;

const rowsOf = (app: TestApp) => app.accounts.store.db.selectFrom('ledger_rows').select('status').execute();

const keysIn = (app: TestApp) => app.accounts.store.db.selectFrom('idempotency_keys').selectAll().execute();

onEveryStore('a request with an Idempotency-Key', (on) => {
  it('is carried out once, and its answer given again byte by byte without being counted', async () => {
    const { app, vendor } = await begin(on, answerText, { limits: { requestsPerMinute: 100 } });
    const [first, second] = [await chat(app, 'one'), await chat(app, 'one')];
    expect(first.status).toBe(200);
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    expect([second.status, second.text]).toEqual([200, first.text]);
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect(second.headers['content-type']).toBe(first.headers['content-type']);
    expect(second.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
    expect(second.headers['x-ratelimit-remaining-requests']).toBe('99');
    expect(vendor.requests).toHaveLength(1);
    expect(await rowsOf(app)).toHaveLength(1);
  });

  it('takes a key in quotes for the same as a plain one', async () => {
    const { app, vendor } = await begin(on);
    const first = await chat(app, '"8e03978e-40d5"');
    const second = await chat(app, '8e03978e-40d5');
    expect([first.status, second.text]).toEqual([200, first.text]);
    expect(vendor.requests).toHaveLength(1);
  });

  it('is refused with 422 for another body, path or operation', async () => {
    const { app, vendor } = await begin(on);
    await chat(app, 'one');
    const others = [
      await ask(`${app.url}/v1/chat`, { body: { ...question, message: 'Else?' }, headers: keyed('one') }),
      await ask(`${app.url}/v1/chat/stream`, { body: question, headers: keyed('one') }),
      await ask(`${app.url}/v1/ai/sentiment`, { body: { input: { text: 'Good.' } }, headers: keyed('one') }),
    ];
    expect(others.map(({ status, error }) => [status, error.code])).toEqual(
      Array(3).fill([422, 'idempotency_key_reused']),
    );
    expect(vendor.requests).toHaveLength(1);
  });

  it('leaves keys of other tenants alone', async () => {
    const { app, vendor } = await begin(on);
    const { accounts } = app;
    await accounts.tenants.create({ id: 'other', plan: 'enterprise' }, 'test');
    const { text: key } = await accounts.storedKeys.create(
      { tenantId: 'other', label: '', scopes: ['chat'], expiresAt: null },
      'test',
    );
    await chat(app, 'one');
    const theirs = await chat(app, 'one', { key });
    expect([theirs.status, theirs.headers['idempotent-replayed']]).toEqual([200, undefined]);
    expect(vendor.requests).toHaveLength(2);
  });

  it('is told 409 with a wait while the first runs, on this server and on another, and exactly one runs', async () => {
    const { script, replies, answer } = waiting();
    const { app, vendor, database } = await begin(on, script);
    const other = await server(on, vendor, database);
    const all = Array.from({ length: 24 }, (_, n) => chat(n % 2 ? app : other, 'one'));
    const refused: Answer[] = [];
    for (const one of all) void one.then((answer) => refused.push(answer));
    await expect.poll(() => refused.length).toBe(23);
    await until(() => replies.length > 0);
    expect(refused.map(({ status, error }) => [status, error.code])).toEqual(
      Array(23).fill([409, 'idempotency_key_in_use']),
    );
    expect(refused.every(({ headers }) => Number(headers['retry-after']) >= 1)).toBe(true);
    await answer();
    const done = await Promise.all(all);
    const winner = done.find(({ status }) => status === 200);
    const after = await Promise.all([app, other].map((one) => chat(one, 'one')));
    expect(after.map(({ text }) => text)).toEqual([winner?.text, winner?.text]);
    expect(vendor.requests).toHaveLength(1);
    expect(await rowsOf(app)).toHaveLength(1);
  });

  it.each(['openai-chat', 'openai-responses', 'anthropic', 'gemini'] as const)(
    'gives an answer and a stream again byte by byte on the wire %s',
    async (wire) => {
      const { app, vendor } = await begin(on);
      const client = wireClients[wire];
      const model = modelOn[wire];
      for (const streaming of [false, true]) {
        const headers = keyed(`wire-${streaming}`);
        const send = () =>
          sendTo(app, client, model, client.body(model, { text: 'Hi?' }), { streaming, headers });
        const [first, second] = [await send(), await send()];
        expect(first.status).toBe(200);
        expect(first.text.length).toBeGreaterThan(20);
        expect(second).toMatchObject({ status: 200, text: first.text });
        expect(second.headers.get('content-type')).toBe(first.headers.get('content-type'));
        expect(second.headers.get('x-switchyard-lane')).toBe(first.headers.get('x-switchyard-lane'));
        expect(second.headers.get('idempotent-replayed')).toBe('true');
      }
      expect(vendor.requests).toHaveLength(2);
    },
  );

  it('gives a stream of ours again byte by byte', async () => {
    const { app, vendor } = await begin(on);
    for (const path of ['/v1/chat/stream', '/v1/chat']) {
      const body = path === '/v1/chat' ? { ...question, stream: true } : question;
      const [first, second] = await twice(app.url + path, { body, headers: keyed(path) });
      expect(first.text).toContain('event: end');
      expect(second.text).toBe(first.text);
      expect(second.headers['content-type']).toBe(first.headers['content-type']);
    }
    expect(vendor.requests).toHaveLength(2);
  });

  it('says what goes wrong in the form of the interface', async () => {
    const { app } = await begin(on);
    for (const wire of ['openai-chat', 'anthropic', 'gemini'] as const) {
      const client = wireClients[wire];
      const model = modelOn[wire];
      const send = (text: string, key: string) =>
        sendTo(app, client, model, client.body(model, { text }), { headers: keyed(key) });
      await send('Hi?', wire);
      const refused = [await send('Else?', wire), await send('Hi?', 'a key')];
      expect(refused.map(({ status }) => status)).toEqual([422, 400]);
      for (const { text } of refused) expect(client.message(JSON.parse(text))).toMatch(/Idempotency-Key/);
    }
  });

  it('goes on when its client leaves, and the next one gets the answer', async () => {
    const { script, replies, answer } = waiting();
    const { app, vendor } = await begin(on, script);
    for (const path of ['/v1/chat', '/v1/chat/stream']) {
      const leaving = new AbortController();
      const left = ask(app.url + path, { body: question, headers: keyed(path), signal: leaving.signal });
      await until(() => replies.length > 0);
      leaving.abort();
      await expect(left).rejects.toThrow();
      const early = await ask(app.url + path, { body: question, headers: keyed(path) });
      expect([early.status, early.error.code]).toEqual([409, 'idempotency_key_in_use']);
      await answer();
      await until(() => app.running.size === 0);
      const later = await ask(app.url + path, { body: question, headers: keyed(path) });
      expect([later.status, later.headers['idempotent-replayed']]).toEqual([200, 'true']);
    }
    expect(vendor.requests).toHaveLength(2);
    expect(await rowsOf(app)).toEqual([{ status: 'succeeded' }, { status: 'succeeded' }]);
    expect(app.budget.held).toBe(0);
  });

  it('goes on with a stream that breaks in the middle', async () => {
    const held: VendorReply[] = [];
    const { app, vendor } = await begin(on, (reply) => {
      reply.eventStream();
      reply.chunk('data: {"id":"c","model":"gpt-4o","choices":[{"index":0,"delta":{"content":"Blue"}}]}\n\n');
      held.push(reply);
    });
    const leaving = new AbortController();
    const reply = await fetch(`${app.url}/v1/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({ model: 'gpt-4o', stream: true, messages: [{ role: 'user', content: 'Hi' }] }),
      headers: keyed('cut', {
        authorization: `Bearer ${testKey}`,
        'content-type': 'application/json',
      }),
      signal: leaving.signal,
    });
    const reader = reply.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toContain('Blue');
    leaving.abort();
    held[0]?.chunk(
      'data: {"id":"c","choices":[{"index":0,"delta":{"content":" light"},"finish_reason":"stop"}]}\n\n',
    );
    held[0]?.chunk('data: [DONE]\n\n');
    held[0]?.lastChunk();
    await until(() => app.running.size === 0);
    const again = await ask(`${app.url}/v1/chat/completions`, {
      body: { model: 'gpt-4o', stream: true, messages: [{ role: 'user', content: 'Hi' }] },
      headers: keyed('cut'),
    });
    expect(again.text).toMatch(/Blue[\s\S]* light[\s\S]*\[DONE\]/);
    expect(vendor.requests).toHaveLength(1);
  });

  it('leaves the key free when it is refused before any work', async () => {
    const { app, vendor } = await begin(on, answerText, { limits: { requestsPerMinute: 1 } });
    const refused = [
      await ask(`${app.url}/v1/chat`, { body: { ...question, temperature: 9 }, headers: keyed('a') }),
      await chat(app, 'a', { key: 'wrong-key-wrong-key' }),
      await ask(`${app.url}/v1/agents/none/run`, { body: { input: 'x' }, headers: keyed('a') }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([400, 401, 404]);
    expect((await chat(app, 'a')).status).toBe(200);
    const limited = await chat(app, 'b');
    expect([limited.status, limited.error.code]).toEqual([429, 'rate_limited']);
    await app.accounts.tenants.change('local', { overrides: {} }, 'test');
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect((await chat(app, 'b')).status).toBe(200);
    expect(vendor.requests).toHaveLength(2);
  });

  it('keeps an error of the work, and none that asks to be repeated', async () => {
    const statuses = [400, 429, 503, 500];
    let status = 0;
    const { app, vendor } = await begin(on, (reply) => reply.json({ error: { message: 'No.' } }, status));
    for (status of statuses) {
      const headers = keyed(`s${status}`);
      const first = await ask(`${app.url}/v1/chat`, { body: question, headers });
      const before = vendor.requests.length;
      const second = await ask(`${app.url}/v1/chat`, { body: question, headers });
      expect(first.status).toBeGreaterThanOrEqual(400);
      const passing = first.status === 429 || first.status === 503;
      expect([second.status, second.headers['idempotent-replayed']]).toEqual([
        first.status,
        passing ? undefined : 'true',
      ]);
      expect(vendor.requests.length - before).toBe(passing ? 1 : 0);
      if (!passing) expect(second.text).toBe(first.text);
    }
  });

  it('is not carried out again when its answer was too large to keep', async () => {
    const { app, vendor } = await begin(on, answerText, { idempotency: { idempotencyMaxAnswer: 64 } });
    for (const path of ['/v1/chat', '/v1/chat/stream']) {
      const [first, second] = await twice(app.url + path, { body: question, headers: keyed(path) });
      expect(first.status).toBe(200);
      expect([second.status, second.error.code]).toEqual([409, 'idempotency_answer_not_kept']);
      expect(second.headers['x-should-retry']).toBe('false');
    }
    expect(vendor.requests).toHaveLength(2);
    expect((await keysIn(app))[0]?.answer).toBeNull();
  });

  it('is refused when a tenant has too many keys, but for those that it has', async () => {
    const { app } = await begin(on, answerText, { idempotency: { idempotencyMaxKeys: 2 } });
    const answers = [await chat(app, 'a'), await chat(app, 'b'), await chat(app, 'c'), await chat(app, 'a')];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429, 200]);
    expect(answers[2]?.error.code).toBe('too_many_idempotency_keys');
    expect((await ask(`${app.url}/v1/chat`, { body: question })).status).toBe(200);
  });

  it('keeps no more bytes of a tenant than it may', async () => {
    const { app, vendor } = await begin(on, answerText, { idempotency: { idempotencyMaxTotal: 1_500 } });
    for (const key of ['a', 'b', 'c', 'd']) await chat(app, key);
    const again = [await chat(app, 'a'), await chat(app, 'd')];
    expect(again.map(({ status }) => status)).toEqual([200, 409]);
    expect(vendor.requests).toHaveLength(4);
  });

  it('is remembered by the next process, and in the database only sealed', async () => {
    const { app, vendor, database } = await begin(on);
    const first = await chat(app, 'restart-me');
    const rows = await keysIn(app);
    const stored = Buffer.concat([
      Buffer.from(JSON.stringify(rows)),
      ...rows.map(({ answer }) => answer ?? Buffer.of()),
    ]);
    expect(rows).toHaveLength(1);
    expect(rows[0]?.answer?.length).toBeGreaterThan(100);
    for (const secret of [
      'restart-me',
      'the sky',
      '"content"',
      first.json.content.slice(0, 8),
      'application/json',
    ])
      expect(stored.includes(secret)).toBe(false);
    const lines = JSON.stringify(app.log);
    expect(lines).not.toContain('restart-me');
    const next = await server(on, vendor, database);
    const second = await chat(next, 'restart-me');
    expect([second.text, second.headers['idempotent-replayed']]).toEqual([first.text, 'true']);
    expect(vendor.requests).toHaveLength(1);
  });

  it('cannot be read where another answer is put in its place', async () => {
    const { app } = await begin(on, answerText, { errorsExpected: true });
    for (const key of ['a', 'b']) await chat(app, key);
    const { db } = app.accounts.store;
    const [one, two] = await keysIn(app);
    await db
      .updateTable('idempotency_keys')
      .set({ answer: two?.answer ?? null })
      .where('key_digest', '=', one?.key_digest ?? '')
      .execute();
    const statuses = [await chat(app, 'a'), await chat(app, 'b')].map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 409]);
  });

  it('is carried out each time for a tenant that wants none of it', async () => {
    const { app, vendor } = await begin(on);
    const admin = { key: testAdminPassword };
    const changed = await ask(`${app.url}/api/admin/tenants/local`, {
      ...admin,
      method: 'PATCH',
      body: { idempotency: false },
    });
    expect([changed.status, changed.json.idempotency]).toEqual([200, false]);
    await new Promise((resolve) => setTimeout(resolve, 600));
    for (const key of ['one', 'one', 'not a valid key']) expect((await chat(app, key)).status).toBe(200);
    expect(vendor.requests).toHaveLength(3);
    expect(await keysIn(app)).toEqual([]);
  });

  it('makes one tenant and one key of administrators, and shows the secret again', async () => {
    const { app } = await begin(on);
    const admin = { key: testAdminPassword };
    const tenant = { ...admin, body: { id: 'acme', plan: 'pro' }, headers: keyed('tenant') };
    const made = await twice(`${app.url}/api/admin/tenants`, tenant);
    expect(made.map(({ status }) => status)).toEqual([201, 201]);
    const body = { tenant_id: 'acme', label: 'x', scopes: ['chat'] };
    const [first, second] = await twice(`${app.url}/api/admin/keys`, {
      ...admin,
      body,
      headers: keyed('key'),
    });
    expect([first.status, second.text]).toEqual([201, first.text]);
    expect((await app.accounts.storedKeys.list('acme', {})).items).toHaveLength(1);
  });

  it('starts one build and one run, whose record is given again', async () => {
    const { app } = await begin(on);
    const build = {
      body: { prompt: 'A to-do list for our garden' },
      headers: keyed('build'),
      keyAs: 'x-api-key',
    } as const;
    const [first, second] = await twice(`${app.url}/api/v1/factory/jobs`, build);
    expect([first.status, second.status]).toEqual([202, 202]);
    expect(second.headers['location']).toBe(first.headers['location']);
    expect(second.text).toBe(first.text);
    const run = { body: { input: 'What is 17 * 23?', background: true }, headers: keyed('run') };
    const [one, two] = await twice(`${app.url}/v1/agents/assistant/run`, run);
    expect([one.status, two.json.id]).toEqual([202, one.json.id]);
    const { db } = app.accounts.store;
    expect(await db.selectFrom('factory_jobs').select('id').execute()).toHaveLength(1);
    expect(await db.selectFrom('agent_runs').select('id').execute()).toHaveLength(1);
  });

  it('knows a form by its parts, whatever stands between them', async () => {
    const { app } = await begin(on);
    const lines = '{"custom_id":"a"}\n';
    const send = (boundary: string, content: string) =>
      ask(`${app.url}/v1/files?provider=sandbox`, {
        body: formWith(boundary, content),
        headers: keyed('upload', { 'content-type': `multipart/form-data; boundary=${boundary}` }),
      });
    const [first, second, other] = [
      await send('first', lines),
      await send('second', lines),
      await send('third', '{"custom_id":"b"}\n'),
    ];
    expect(first.status).toBe(200);
    expect([second.status, second.text]).toEqual([200, first.text]);
    expect(other.status).toBe(422);
    expect(await app.accounts.store.db.selectFrom('kept_objects').select('id').execute()).toHaveLength(1);
  });
});

function formWith(boundary: string, content: string): Buffer {
  const part = (head: string, body: string) =>
    `--${boundary}\r\ncontent-disposition: form-data; ${head}\r\n\r\n${body}\r\n`;
  return Buffer.from(
    `${part('name="purpose"', 'batch')}${part('name="file"; filename="in.jsonl"', content)}--${boundary}--\r\n`,
  );
}

describe('an Idempotency-Key that cannot be one', () => {
  it.each(['', ' ', 'a key', '"unended', '"', `${'x'.repeat(256)}`, '"a b"', '"a"b'])(
    'is refused: %j',
    async (key) => {
      const app = await appForThisTest();
      const { status, error } = await ask(`${app.url}/v1/chat`, {
        body: { message: 'Hi' },
        headers: keyed(key),
      });
      expect([status, error.code]).toEqual([400, 'idempotency_key_invalid']);
    },
  );
});
