import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished, type TestContext } from 'vitest';
import { type Collector, startCollector, valuesOf } from '../helpers/collector.ts';
import { root } from '../helpers/contract.ts';
import { ask } from '../helpers/http.ts';
import {
  attributesOfAttempt,
  client,
  internal,
  tracedKey as key,
  only,
  parent,
  parentId,
  server,
  type Traced,
  tracedServer,
  traceId,
} from '../helpers/traced-server.ts';
import { freePort } from '../lib/server.ts';

/** What the collector of OpenTelemetry makes of that which a server sends: all that is looked at has passed through it. */

const patience = { timeout: 20_000 };
/** Metrics are given up when the next are due, which a busy machine must not come to. */
const calmly = { OTEL_METRIC_EXPORT_INTERVAL: '4000' };

describe.each(['none', 'gzip'])('the collector of OpenTelemetry, with compression %s', (compression) => {
  it('takes every span, metric and log line that a server sends', async ({ skip }) => {
    const otel = await startOtelCollector(skip);
    const traced = await tracedServer(
      {
        ...calmly,
        OTEL_EXPORTER_OTLP_COMPRESSION: compression,
        OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
        OTEL_SERVICE_NAME: 'gate',
      },
      otel,
    );
    const { requestId, buildId } = await workOfAllKinds(traced);
    const { spans, logs, metrics, resources } = otel.collector;
    const named = (name: string) => spans.find((span) => span.name === name);
    await expect.poll(() => named('build'), patience).toBeDefined();
    await expect.poll(() => only(spans, server).length, patience).toBe(4);

    const request = named('POST /v1/chat');
    expect(request).toMatchObject({ kind: server, traceId, parentSpanId: parentId });
    expect(request?.attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.route': '/v1/chat',
      'http.response.status_code': 200,
      'switchyard.operation': 'createChat',
      'switchyard.request_id': requestId,
      'switchyard.cost_usd': 0.003,
    });
    const attempt = only(spans, client).find((span) => span.traceId === traceId);
    expect(attempt).toMatchObject({ name: 'chat m', parentSpanId: request?.spanId });
    expect(attempt?.attributes).toEqual(attributesOfAttempt);
    const streamed = spans.find(
      ({ kind, parentSpanId }) => kind === client && parentSpanId === named('POST /v1/chat/stream')?.spanId,
    );
    expect(streamed?.attributes).toMatchObject({
      'gen_ai.request.stream': true,
      'gen_ai.usage.output_tokens': 20,
    });
    expect(streamed?.attributes['gen_ai.response.time_to_first_chunk']).toBeGreaterThan(0);
    for (const { startTimeUnixNano, endTimeUnixNano } of spans)
      expect(BigInt(endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(startTimeUnixNano));

    const agent = spans.find(({ name }) => name.startsWith('invoke_agent'));
    expect(agent?.attributes).toMatchObject({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'helper',
    });
    const tool = named('execute_tool calculator');
    expect(tool).toMatchObject({ kind: internal, traceId: agent?.traceId, parentSpanId: agent?.spanId });
    expect(tool?.attributes).toMatchObject({ 'gen_ai.tool.name': 'calculator' });

    const build = named('build');
    expect(build?.attributes).toMatchObject({ 'switchyard.build.id': buildId });
    const stages = spans.filter(({ parentSpanId }) => parentSpanId === build?.spanId);
    expect(stages.length).toBeGreaterThan(2);
    expect(stages.map(({ name }) => name)).toContain('build packaging');
    for (const stage of stages) expect(stage.traceId).toBe(build?.traceId);
    const commit = named('ledger commit');
    expect(commit).toMatchObject({ kind: internal });
    expect(spans.filter((span) => span.traceId === commit?.traceId)).toHaveLength(1);

    await expect
      .poll(() => metrics.get('gen_ai.client.operation.duration')?.histogram?.dataPoints.length, patience)
      .toBeGreaterThan(0);
    expect(
      ['operation.duration', 'operation.time_to_first_chunk', 'token.usage'].map((name) => {
        const metric = metrics.get(`gen_ai.client.${name}`);
        return [metric?.unit, metric?.histogram !== undefined];
      }),
    ).toEqual([
      ['s', true],
      ['s', true],
      ['{token}', true],
    ]);
    const counter = () => metrics.get('switchyard_requests_total')?.sum;
    const chats = () =>
      counter()?.dataPoints.find(({ attributes }) => valuesOf(attributes)['operation'] === 'createChat');
    await expect.poll(() => chats()?.asDouble, patience).toBe(1);
    expect(counter()).toMatchObject({ isMonotonic: true, aggregationTemporality: cumulative });
    // What Prometheus reads has come out by the same names, each of the same type.
    const { text } = await ask(`${traced.url}/metrics`);
    const types = [...text.matchAll(/^# TYPE (switchyard_\S+) (\S+)$/gm)].map(([, name, type]) => [
      name,
      type,
    ]);
    expect(new Set(types.map(([, type]) => type))).toEqual(new Set(['counter', 'gauge', 'histogram']));
    expect(
      types.map(([name = '']) => {
        const { sum, gauge } = metrics.get(name) ?? {};
        return [name, sum ? 'counter' : gauge ? 'gauge' : metrics.get(name)?.histogram && 'histogram'];
      }),
    ).toEqual(types);
    for (const { histogram } of metrics.values())
      for (const { bucketCounts, explicitBounds, count } of histogram?.dataPoints ?? []) {
        expect(bucketCounts).toHaveLength(explicitBounds.length + 1);
        expect(bucketCounts.reduce((sum, each) => sum + Number(each), 0)).toBe(Number(count));
      }

    const line = () => logs.find((record) => record.traceId === traceId && record.body === 'request');
    await expect.poll(line, patience).toMatchObject({ severityText: 'INFO', spanId: request?.spanId });
    expect(resources.length).toBeGreaterThan(0);
    for (const resource of resources)
      expect(resource).toMatchObject({
        'service.name': 'gate',
        'service.version': expect.stringMatching(/^\d/),
        'service.instance.id': expect.stringMatching(/./),
        'deployment.environment.name': 'test',
      });

    // The last of it, so that everything is counted.
    expect(await traced.end('SIGTERM')).toBe(0);
    await expectAllTaken(otel);
    expect(traced.output()).not.toContain('telemetry cannot be sent');
    // What came in, next to the same as it came out.
    const bytes = (await otel.counted(/^http_server_request_body_size\w*_sum$/)).reduce(
      (sum, { value }) => sum + value,
      0,
    );
    expect(bytes < otel.collector.text.length / 2).toBe(compression === 'gzip');
  });

  it('may end and come back, and no request notices', async ({ skip }) => {
    const otel = await startOtelCollector(skip);
    const traced = await tracedServer({ ...calmly, OTEL_EXPORTER_OTLP_COMPRESSION: compression }, otel);
    const chat = async (trace: string) => {
      const reply = await traced.chat({}, { traceparent: `00-${trace}-${parentId}-01` });
      expect(reply.status).toBe(200);
    };
    const arrived = (trace: string) => otel.collector.spans.filter((span) => span.traceId === trace).length;
    await chat('1'.repeat(32));
    await expect.poll(() => arrived('1'.repeat(32)), patience).toBe(2);
    await otel.kill();
    for (let turn = 0; turn < 20; turn += 1) await chat('2'.repeat(32));
    await otel.start();
    await expect
      .poll(async () => {
        await chat('3'.repeat(32));
        return arrived('3'.repeat(32));
      }, patience)
      .toBeGreaterThanOrEqual(2);
    expect(await traced.end('SIGTERM')).toBe(0);
    await expectAllTaken(otel);
  });
});

/** As `AggregationTemporality` of OTLP has it. */
const cumulative = 2;

/** A chat, a streamed one, a run of an agent and a build. */
async function workOfAllKinds(traced: Traced) {
  const chat = await traced.chat({ maxTokens: 50, temperature: 0.5 }, { traceparent: parent(true) });
  const stream = await ask(`${traced.url}/v1/chat/stream`, { key, body: { message: 'Hi' } });
  const run = await ask(`${traced.url}/v1/agents/helper/run`, { key, body: { input: 'What is 17 * 23?' } });
  const build = await ask(`${traced.url}/api/v1/factory/jobs`, {
    key,
    keyAs: 'x-api-key',
    body: { prompt: 'a list of books' },
  });
  expect([chat, stream, run, build].map(({ status }) => status)).toEqual([200, 200, 200, 202]);
  return { requestId: chat.headers['x-request-id'], buildId: build.json.id };
}

/** Holds that the collector answered no request with an error, and refused and lost nothing. */
async function expectAllTaken(otel: OtelCollector): Promise<void> {
  const requests = await otel.counted(/^http_server_request_duration\w*_count$/);
  expect(requests.length).toBeGreaterThan(0);
  for (const { series } of requests) expect(series).toContain('http_response_status_code="200"');
  for (const items of ['spans', 'metric_points', 'log_records']) {
    const [accepted] = await otel.counted(new RegExp(`^otelcol_receiver_accepted_${items}$`));
    expect(accepted?.value).toBeGreaterThan(0);
    const lost = await otel.counted(
      new RegExp(`^otelcol_(receiver_refused|receiver_failed|exporter_send_failed)_${items}$`),
    );
    expect(lost.length).toBeGreaterThan(1);
    for (const { value } of lost) expect(value).toBe(0);
  }
}

/** Where `.ci/collector` puts the collector of OpenTelemetry. */
const program = path.join(root, 'build/otel-collector');

/** The collector of OpenTelemetry itself, which sends on what it has taken. */
interface OtelCollector {
  /** What has come out of it; its `url` is where the collector takes requests. */
  readonly collector: Collector;
  /** What it counts of its own work, by the names in its documentation: each series with its labels. */
  counted(name: RegExp): Promise<readonly Counted[]>;
  /** Ends it at once, as a crash would. */
  kill(): Promise<void>;
  /** Starts it again at the same address. */
  start(): Promise<void>;
}

interface Counted {
  readonly series: string;
  readonly value: number;
}

/** Skips the test where the collector is not compiled; under `CI` that is a failure. */
async function startOtelCollector(skip: TestContext['skip']): Promise<OtelCollector> {
  if (!existsSync(program)) {
    const problem = 'there is no build/otel-collector, which .ci/collector compiles';
    if (process.env['CI']) throw new Error(problem);
    skip(problem);
  }
  const kept = await startCollector();
  const [port, ownPort] = [await freePort(), await freePort()];
  const folder = await mkdtemp(path.join(tmpdir(), 'switchyard-otel-collector-'));
  const file = path.join(folder, 'collector.yaml');
  // Without queue and retries, so that a request is answered only when what it brought has come out.
  await writeFile(
    file,
    `receivers:
  otlp: { protocols: { http: { endpoint: "127.0.0.1:${port}" } } }
exporters:
  otlp_http:
    endpoint: ${kept.url}
    encoding: json
    compression: none
    sending_queue: { enabled: false }
    retry_on_failure: { enabled: false }
service:
  pipelines:
    traces: { receivers: [otlp], exporters: [otlp_http] }
    metrics: { receivers: [otlp], exporters: [otlp_http] }
    logs: { receivers: [otlp], exporters: [otlp_http] }
  telemetry:
    metrics: { level: detailed, readers: [{ pull: { exporter: { prometheus: { host: 127.0.0.1, port: ${ownPort} } } } }] }
`,
  );
  let child: ChildProcess | null = null;
  let output = '';
  const kill = async () => {
    if (child?.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  const start = async () => {
    output = '';
    child = spawn(program, ['--config', file], { stdio: ['ignore', 'ignore', 'pipe'] });
    child.stderr?.on('data', (piece) => {
      output += piece;
    });
    await expect.poll(() => output).toContain('Everything is ready');
  };
  onTestFinished(async () => {
    await kill();
    await rm(folder, { recursive: true, force: true });
  });
  await start();
  return {
    collector: Object.assign(kept, { url: `http://127.0.0.1:${port}` }),
    kill,
    start,
    async counted(name) {
      const text = await (await fetch(`http://127.0.0.1:${ownPort}/metrics`)).text();
      return text
        .split('\n')
        .filter((line) => !line.startsWith('#') && name.test(line.split('{')[0] ?? ''))
        .map((line) => ({
          series: line.slice(0, line.lastIndexOf(' ')),
          value: Number(line.slice(line.lastIndexOf(' '))),
        }));
    },
  };
}
