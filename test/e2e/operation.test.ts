import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { BuildReader } from '../../src/services/builds/build-reader.ts';
import { checkQueue } from '../../src/services/builds/open-factory.ts';
import { appForThisTest, type TestApp, testKey, testMetricsToken } from '../helpers/app.ts';
import { serveProcess } from '../helpers/cli.ts';
import { root } from '../helpers/contract.ts';
import { equalWeights } from '../helpers/factory.ts';
import { ask, open, readAll } from '../helpers/http.ts';

/** What the server says of its own state, to balancers, supervisors and operators. */
describe('health', () => {
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
        expect(await ask(`${app.url}/${name}`, nobody)).toMatchObject({
          status: 200,
          text: '{"status":"ok"}',
        });
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
});

describe('metrics', () => {
  type Series = ReadonlyMap<string, number>;

  /** The samples by their name and labels, as they are written. Fails for a line that is no sample and no comment. */
  function parse(text: string): Series {
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    return new Map(
      lines.map((line) => {
        const [, name, value] =
          /^([a-z][a-z0-9_]*(?:\{(?:[a-z_]+="[^"\\]*",?)*\})?) (-?[\d.e+-]+|Nan|\+Inf)$/.exec(line) ?? [];
        if (!name) throw new Error(`not a sample: ${line}`);
        return [name, Number(value)];
      }),
    );
  }

  async function metricsOf(server: Pick<TestApp, 'url'>): Promise<Series> {
    return parse((await ask(`${server.url}/metrics`, { key: null })).text);
  }

  /** A request is counted when its connection is done with it, which is after the client has its reply. */
  function expectMetric(server: TestApp, name: string) {
    return expect.poll(async () => (await metricsOf(server)).get(name));
  }

  describe('the metrics', () => {
    it('count requests, tokens, attempts and decisions, and name nobody', async () => {
      const server = await appForThisTest({ limits: { requestsPerMinute: 4 } });
      const canary = 'canary-word-of-a-prompt';
      const chat = (body: object) => ask(`${server.url}/v1/chat`, { body });
      const whole = await chat({ message: canary, model: 'sandbox/echo' });
      const streamed = await chat({ message: canary, model: 'sandbox/echo', stream: true });
      expect(streamed.text).toContain('event: end');
      expect((await chat({ message: canary, model: 'sandbox/error' })).status).toBe(502);
      expect((await chat({ message: canary, temperature: 9 })).status).toBe(400);
      expect((await chat({ message: canary, model: 'sandbox/echo' })).status).toBe(200);
      expect((await chat({ message: canary })).status).toBe(429);
      await ask(`${server.url}/${canary}`);
      await ask(`${server.url}/v1/chat`, { key: `sw_live_${canary}`, body: {} });

      const requests = (status: number, operation = 'createChat') =>
        `switchyard_requests_total{operation="${operation}",status="${status}"}`;
      await expectMetric(server, requests(200)).toBe(3);
      await expectMetric(server, requests(404, 'none')).toBe(1);
      const { usage } = whole.json;
      const { text } = await ask(`${server.url}/metrics`);
      const series = parse(text);
      const expected = {
        [requests(400)]: 1,
        [requests(401)]: 1,
        [requests(429)]: 1,
        [requests(502)]: 1,
        'switchyard_request_duration_seconds_count{operation="createChat"}': 7,
        'switchyard_limiter_decisions_total{decision="admitted",limit="none"}': 4,
        'switchyard_limiter_decisions_total{decision="rejected",limit="minute"}': 1,
        'switchyard_tokens_total{provider="sandbox",kind="prompt"}': 3 * usage.prompt_tokens,
        'switchyard_tokens_total{provider="sandbox",kind="completion"}': 3 * usage.completion_tokens,
        'switchyard_upstream_attempts_total{provider="sandbox",outcome="succeeded",status="none"}': 3,
        switchyard_ledger_open_admissions: 0,
        switchyard_ledger_settlements_waiting: 0,
        switchyard_requests_running: 1,
        'switchyard_info{version="test"}': 1,
      };
      expect(Object.fromEntries(Object.keys(expected).map((name) => [name, series.get(name)]))).toEqual(
        expected,
      );
      const attempts = [...series].filter(([name]) => name.startsWith('switchyard_upstream_attempts_total'));
      const failed = attempts.filter(([name]) => name.includes('outcome="failed"'));
      expect(failed.reduce((sum, [, count]) => sum + count, 0)).toBeGreaterThan(0);
      const count = series.get('switchyard_upstream_attempt_duration_seconds_count{provider="sandbox"}');
      expect(count).toBe(attempts.reduce((sum, [, value]) => sum + value, 0));

      for (const secret of [canary, testKey, testMetricsToken.reveal(), 'local', 'sandbox/echo', 'req_']) {
        expect(text).not.toContain(secret);
      }
    });

    it('count a client that went away, and what still runs', async () => {
      const server = await appForThisTest();
      const abort = new AbortController();
      const body = { message: 'Hello', model: 'sandbox/slow' };
      const gone = ask(`${server.url}/v1/chat`, { body, signal: abort.signal }).catch(() => null);
      await expectMetric(server, 'switchyard_ledger_open_admissions').toBe(1);
      await expectMetric(server, 'switchyard_requests_running').toBe(2);
      abort.abort();
      await gone;
      await expectMetric(server, 'switchyard_requests_total{operation="createChat",status="499"}').toBe(1);
      await expectMetric(server, 'switchyard_ledger_open_admissions').toBe(0);
    });

    it('go out as what Prometheus reads, to nobody to keep', async () => {
      const server = await appForThisTest();
      const accept =
        'application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3,text/html;q=0.1';
      for (const headers of [
        { accept },
        { accept: 'text/plain' },
        { accept: 'text/plain;version=0.0.4' },
        {},
      ]) {
        const answer = await ask(`${server.url}/metrics`, { key: null, headers });
        expect(answer.status).toBe(200);
        expect(answer.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
        expect(answer.headers['cache-control']).toBe('no-store');
      }
    });

    it('are refused from elsewhere, but for the token', async () => {
      const server = await appForThisTest({ remoteAddress: '203.0.113.7', metricsToken: testMetricsToken });
      const url = `${server.url}/metrics`;
      const forged = { 'x-forwarded-for': '127.0.0.1', 'x-real-ip': '127.0.0.1', forwarded: 'for=127.0.0.1' };
      for (const [key, headers] of [
        [null, {}],
        [null, forged],
        [testKey, {}],
        ['wrong', forged],
      ] as const) {
        const { status, error, text } = await ask(url, { key, headers });
        expect([status, error.code, error.type]).toEqual([403, 'access_denied', 'permission_error']);
        expect(text).not.toContain('switchyard_');
      }
      expect((await ask(url, { key: testMetricsToken.reveal() })).status).toBe(200);
    });

    it('of a server have its process too', async () => {
      const dataDir = await mkdtemp(path.join(tmpdir(), 'switchyard-metrics-'));
      onTestFinished(() => rm(dataDir, { recursive: true }));
      const server = await serveProcess({ DATA_DIR: dataDir, METRICS_TOKEN: testMetricsToken.reveal() });
      onTestFinished(() => void server.child.kill('SIGKILL'));
      const token = testMetricsToken.reveal();
      expect((await ask(`${server.url}/metrics`, { key: null })).status).toBe(403);
      const series = parse((await ask(`${server.url}/metrics`, { key: token })).text);
      const names = [
        'nodejs_eventloop_lag_p99_seconds',
        'process_resident_memory_bytes',
        'process_cpu_seconds_total',
      ];
      for (const name of names) expect(series.get(name)).toBeGreaterThan(0);
      const headers = { 'x-forwarded-for': '203.0.113.7' };
      expect((await ask(`${server.url}/metrics`, { key: token, headers })).status).toBe(200);
      expect(await server.stop()).toBe(0);
    });

    it('are closed to a proxy on this machine that says nothing of itself, once there is a token', async () => {
      for (const metricsToken of [testMetricsToken, null]) {
        const server = await appForThisTest({ metricsToken });
        const socket = await open(server.port);
        socket.write('GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n');
        expect(await readAll(socket)).toMatch(metricsToken ? /^HTTP\/1.1 403 / : /^HTTP\/1.1 200 /);
      }
    });

    it('are closed to a request without Host', async () => {
      const server = await appForThisTest();
      const socket = await open(server.port);
      socket.write('GET /metrics HTTP/1.0\r\n\r\n');
      expect(await readAll(socket)).toMatch(/^HTTP\/1.1 403 /);
    });
  });
});

/** The dashboard and the alerts read metrics that a server gives. */
describe('monitoring', () => {
  interface Dashboard {
    readonly panels: readonly { readonly targets?: readonly { readonly expr: string }[] }[];
    readonly templating: { readonly list: readonly { readonly query: string }[] };
  }
  interface Alerts {
    readonly groups: readonly { readonly rules: readonly { readonly expr: string }[] }[];
  }

  const read = (name: string) => readFile(path.join(root, 'deploy/monitoring', name), 'utf8');

  /** Everything in an expression that is a name with an underscore, and neither a function of PromQL nor Grafana's. */
  function metricsIn(expression: string): string[] {
    const bare = expression.replace(/"[^"]*"/g, '').replace(/\$\w+/g, '');
    const names = [...bare.matchAll(/\b[a-z]\w*_\w+\b(?!\s*\()/g)].map(([name]) => name);
    return /^up\b/.test(bare) ? ['up'] : names;
  }

  it('name no metric that a server does not give', async () => {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'switchyard-monitoring-'));
    onTestFinished(() => rm(dataDir, { recursive: true }));
    const server = await serveProcess({ DATA_DIR: dataDir, ANALYTICS_DIR: path.join(dataDir, 'analytics') });
    onTestFinished(() => void server.child.kill('SIGKILL'));
    const { text } = await ask(`${server.url}/metrics`, { key: null });
    // Prometheus itself gives `up`.
    const known = new Set(['up']);
    for (const [, name = '', type] of text.matchAll(/^# TYPE (\w+) (\w+)$/gm)) {
      if (type !== 'histogram') known.add(name);
      else for (const end of ['bucket', 'sum', 'count']) known.add(`${name}_${end}`);
    }

    const dashboard: Dashboard = JSON.parse(await read('grafana-dashboard.json'));
    const alerts: Alerts = parse(await read('alerts.yaml'));
    const expressions = [
      ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
      ...dashboard.templating.list.map(({ query }) => query).filter((query) => query !== 'prometheus'),
      ...alerts.groups.flatMap(({ rules }) => rules.map(({ expr }) => expr)),
    ];
    expect(expressions.length).toBeGreaterThan(30);
    expect(expressions.filter((expression) => metricsIn(expression).length === 0)).toEqual([]);
    expect(expressions.flatMap(metricsIn).filter((name) => !known.has(name))).toEqual([]);
    expect(await server.stop()).toBe(0);
  });
});
