/** Who may build how much: the public demo by client, tenants by their plan, and everybody by the length of the queue. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { demoLimit, limitState } from '../../../src/services/builds/allowance.ts';
import { appForThisTest, startApp } from '../../helpers/app.ts';
import {
  askJobs,
  built,
  demoSide,
  eventually,
  gate,
  loans,
  postDemo,
  scripted,
  tenantSide,
} from '../../helpers/factory.ts';
import { ask } from '../../helpers/http.ts';
import { onEveryStore } from '../../helpers/store.ts';

const loadBuilder = async () => scripted();
const strict = { demo: demoLimit, loadBuilder };

onEveryStore('the limit of the demo', (on) => {
  it('lets exactly 3 of 40 builds at once through, over two servers and a restart', async () => {
    const database = await on.database();
    const servers = await Promise.all([1, 2].map(() => startApp({ database, factory: strict })));
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) => postDemo(servers[n % 2] as (typeof servers)[0], `build ${n}`)),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(3);
    expect(statuses.filter((status) => status === 429)).toHaveLength(37);
    for (const server of servers) await server.close();
    const next = await startApp({ database, factory: strict });
    on.cleanUp(() => next.close());
    const { status, headers, error } = await postDemo(next, 'one more');
    expect([status, error.code]).toEqual([429, 'demo_limited']);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(300);
    expect(headers['ratelimit-policy']).toBe('"demo";q=3;w=300');
    expect(headers['ratelimit']).toMatch(/^"demo";r=0;t=\d+$/);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(await next.accounts.store.db.selectFrom('factory_jobs').select('id').execute()).toHaveLength(3);
    // The stored pseudonym does not identify the client.
    const hits = await next.accounts.store.db.selectFrom('demo_hits').selectAll().execute();
    expect(JSON.stringify(hits)).not.toContain('127.0.0.1');
  });
});

it('the limit slides: it is free again when the oldest of the builds has left the window', () => {
  const limit = { count: 3, windowMs: 300_000 };
  expect(limitState([], limit, 1_000)).toMatchObject({ remaining: 3, retryAfterMs: 0, resetMs: 0 });
  expect(limitState([900, 500, 100], limit, 1_000)).toMatchObject({ remaining: 0, retryAfterMs: 299_100 });
  expect(limitState([900, 500], limit, 300_100)).toMatchObject({
    remaining: 1,
    retryAfterMs: 0,
    resetMs: 800,
  });
});

it('what is refused does not count, a double click is one build, and the window passes', async () => {
  const { opened, open } = gate();
  const app = await appForThisTest({
    factory: { loadBuilder: async () => scripted(() => opened), demo: { builds: 2, windowMs: 1_500 } },
  });
  for (const prompt of ['', '\u0000\u0001\u0002', 5]) expect((await postDemo(app, prompt)).status).toBe(400);
  const both = Promise.all(['a build', ' a  build '].map((prompt) => postDemo(app, prompt)));
  await eventually(() => app.running.size === 2);
  open();
  const [first, twin] = await both;
  if (!first || !twin) throw new Error('both are answered');
  expect(first.headers['ratelimit']).toBe('"demo";r=1;t=2');
  expect(twin.headers['x-job-id']).toBe(first.headers['x-job-id']);
  expect(twin.text).toContain('"final":true');
  expect((await postDemo(app, 'another build')).status).toBe(200);
  expect((await postDemo(app, 'a third build')).status).toBe(429);
  const again = await eventually(async () => {
    const answer = await postDemo(app, 'a third build');
    return answer.status === 200 && answer;
  });
  expect(again.text).toContain('"final":true');
});

it('the same prompt again, once its build is over, is another build', async () => {
  const app = await appForThisTest({ factory: strict });
  const answers = [];
  for (let n = 0; n < 4; n += 1) answers.push(await postDemo(app, 'a build'));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
  expect(new Set(answers.map(({ headers }) => headers['x-job-id'])).size).toBe(4);
});

it('a made-up X-Forwarded-For gains nothing; behind a trusted proxy every client has its own limit', async () => {
  const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
  const plain = await appForThisTest({ factory: strict });
  const spoofed = await Promise.all(
    Array.from({ length: 8 }, (_, n) => postDemo(plain, `build ${n}`, from(`198.51.100.${n}`))),
  );
  expect(spoofed.filter(({ status }) => status === 200)).toHaveLength(3);

  const proxied = await appForThisTest({ factory: strict, trustedProxies: 1 });
  const statusOf = async (n: number, address: string) =>
    (await postDemo(proxied, `build ${n}`, from(address))).status;
  for (let n = 0; n < 3; n += 1) expect(await statusOf(n, '198.51.100.1')).toBe(200);
  expect(await statusOf(3, '198.51.100.1')).toBe(429);
  expect(await statusOf(4, '6.6.6.6, 198.51.100.1')).toBe(429);
  expect(await statusOf(5, '::ffff:198.51.100.1')).toBe(429);
  expect(await statusOf(6, '198.51.100.2')).toBe(200);
  for (let n = 10; n < 13; n += 1) expect(await statusOf(n, `2001:db8:1:2::${n}`)).toBe(200);
  expect(await statusOf(13, '2001:db8:1:2:ffff::1')).toBe(429);
  expect(await statusOf(14, '2001:db8:1:3::1')).toBe(200);
});

it('a full queue is 503 before anything is used up, for the demo and for tenants', async () => {
  const never = gate();
  const app = await appForThisTest({
    factory: { concurrency: 1, queue: 1, loadBuilder: async () => scripted(() => never.opened) },
  });
  const leaving = new AbortController();
  const watch = (prompt: string) => postDemo(app, prompt, { signal: leaving.signal }).catch(() => null);
  const waiting = [watch('runs')];
  await eventually(() => app.factory.runner.running === 1);
  waiting.push(watch('waits'));
  await eventually(async () => (await ask(`${app.url}/api/factory/status`)).json.queue.waiting === 1);
  const full = await postDemo(app, 'is too many');
  expect([full.status, full.error.code, full.headers['retry-after']]).toEqual([503, 'queue_full', '5']);
  expect(await app.accounts.store.db.selectFrom('demo_hits').selectAll().execute()).toHaveLength(2);

  for (let n = 0; n < 5; n += 1)
    expect((await askJobs(app, '', { body: { prompt: `job ${n}` } })).status).toBe(202);
  const refused = await askJobs(app, '', { body: { prompt: 'job 6' } });
  expect([refused.status, refused.error.code]).toEqual([503, 'queue_full']);
  expect((await ask(`${app.url}/v1/requests`)).json.data).toHaveLength(5);
  leaving.abort();
  await Promise.all(waiting);
});

it('a tenant has only its share of the places in the queue, the others keep theirs', async () => {
  const never = gate();
  const app = await appForThisTest({
    factory: {
      concurrency: 1,
      queue: 2,
      tenantQueue: 3,
      loadBuilder: async () => scripted(() => never.opened),
    },
  });
  await app.accounts.tenants.create({ id: 'other', plan: 'pro' }, 'test');
  const { text: key } = await app.accounts.storedKeys.create({ tenantId: 'other' }, 'test');
  const statusOf = async (n: number, asking = {}) => {
    const { status, error, headers } = await askJobs(app, '', { body: { prompt: `job ${n}` }, ...asking });
    return status === 202 ? 202 : [status, error.code, error.message, headers['retry-after']];
  };
  expect(await statusOf(0)).toBe(202);
  await eventually(() => app.factory.runner.running === 1);
  // Of ten places three; more at once than there are, so that they meet.
  const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => statusOf(n)));
  expect(answers.filter((answer) => answer === 202)).toHaveLength(3);
  const refused = [503, 'queue_full', '3 of your builds are waiting already. Try again in 5 seconds.', '5'];
  expect(answers.filter((answer) => answer !== 202)).toEqual(Array.from({ length: 5 }, () => refused));
  for (let n = 0; n < 3; n += 1) expect(await statusOf(n, { key })).toBe(202);
  expect(await statusOf(3, { key })).toEqual(refused);
});

it('a build that cannot be stored is not accepted, and its request says why', async () => {
  const app = await appForThisTest({ errorsExpected: true });
  await sql`create trigger full_disk before insert on factory_jobs begin select raise(abort, 'disk full'); end`.execute(
    app.accounts.store.db,
  );
  const { status, error, headers } = await askJobs(app, '', { body: { prompt: 'a timer' } });
  expect([status, error.code]).toEqual([503, 'storage_unavailable']);
  const { json } = await ask(`${app.url}/v1/requests/${headers['x-request-id']}`);
  expect(json).toMatchObject({ status: 'failed', http_status: 503, error_code: 'storage_unavailable' });
});

it('what waits for too long fails and says so', async () => {
  const never = gate();
  const app = await appForThisTest({
    factory: {
      concurrency: 1,
      queueMs: 50,
      tickMs: 10,
      loadBuilder: async () => scripted(() => never.opened),
    },
  });
  await askJobs(app, '', { body: { prompt: 'runs' } });
  const { text } = await postDemo(app, 'waits for too long');
  expect(text).toContain('"code":"queue_timeout"');
});

it('what takes too long is stopped, and so is a step that does not listen', async () => {
  const app = await appForThisTest({
    factory: {
      wallMs: { embedded: 150, model: 150 },
      loadBuilder: async () => async (context) => {
        await context.report({ type: 'stage', stage: 'planning' });
        return new Promise(() => undefined);
      },
    },
  });
  const { text } = await postDemo(app, 'takes too long');
  expect(text).toContain('"code":"time_limit"');
});

it('builds of tenants count on their plan, and their rows are settled as they ended', async () => {
  const hold = gate();
  const app = await appForThisTest({
    limits: { requestsPerMinute: 3 },
    errorsExpected: true,
    factory: {
      loadBuilder: async () =>
        scripted(async (_report, { prompt }) => {
          if (prompt === 'fails') throw new Error('as asked for');
          if (prompt === 'is cancelled') await hold.opened;
        }),
    },
  });
  const start = (prompt: string) => askJobs(app, '', { body: { prompt } });
  const first = await start('succeeds');
  expect(first.headers['ratelimit']).toContain('"minute";r=2');
  const jobs = [first, await start('fails'), await start('is cancelled')];
  const refused = await start('is one too many');
  expect([refused.status, refused.error.code]).toEqual([429, 'rate_limited']);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  await askJobs(app, `/${jobs[2]?.json.id}/cancel`, { method: 'POST' });
  const rows = await eventually(async () => {
    const { json } = await ask(`${app.url}/v1/requests`);
    return json.data.every(({ status }: { status: string }) => status !== 'running') && json.data;
  });
  expect(rows.map(({ operation }: { operation: string }) => operation)).toEqual(
    Array(3).fill('createFactoryJob'),
  );
  expect(rows).toMatchObject([
    { status: 'cancelled', http_status: 202 },
    { status: 'failed', error_code: 'build_failed' },
    {
      status: 'succeeded',
      provider: 'openai',
      model: 'gpt-4o',
      cost_usd: 0.01,
      usage: { prompt_tokens: 100, completion_tokens: 20 },
    },
  ]);
  await sleep(0);
  const open = await app.accounts.store.db
    .selectFrom('factory_jobs')
    .select('id')
    .where('ticket', 'is not', null)
    .execute();
  expect(open.length).toBeLessThanOrEqual(1);
});

it('a revision of a demo build has its own allowance, and its own network', async () => {
  const app = await appForThisTest({
    trustedProxies: 1,
    factory: { demo: { builds: 1, windowMs: 300_000 }, demoRevisions: 2 },
  });
  const from = (client: string) => ({ headers: { 'x-forwarded-for': client } });
  const first = await demoSide.finished(app, await demoSide.post(app, { spec: loans }, '', from('10.0.0.1')));
  const other = await demoSide.post(app, { patch: {} }, `/${first.id}/revisions`, from('10.0.0.2'));
  expect([other.status, other.error.code]).toEqual([403, 'access_denied']);
  let { id } = first;
  for (const remaining of [1, 0]) {
    const path = `/${id}/revisions`;
    const answer = await demoSide.post(app, { patch: { name: `Left ${remaining}` } }, path, from('10.0.0.1'));
    expect(answer.headers['ratelimit']).toBe(`"demo-revisions";r=${remaining};t=3600`);
    id = (await demoSide.finished(app, answer)).id;
  }
  const spent = await demoSide.post(app, { patch: {} }, `/${id}/revisions`, from('10.0.0.1'));
  expect([spent.status, spent.error.code, spent.headers['ratelimit-policy']]).toEqual([
    429,
    'demo_limited',
    '"demo-revisions";q=2;w=3600',
  ]);
  expect(Number(spent.headers['retry-after'])).toBeGreaterThan(3_500);
  expect((await demoSide.post(app, { spec: loans }, '', from('10.0.0.1'))).status).toBe(429);
  expect((await ask(`${app.url}/api/factory/status`, { key: null })).json.limits).toMatchObject({
    revisions: 2,
    revisions_window_s: 3600,
    plans: 30,
    plans_window_s: 300,
  });
});

it('a revision of a tenant is one request in the ledger, and none where it is refused', async () => {
  const app = await appForThisTest();
  const first = await built(tenantSide, app, { spec: loans });
  await tenantSide.post(app, { instruction: 'hum a tune' }, `/${first.id}/revisions`);
  const { headers } = await tenantSide.post(app, { patch: { name: 'Shelf' } }, `/${first.id}/revisions`);
  const record = await eventually(async () => {
    const { json } = await ask(`${app.url}/v1/requests/${headers['x-request-id']}`);
    return json.status === 'running' ? null : json;
  });
  expect([record.operation, record.status]).toEqual(['createFactoryRevision', 'succeeded']);
  const { data } = (await ask(`${app.url}/v1/requests`)).json;
  expect(data.map(({ operation }: { operation: string }) => operation)).toEqual([
    'createFactoryRevision',
    'createFactoryJob',
  ]);
});

it('a revision of a tenant, and a plan, are refused when the limit of its plan is spent', async () => {
  const app = await appForThisTest({ limits: { requestsPerMinute: 1 } });
  const { id } = await built(tenantSide, app, { spec: loans });
  const refused = [
    await tenantSide.post(app, { patch: { name: 'Shelf' } }, `/${id}/revisions`),
    await ask(`${app.url}/api/v1/factory/plan`, { body: { spec: loans }, keyAs: 'x-api-key' }),
  ];
  for (const { status, error, headers } of refused)
    expect([status, error.code, Number(headers['retry-after']) > 0]).toEqual([429, 'rate_limited', true]);
  expect((await tenantSide.get(app, `/${id}/revisions`)).json.data).toHaveLength(1);
});
