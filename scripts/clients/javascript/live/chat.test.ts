import assert from 'node:assert/strict';
import test from 'node:test';
import {
  AuthenticationError,
  ConnectionError,
  filesOf,
  InvalidRequestError,
  NotFoundError,
  RateLimitError,
  Switchyard,
  SwitchyardError,
  TimeoutError,
} from '@switchyard/client';

const env = process.env as Record<string, string>;
const baseUrl = env['SWITCHYARD_BASE_URL'] ?? '';
const switchyard = new Switchyard();
const hello = { message: 'Hello' };
const slow = { model: 'sandbox/slow', message: 'Hello' };

test('both variants of a chat', async () => {
  const messages = [{ role: 'user', content: 'Hello' } as const];
  const answer = await switchyard.createChat({ body: { model: 'sandbox', messages } });
  assert.match(answer.id, /^chat-/);
  assert.ok(answer.usage.total_tokens > 1);
  assert.equal((await switchyard.createChat({ body: hello })).finish_reason, 'stop');
  // @ts-expect-error: one or the other
  await assert.rejects(() => switchyard.createChat({ body: { ...hello, model: 'sandbox', messages } }));
});

test('a stream', async () => {
  let text = '';
  const types: string[] = [];
  for await (const event of switchyard.streamChat({ body: hello })) {
    types.push(event.type);
    if (event.type === 'delta') text += event.content;
  }
  assert.match(text, /sandbox/);
  assert.equal(types[0], 'start');
  assert.equal(types.at(-1), 'end');
});

test('a stream that is left closes its connection', async () => {
  for await (const event of switchyard.streamChat({ body: slow })) {
    assert.equal(event.type, 'start');
    break;
  }
});

test('a stream that breaks off throws', async () => {
  const events: string[] = [];
  await assert.rejects(
    async () => {
      const body = { model: 'sandbox/cut-stream', message: 'Hello' };
      for await (const { type } of switchyard.streamChat({ body })) events.push(type);
    },
    (error) => error instanceof SwitchyardError && error.code === 'provider_stream_interrupted',
  );
  assert.ok(events.includes('delta'));
});

test('a stream that is aborted throws the reason', async () => {
  const controller = new AbortController();
  const reason = new Error('enough');
  await assert.rejects(async () => {
    for await (const event of switchyard.streamChat({ body: slow, signal: controller.signal })) {
      if (event.type === 'start') controller.abort(reason);
    }
  }, reason);
});

test('the time of a client and of a call', async () => {
  const isTimeout = (ms: number) => (error: unknown) => error instanceof TimeoutError && error.timeout === ms;
  const hurried = new Switchyard({ timeout: 50 });
  await assert.rejects(() => hurried.createChat({ body: slow }), isTimeout(50));
  assert.equal((await hurried.createChat({ body: hello, timeout: 60_000 })).finish_reason, 'stop');
  await assert.rejects(() => switchyard.createChat({ body: slow, timeout: 60 }), isTimeout(60));
  await assert.rejects(async () => {
    for await (const event of switchyard.streamChat({ body: slow, timeout: 70 })) assert.ok(event.type);
  }, isTimeout(70));
});

test('a call that is aborted throws the reason', async () => {
  const reason = new Error('no longer wanted');
  const controller = new AbortController();
  const call = switchyard.createChat({ body: slow, signal: controller.signal });
  controller.abort(reason);
  await assert.rejects(() => call, reason);
});

test('models, usage and requests', async () => {
  const { data, routes } = await switchyard.listModels();
  assert.ok(data.length > 0);
  assert.ok(Array.isArray(routes));
  const usage = await switchyard.getUsage({ query: { from: '2026-11-01' } });
  assert.ok(usage.total.requests > 0);
  const page = await switchyard.listRequests({ query: { limit: 1 } });
  const id = page.data[0]?.request_id ?? '';
  assert.equal((await switchyard.getRequest({ path: { request_id: id } })).request_id, id);
});

test('public documents', async () => {
  assert.ok((await switchyard.getManifest()).operations.length > 5);
  assert.match((await switchyard.getOpenApi()).openapi, /^3\.1/);
  assert.match(await (await switchyard.getOpenApiYaml()).text(), /^openapi: /);
});

test('features', async () => {
  const features = await switchyard.listFeatures();
  assert.ok(features.data.some(({ id }) => id === 'keywords'));
  const input = { text: 'Solar panels turn sunlight into electricity.', limit: 2 };
  const result = await switchyard.keywords({ body: { input } });
  assert.equal(result.output.keywords.length, 2);
  const used = await switchyard.useFeature({ path: { feature_id: 'keywords' }, body: { input } });
  assert.equal(used.feature, 'keywords');
});

test('a run in the background, and its events from one of them on', async () => {
  const path = { agent_id: 'assistant' };
  const body = { input: 'What is 17 * 23?', background: true };
  const run = await switchyard.runAgent({ path, body });
  const of = { ...path, run_id: run.id };
  const numbers: number[] = [];
  for await (const event of switchyard.streamAgentRunEvents({ path: of })) {
    if ('seq' in event) numbers.push(event.seq);
  }
  assert.equal(numbers[0], 1);
  const rest: number[] = [];
  for await (const event of switchyard.streamAgentRunEvents({ path: of, query: { after: 1 } })) {
    if ('seq' in event) rest.push(event.seq);
  }
  assert.deepEqual(rest, numbers.slice(1));
  assert.equal((await switchyard.getAgentRun({ path: of })).status, 'succeeded');
});

test('a demo build', async () => {
  let url = '';
  for await (const event of switchyard.createPublicDemo({ body: { prompt: 'A to-do list' } })) {
    if (event.type === 'job.succeeded') url = event.job.preview?.url ?? '';
  }
  assert.match(url, /^http/);
});

test('a build of a tenant, followed from one of its events on, and its files', async () => {
  const job = await switchyard.createFactoryJob({ body: { prompt: 'A to-do list for a family' } });
  const path = { job_id: job.id };
  const types: string[] = [];
  for await (const { type } of switchyard.streamFactoryJobEvents({ path })) types.push(type);
  assert.equal(types.at(-1), 'job.succeeded');
  const rest: string[] = [];
  for await (const { type } of switchyard.streamFactoryJobEvents({ path, query: { after: 1 } }))
    rest.push(type);
  assert.notEqual(rest[0], 'job.queued');
  const done = await switchyard.getFactoryJob({ path });
  assert.equal(done.status, 'succeeded');
  const files = await filesOf(await switchyard.getFactoryJobArtifact({ path }));
  assert.ok(done.files.length > 5);
  for (const { path, bytes } of done.files) {
    const found = [...files].find(([name]) => name === path || name.endsWith(`/${path}`));
    assert.equal(found?.[1].length, bytes, path);
  }
});

test('errors', async () => {
  await assert.rejects(
    () => switchyard.createChat({ body: { message: 'Hello', temperature: 3 } }),
    (error) => error instanceof InvalidRequestError && error.status === 400 && error.param === 'temperature',
  );
  await assert.rejects(
    () => new Switchyard({ apiKey: 'wrong' }).listModels(),
    (error) => error instanceof AuthenticationError && error.code === 'invalid_api_key',
  );
  await assert.rejects(
    () => switchyard.getRequest({ path: { request_id: 'req_none' } }),
    (error) => error instanceof NotFoundError && error.status === 404,
  );
  await assert.rejects(
    () => new Switchyard({ baseUrl: 'http://127.0.0.1:1', maxRetries: 0 }).listModels(),
    ConnectionError,
  );
});

test('a spent limit', async () => {
  const limited = new Switchyard({ apiKey: env['SWITCHYARD_LIMITED_API_KEY'] ?? '', baseUrl, maxRetries: 0 });
  await limited.createChat({ body: hello });
  await assert.rejects(
    () => limited.createChat({ body: hello }),
    (error) => error instanceof RateLimitError && error.status === 429 && (error.retryAfter ?? 0) > 0,
  );
});

test('retries what is worth it, and nothing else', async () => {
  const sent: string[] = [];
  const counting: typeof fetch = (input) => {
    sent.push((input as Request).url);
    return fetch(input);
  };
  const client = new Switchyard({ fetch: counting });
  await assert.rejects(
    () => client.createChat({ body: { model: 'sandbox/error', message: 'Hello' } }),
    SwitchyardError,
  );
  assert.equal(sent.length, 3);
  await assert.rejects(() => client.createChat({ body: { message: '' } }), InvalidRequestError);
  assert.equal(sent.length, 4);
});
