/** What a server with a collector sends to it, span by span; without one it has nothing of OpenTelemetry in it. */
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { startCollector, valuesOf } from '../helpers/collector.ts';
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
  tracedServer,
  traceId,
} from '../helpers/traced-server.ts';
import { canaryKey } from '../helpers/vendor-gateway.ts';

describe('a traced server', () => {
  it('sends a span of the request and one of the attempt, with what was used, in the trace of its client', async () => {
    const traced = await tracedServer();
    const reply = await traced.chat({ maxTokens: 50, temperature: 0.5 }, { traceparent: parent(true) });
    expect(reply.status).toBe(200);
    const spans = await traced.spansOf(1);
    const [request] = only(spans, server);
    expect(request).toMatchObject({ name: 'POST /v1/chat', traceId, parentSpanId: parentId });
    expect(request?.attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.route': '/v1/chat',
      'http.response.status_code': 200,
      'url.path': '/v1/chat',
      'switchyard.operation': 'createChat',
      'switchyard.request_id': reply.headers['x-request-id'],
      'switchyard.tenant': 'local',
      'switchyard.provider': 'house',
      'switchyard.cost_usd': 0.003,
    });
    const [attempt] = only(spans, client);
    expect(attempt).toMatchObject({ name: 'chat m', traceId, parentSpanId: request?.spanId });
    expect(attempt?.attributes).toEqual(attributesOfAttempt);
    // The vendor is asked on behalf of the attempt.
    expect(traced.vendor.requests[0]?.headers['traceparent']).toBe(`00-${traceId}-${attempt?.spanId}-01`);
    // The batch of the ledger is a trace of its own.
    const commit = spans.find(({ name }) => name === 'ledger commit');
    expect(commit?.traceId).not.toBe(traceId);
    expect(commit?.kind).toBe(internal);
  });

  it('sends the same of streams, with the time to the first piece, on each lane', async () => {
    const traced = await tracedServer();
    const streams = [
      await ask(`${traced.url}/v1/chat/stream`, { key, body: { message: 'Hi' } }),
      await ask(`${traced.url}/v1/chat/completions`, {
        key,
        body: { model: 'who', stream: true, messages: [{ role: 'user', content: 'Hi' }] },
      }),
      await ask(`${traced.url}/v1/messages`, {
        key,
        body: { model: 'who', max_tokens: 9, stream: true, messages: [{ role: 'user', content: 'Hi' }] },
      }),
    ];
    expect(streams.map(({ status }) => status)).toEqual([200, 200, 200]);
    const attempts = only(await traced.spansOf(3), client);
    expect(attempts).toHaveLength(3);
    for (const { attributes } of attempts) {
      expect(attributes).toMatchObject({
        'gen_ai.request.stream': true,
        'gen_ai.usage.output_tokens': 20,
        'gen_ai.response.finish_reasons': ['stop'],
      });
      expect(attributes['gen_ai.response.time_to_first_chunk']).toBeGreaterThan(0);
    }
  });

  it('has a span for each attempt where the first fails', async () => {
    const traced = await tracedServer();
    expect((await traced.chat({ model: 'either' })).status).toBe(200);
    const attempts = only(await traced.spansOf(1), client);
    expect(attempts.map(({ attributes }) => attributes['switchyard.provider'])).toEqual(['broken', 'house']);
    expect(attempts[0]?.status).toEqual({ code: 2 });
    expect(attempts[0]?.attributes).toMatchObject({
      'http.response.status_code': 503,
      'error.type': 'provider_overloaded',
    });
    const [request] = only(traced.collector.spans, server);
    for (const { parentSpanId } of attempts) expect(parentSpanId).toBe(request?.spanId);
  });

  it('has spans for agents, their tools, and the stages of builds', async () => {
    const traced = await tracedServer({ OTEL_METRICS_EXPORTER: 'none' });
    const run = await ask(`${traced.url}/v1/agents/helper/run`, {
      key,
      body: { input: 'What is 17 * 23, and what time is it?' },
    });
    expect(run.status).toBe(200);
    const build = await ask(`${traced.url}/api/v1/factory/jobs`, {
      key,
      keyAs: 'x-api-key',
      body: { prompt: 'a list of books' },
    });
    const params = { name: 'calculator', arguments: { expression: '6*7' } };
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    expect((await ask(`${traced.url}/mcp`, { key, body: call })).json).toHaveProperty('result');
    const spans = traced.collector.spans;
    await expect.poll(() => spans.some(({ name }) => name === 'build')).toBe(true);
    const byMcp = () => spans.find(({ name }) => name === 'POST /mcp')?.spanId;
    await expect.poll(byMcp).toBeDefined();
    const tools = spans.filter(({ name }) => name === 'execute_tool calculator');
    expect(tools.map(({ parentSpanId }) => parentSpanId)).toContain(byMcp());
    const tool = spans.find(({ name }) => name === 'execute_tool calculator');
    expect(tool?.attributes).toMatchObject({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'calculator',
    });
    const agent = spans.find(({ name }) => name.startsWith('invoke_agent'));
    expect(tool?.parentSpanId).toBe(agent?.spanId);
    expect(agent?.attributes).toMatchObject({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'helper',
    });
    const whole = spans.find(({ name }) => name === 'build');
    expect(whole?.attributes).toMatchObject({
      'switchyard.build.id': build.json.id,
      'switchyard.tenant': 'local',
    });
    const stages = spans.filter(({ parentSpanId }) => parentSpanId === whole?.spanId).map(({ name }) => name);
    expect(stages.length).toBeGreaterThan(2);
    expect(stages).toContain('build packaging');
    // It is settled when the span of the request that asked for it has long ended, which is no problem with the collector.
    expect(await traced.end('SIGTERM')).toBe(0);
    expect(traced.output()).not.toContain('telemetry cannot be sent');
  });

  it('keeps what its client has kept and nothing else, where the client decides', async () => {
    const traced = await tracedServer();
    expect((await traced.chat({}, { traceparent: parent(false) })).status).toBe(200);
    expect((await traced.chat({}, { traceparent: 'nonsense' })).status).toBe(200);
    const spans = await traced.spansOf(1);
    expect(spans.filter((span) => span.traceId === traceId)).toEqual([]);
    expect(traced.vendor.requests[0]?.headers['traceparent']).toMatch(
      new RegExp(`^00-${traceId}-[0-9a-f]{16}-00$`),
    );
  });

  it('samples by its own share', async () => {
    const traced = await tracedServer({ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' });
    expect((await traced.chat({}, { traceparent: parent(true) })).status).toBe(200);
    // What is not sampled is counted.
    await expect.poll(() => traced.collector.metrics.get('gen_ai.client.operation.duration')).toBeDefined();
    expect(traced.collector.spans).toEqual([]);
  });

  it('says nothing of prompts, answers and credentials, but for contents where they are asked for', async () => {
    const quiet = await tracedServer();
    await quiet.chat({ message: 'A prompt of its own' });
    await quiet.spansOf(1);
    await expect.poll(() => quiet.collector.logs.length).toBeGreaterThan(0);
    for (const secret of ['prompt of its own', 'The answer.', canaryKey, key, 'collector-secret'])
      expect(quiet.collector.text).not.toContain(secret);
    expect(quiet.collector.headers[0]?.authorization).toBe('Bearer collector-secret');

    const open = await tracedServer({ OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true' });
    await open.chat({ message: 'A prompt of its own' });
    await ask(`${open.url}/v1/chat/stream`, { key, body: { message: 'Hi' } });
    const attempts = only(await open.spansOf(2), client);
    for (const { attributes } of attempts)
      expect(JSON.parse(String(attributes['gen_ai.output.messages']))).toEqual([
        { role: 'assistant', parts: [{ type: 'text', content: 'The answer.' }] },
      ]);
    expect(JSON.parse(String(attempts[0]?.attributes['gen_ai.input.messages']))).toEqual([
      { role: 'user', parts: [{ type: 'text', content: 'A prompt of its own' }] },
    ]);
    expect(open.collector.text).not.toContain(canaryKey);
  });

  it('sends its metrics and its log, whose lines name the trace', async () => {
    const traced = await tracedServer({
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=test',
      OTEL_SERVICE_NAME: 'gate',
    });
    expect((await traced.chat()).status).toBe(200);
    const [request] = only(await traced.spansOf(1), server);
    const { metrics, logs, resources } = traced.collector;
    const requests = () =>
      metrics
        .get('switchyard_requests_total')
        ?.sum?.dataPoints.find(({ attributes }) => valuesOf(attributes)['operation'] === 'createChat')
        ?.asDouble;
    await expect.poll(requests).toBe(1);
    const [duration] = metrics.get('switchyard_request_duration_seconds')?.histogram?.dataPoints ?? [];
    expect(duration?.bucketCounts.reduce((sum, count) => sum + Number(count), 0)).toBe(
      Number(duration?.count),
    );
    expect(duration?.bucketCounts).toHaveLength((duration?.explicitBounds.length ?? 0) + 1);
    const tokens = metrics.get('gen_ai.client.token.usage')?.histogram?.dataPoints ?? [];
    expect(tokens.map(({ attributes, sum }) => [valuesOf(attributes)['gen_ai.token.type'], sum])).toEqual([
      ['input', 100],
      ['output', 20],
    ]);
    expect(resources[0]).toMatchObject({ 'service.name': 'gate', 'deployment.environment': 'test' });
    const line = () => logs.find(({ body }) => body === 'request');
    await expect.poll(line).toMatchObject({
      severityText: 'INFO',
      traceId: request?.traceId,
      spanId: request?.spanId,
    });
    expect(traced.output()).toContain(`"trace_id":"${request?.traceId}"`);
  });

  it('puts the trace into every line that is written for a request, also where lines are not sent', async () => {
    const password = 'a password of tests';
    const traced = await tracedServer({ OTEL_LOGS_EXPORTER: 'none', ADMIN_PASSWORD: password });
    const headers = { traceparent: parent(true) };
    const reload = `${traced.url}/api/admin/config/reload`;
    expect((await ask(reload, { method: 'POST', key: password, headers })).status).toBe(200);
    const line = () =>
      traced
        .output()
        .split('\n')
        .find((text) => text.includes('reloaded the configuration')) ?? '{}';
    await expect.poll(line).not.toBe('{}');
    expect(JSON.parse(line())).toMatchObject({ trace_id: traceId, span_id: expect.any(String) });
    expect(traced.collector.logs).toEqual([]);
  });

  it('sends the names to come where they are asked for', async () => {
    const traced = await tracedServer({ OTEL_SEMCONV_STABILITY_OPT_IN: 'http, gen_ai_latest_experimental' });
    await traced.chat();
    const { metrics } = traced.collector;
    await expect.poll(() => metrics.has('gen_ai.client.inference.operation.input_tokens')).toBe(true);
    expect(metrics.has('gen_ai.client.token.usage')).toBe(false);
  });

  it.each([
    ['TRACES', 'traces'],
    ['METRICS', 'metrics'],
    ['LOGS', 'logs'],
  ])('sends one of the three alone where only it has an address: %s', async (name, kept) => {
    const other = await startCollector();
    const traced = await tracedServer({
      OTEL_EXPORTER_OTLP_ENDPOINT: '',
      [`OTEL_EXPORTER_OTLP_${name}_ENDPOINT`]: `${other.url}/own/${kept}`,
    });
    expect((await traced.chat()).status).toBe(200);
    // What is left is sent on the way out.
    expect(await traced.end('SIGTERM')).toBe(0);
    expect([...new Set(other.paths)]).toEqual([`/own/${kept}`]);
    expect([other.spans.length > 0, other.metrics.size > 0, other.logs.length > 0]).toEqual(
      ['traces', 'metrics', 'logs'].map((signal) => signal === kept),
    );
    expect(traced.collector.paths).toEqual([]);
  });

  it('sends each of the three to its own address rather than the common one', async () => {
    const other = await startCollector();
    const traced = await tracedServer({ OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: `${other.url}/v1/logs` });
    expect((await traced.chat()).status).toBe(200);
    expect(await traced.end('SIGTERM')).toBe(0);
    expect(new Set(traced.collector.paths)).toEqual(new Set(['/v1/traces', '/v1/metrics']));
    expect(new Set(other.paths)).toEqual(new Set(['/v1/logs']));
  });

  it('sends what is left when it stops', async () => {
    const traced = await tracedServer({ OTEL_BSP_SCHEDULE_DELAY: '600000' });
    await traced.chat();
    expect(await traced.end('SIGTERM')).toBe(0);
    expect(only(traced.collector.spans, client)).toHaveLength(1);
  });
});

describe('a collector', () => {
  it.each([
    ['that refuses', { status: 500, body: 'no' }],
    ['that answers nonsense', { status: 200, body: '<html>' }],
    ['that is slow', { status: 200, body: '{}', afterMs: 30_000 }],
  ])('%s costs no request anything, nor the stop', async (_what, given) => {
    const traced = await tracedServer({}, { collector: await startCollector(given) });
    const replies = await Promise.all(Array.from({ length: 300 }, () => traced.chat()));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await traced.end('SIGTERM')).toBe(0);
  });

  it('that is away is told of once in a while', async () => {
    const traced = await tracedServer({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' });
    for (let turn = 0; turn < 5; turn += 1) expect((await traced.chat()).status).toBe(200);
    await expect.poll(traced.output).toContain('telemetry cannot be sent');
    expect(await traced.end('SIGTERM')).toBe(0);
    expect(traced.output().match(/telemetry cannot be sent/g)).toHaveLength(1);
    expect(traced.output()).not.toContain('collector-secret');
  });
});

describe('without a collector', () => {
  it('nothing of OpenTelemetry is loaded, and vendors get no trace', async () => {
    const traced = await tracedServer({ OTEL_SDK_DISABLED: 'true' });
    await traced.chat({}, { traceparent: parent(true) });
    expect(traced.vendor.requests[0]?.headers).not.toHaveProperty('traceparent');
    expect(traced.output()).not.toContain('trace_id');
    expect(traced.collector.text).toBe('');
    const loaded = execFileSync('cat', [`/proc/${traced.pid}/maps`]).toString();
    expect(loaded).not.toContain('opentelemetry');
  });

  it('no module that is loaded at the start leads to it', () => {
    const script = `
      import { registerHooks } from 'node:module';
      const loaded = [];
      registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context); } });
      await import('./src/server/app.ts');
      await import('./src/gateway/routing/gateway.ts');
      console.log(loaded.filter((url) => url.includes('@opentelemetry')).length, loaded.length > 100);`;
    const out = execFileSync(process.execPath, ['--input-type=module', '--eval', script], { cwd: root });
    expect(out.toString().trim()).toBe('0 true');
  });
});
