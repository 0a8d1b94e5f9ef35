/** What a server does when its event loop hardly turns. */
import { fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { testKey } from '../helpers/app.ts';
import { ask } from '../helpers/http.ts';
import { chat, expectVitalSigns, flood, load, metric, nobody, withGate } from '../helpers/overload.ts';
import { startServer } from '../helpers/server-process.ts';
import { keyOfAnotherTenant } from '../helpers/store-accounts.ts';
import { until } from '../helpers/vendor-gateway.ts';
import { freePort } from '../lib/server.ts';

describe('a blocked event loop', () => {
  /** Leaves the loop next to no time, until stopped. */
  function block() {
    let on = true;
    const spin = () => {
      const until = performance.now() + 400;
      while (performance.now() < until);
      if (on) setImmediate(spin);
    };
    setImmediate(spin);
    const stop = () => {
      on = false;
    };
    onTestFinished(stop);
    return stop;
  }

  it('sheds what the heaviest ask for, answers health and metrics, lets what runs end, and recovers', async () => {
    const { app, release } = await withGate(
      { maxRunning: 1_000, maxWaiting: 5, maxWaitMs: 60_000, maxLoopDelayMs: 100, minRunning: 4 },
      { plans: { enterprise: { requestWeight: 1 }, pro: { requestWeight: 1 } } },
    );
    const small = await keyOfAnotherTenant(app);
    const before = Array.from({ length: 30 }, () => chat(app));
    await until(() => load(app).running === 30);
    const stop = block();
    await until(() => load(app).state === 'shedding' && load(app).limit <= 27);
    expect(load(app).signal).toBe('event_loop');
    await expectVitalSigns(app);
    const { json } = await ask(`${app.url}/readyz`, nobody);
    expect(json.checks.load).toEqual({
      status: 'failed',
      detail: expect.stringContaining('The event loop is late: requests are shed.'),
    });
    expect(await metric(app, 'switchyard_overload_shedding')).toBe(1);
    const { all } = await flood(app, 20, testKey);
    await until(() => (load(app).waiting.get('enterprise') ?? 0) > 0);
    await expect
      .poll(() => metric(app, 'switchyard_overload_shed_total{reason="no_room",plan="enterprise"}'))
      .toBeGreaterThan(0);
    const other = chat(app, small);
    stop();
    release();
    for (const { status } of await Promise.all(before)) expect(status).toBe(200);
    expect((await other).status).toBe(200);
    const statuses = (await all).map(({ status }) => status);
    expect(statuses.filter((status) => status === 503).length).toBeGreaterThan(0);
    expect(statuses.filter((status) => status === 200 || status === 503)).toHaveLength(20);
    await expect.poll(() => load(app).state).toBe('normal');
    await expect.poll(() => load(app).limit).toBe(1_000);
    expect((await chat(app)).status).toBe(200);
    const changes = app.log.filter(({ msg }) => msg.includes('sheds')).map(({ msg }) => msg);
    expect(changes).toEqual(['overloaded: sheds requests', 'sheds no more requests']);
  });
});

it('2,000 connections that send without a pause keep nobody else out of a server', async () => {
  const DATA_DIR = await mkdtemp(path.join(tmpdir(), 'switchyard-overload-'));
  onTestFinished(() => rm(DATA_DIR, { recursive: true }));
  const admin = 'password-of-an-administrator';
  const server = await startServer({
    DATA_DIR,
    PORT: String(await freePort()),
    ADMIN_PASSWORD: admin,
    NODE_ENV: 'production',
    LOG_LEVEL: 'error',
  });
  onTestFinished(async () => void (await server.end('SIGKILL')));
  const keyOf = async (tenant: string) => {
    const tenants = await ask(`${server.url}/api/admin/tenants`, {
      key: admin,
      body: { id: tenant, plan: 'enterprise' },
    });
    expect(tenants.status).toBe(201);
    const key = await ask(`${server.url}/api/admin/keys`, { key: admin, body: { tenant_id: tenant } });
    expect(key.status).toBe(201);
    return key.json.secret as string;
  };
  const [greedy, small] = [await keyOf('greedy'), await keyOf('small')];
  const flood = fork(path.join(import.meta.dirname, '../helpers/flood.ts'), [server.url, greedy, '2000'], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  onTestFinished(() => void flood.kill('SIGKILL'));
  let answered = 0;
  flood.on('message', (said) => {
    answered = (said as { answered: number }).answered;
  });
  await until(() => answered > 500);
  const before = answered;
  const body = { model: 'sandbox/echo', message: 'Hello' };
  for (let asked = 0; asked < 20; asked += 1) {
    // Each on a connection of its own, as probes come.
    const headers = { connection: 'close' };
    expect((await ask(`${server.url}/v1/chat`, { key: small, body, headers })).status).toBe(200);
    expect((await ask(`${server.url}/livez`, { key: null, headers })).status).toBe(200);
  }
  await until(() => answered > before);
  const { text } = await ask(`${server.url}/metrics`, nobody);
  expect(text).toMatch(/^switchyard_overload_running_limit [1-9]/m);
  expect(text).not.toMatch(/^switchyard_overload_shed_total\{[^}]*plan="(?:free|pro)"/m);
});
