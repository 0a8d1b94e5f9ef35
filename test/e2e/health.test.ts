/** What the server says of its own state, to balancers, supervisors and operators. */
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { BuildReader } from '../../src/services/builds/build-reader.ts';
import { checkQueue } from '../../src/services/builds/open-factory.ts';
import { appForThisTest, type TestApp, testMetricsToken } from '../helpers/app.ts';
import { equalWeights } from '../helpers/factory.ts';
import { ask } from '../helpers/http.ts';

const nobody = { key: null } as const;
const stranger = '203.0.113.7';
const token = { key: null, headers: { authorization: `Bearer ${testMetricsToken.reveal()}` } };

const ready = ({ url }: TestApp) => ask(`${url}/readyz`, nobody);

describe('a server that can do its work', () => {
  it('is ready, and shows what it found to programs of its machine', async () => {
    const app = await appForThisTest();
    const { status, json } = await ready(app);
    expect([status, json.status]).toEqual([200, 'ready']);
    expect(Object.keys(json.checks).sort()).toEqual([
      'accepting',
      'build_threads',
      'database',
      'disk',
      'load',
      'queue',
    ]);
    for (const check of Object.values(json.checks))
      expect(check).toEqual({ status: 'ok', detail: expect.stringMatching(/\w\.$/) });
  });

  it('shows others no detail, unless they send the token of the metrics', async () => {
    const app = await appForThisTest({ remoteAddress: stranger, metricsToken: testMetricsToken });
    const { status, json } = await ready(app);
    expect(status).toBe(200);
    for (const check of Object.values(json.checks)) expect(check).toEqual({ status: 'ok' });
    const wrong = await ask(`${app.url}/readyz`, { key: 'not-the-token-of-metrics' });
    expect([wrong.status, wrong.json.checks.disk]).toEqual([200, { status: 'ok' }]);
    const { json: told } = await ask(`${app.url}/readyz`, token);
    expect(told.checks.disk.detail).toContain('MiB');
  });

  it('is alive by both names', async () => {
    const app = await appForThisTest();
    for (const name of ['livez', 'healthz'])
      expect(await ask(`${app.url}/${name}`, nobody)).toMatchObject({ status: 200, text: '{"status":"ok"}' });
  });
});

describe('the database', () => {
  it('that cannot be used takes the server out, which lives on and tells strangers no more than that', async () => {
    const app = await appForThisTest({
      remoteAddress: stranger,
      metricsToken: testMetricsToken,
      errorsExpected: true,
    });
    await app.breakDatabase();
    const { status, json } = await ready(app);
    expect([status, json.status]).toEqual([503, 'unavailable']);
    expect(json.checks.database).toEqual({ status: 'failed' });
    const { json: told } = await ask(`${app.url}/readyz`, token);
    expect(told.checks.database.detail).toContain('database');
    expect((await ask(`${app.url}/livez`, nobody)).status).toBe(200);
  });

  it('that another process keeps locked does the same until it is free, and blocks nobody', async () => {
    const app = await appForThisTest();
    const other = new DatabaseSync(path.join(app.dataDir, 'switchyard.db'));
    onTestFinished(() => other.close());
    other.exec('begin immediate');
    let over = false;
    // What was found when it started may still hold.
    const locked = expect.poll(async () => (await ready(app)).status).toBe(503);
    const asking = locked
      .then(() => ready(app))
      .finally(() => {
        over = true;
      });
    let answered = 0;
    for (; !over; answered += 1) {
      expect((await ask(`${app.url}/livez`, nobody)).status).toBe(200);
      await sleep(20);
    }
    const { status, json } = await asking;
    expect([status, json.checks.database.status]).toEqual([503, 'failed']);
    expect(json.checks.database.detail).toContain('locked');
    expect(answered).toBeGreaterThan(3);
    other.exec('rollback');
    expect((await ready(app)).status).toBe(200);
  });
});

it('a data directory that is gone takes the server out', async () => {
  const app = await appForThisTest();
  await rm(app.dataDir, { recursive: true });
  const { status, json } = await ready(app);
  expect([status, json.status, json.checks.disk.status]).toEqual([503, 'unavailable', 'failed']);
  expect(json.checks.disk.detail).toContain('ENOENT');
  // The end of the test deletes it.
  await mkdir(app.dataDir);
});

describe('the queue', () => {
  const build = (app: TestApp) =>
    ask(`${app.url}/api/v1/factory/jobs`, { keyAs: 'x-api-key', body: { prompt: 'A tip calculator' } });

  it('is stuck when a build waits beside a free seat and none is begun', async () => {
    const app = await appForThisTest();
    const jobs = new BuildReader(app.accounts.store, equalWeights);
    const { runner } = app.factory;
    expect(await checkQueue(jobs, runner, 50)).toContain('none waits');
    // Nothing is begun any more.
    await runner.close();
    expect((await build(app)).status).toBe(202);
    await sleep(100);
    await expect(checkQueue(jobs, runner, 50)).rejects.toThrow('one waits, but none was begun');
    expect(await checkQueue(jobs, runner, 60_000)).toContain('waits');
  });

  it('is stuck when all that run are past their time', async () => {
    const hanging = Promise.withResolvers<never>();
    const app = await appForThisTest({
      factory: {
        concurrency: 1,
        wallMs: { embedded: 20, model: 20 },
        loadBuilder: () => hanging.promise,
      },
      errorsExpected: true,
    });
    const jobs = new BuildReader(app.accounts.store, equalWeights);
    const { runner } = app.factory;
    expect((await build(app)).status).toBe(202);
    while (runner.running === 0) await sleep(5);
    await sleep(100);
    await expect(checkQueue(jobs, runner, 50)).rejects.toThrow('past their time');
    expect(await checkQueue(jobs, runner, 60_000)).toContain('1 of 1 builds run');
    hanging.reject(new Error('released'));
  });

  it('that is stuck leaves the server in', async () => {
    const app = await appForThisTest({ stuckQueue: 'for this test' });
    const { status, json } = await ready(app);
    expect([status, json.status]).toEqual([200, 'degraded']);
    expect(json.checks.queue).toEqual({ status: 'failed', detail: 'for this test' });
  });
});

it('each check is a metric', async () => {
  const app = await appForThisTest({ stuckQueue: 'for this test' });
  const { text } = await ask(`${app.url}/metrics`, nobody);
  expect(text).toContain('switchyard_check_up{check="database"} 1');
  expect(text).toContain('switchyard_check_up{check="queue"} 0');
});
