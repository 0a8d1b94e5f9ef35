import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { appForThisTest, type TestApp, testKey, testMetricsToken } from '../helpers/app.ts';
import { serveProcess } from '../helpers/cli.ts';
import { ask, open, readAll } from '../helpers/http.ts';

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
