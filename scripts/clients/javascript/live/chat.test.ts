import assert from 'node:assert/strict';
import test from 'node:test';
import {
  AuthenticationError,
  InvalidRequestError,
  NotFoundError,
  RateLimitError,
  SwitchyardError,
} from '@switchyard/client';

const env = process.env as Record<string, string>;
const baseUrl = env['SWITCHYARD_BASE_URL'] ?? '';

// sample start
import { Switchyard } from '@switchyard/client';

const switchyard = new Switchyard({
  apiKey: process.env['SWITCHYARD_API_KEY'] ?? '',
  baseUrl: process.env['SWITCHYARD_BASE_URL'] ?? 'http://127.0.0.1:8080',
});
// end

test('variant A', async () => {
  // sample createChat: A conversation (variant A)
  const answer = await switchyard.createChat({
    body: {
      model: 'sandbox',
      messages: [
        { role: 'system', content: 'You answer in one sentence.' },
        { role: 'user', content: 'Why is the sky blue?' },
      ],
      temperature: 0.7,
    },
  });
  console.log(answer.content, answer.usage.total_tokens);
  // end
  assert.match(answer.id, /^chat-/);
  assert.ok(answer.usage.total_tokens > 1);
});

test('variant B', async () => {
  // sample createChat: A single message (variant B)
  const answer = await switchyard.createChat({ body: { message: 'Why is the sky blue?' } });
  console.log(answer.content);
  // end
  assert.equal(answer.finish_reason, 'stop');
});

test('stream', async () => {
  let text = '';
  // sample streamChat: A stream
  for await (const event of switchyard.createChatStream({ body: { message: 'Why is the sky blue?' } })) {
    if (event.type === 'delta') text += event.content;
    if (event.type === 'end') console.log(text, event.usage.total_tokens);
  }
  // end
  assert.match(text, /sandbox/);
});

test('a stream that is left closes its connection', async () => {
  for await (const event of switchyard.createChatStream({
    body: { model: 'sandbox/slow', message: 'Hello' },
  })) {
    assert.equal(event.type, 'start');
    break;
  }
});

test('a stream that breaks off throws', async () => {
  const events: string[] = [];
  await assert.rejects(
    async () => {
      const body = { model: 'sandbox/cut-stream', message: 'Hello' };
      for await (const { type } of switchyard.createChatStream({ body })) events.push(type);
    },
    (error) => error instanceof SwitchyardError && error.code === 'provider_stream_interrupted',
  );
  assert.ok(events.includes('delta'));
});

test('models, usage and requests', async () => {
  // sample listModels
  const { data, routes } = await switchyard.listModels();
  for (const model of data) console.log(model.id, model.provider);
  // end
  assert.ok(Array.isArray(routes));
  // sample getUsage
  const usage = await switchyard.getUsage({ query: { from: '2026-11-01' } });
  console.log(usage.plan, usage.total.requests);
  // end
  assert.ok(usage.total.requests > 0);
  // sample listRequests
  const page = await switchyard.listRequests({ query: { limit: 10 } });
  for (const request of page.data) console.log(request.request_id, request.status);
  // end
  const id = page.data[0]?.request_id ?? '';
  // sample getRequest
  const request = await switchyard.getRequest({ path: { request_id: id } });
  console.log(request.status, request.attempts);
  // end
  assert.equal(request.request_id, id);
});

test('public documents', async () => {
  const manifest = await switchyard.getManifest();
  assert.ok(manifest.operations.length > 5);
  const contract = await switchyard.getOpenApi();
  assert.match(contract.openapi, /^3\.1/);
  assert.match(await (await switchyard.getOpenApiYaml()).text(), /^openapi: /);
});

// if useFeature
test('features', async () => {
  // sample listFeatures
  const features = await switchyard.listFeatures();
  for (const feature of features.data) console.log(feature.id, feature.availability);
  // end
  // sample keywords
  const result = await switchyard.keywords({
    body: { input: { text: 'Solar panels turn sunlight into electricity.', limit: 2 } },
  });
  for (const { keyword, score } of result.output.keywords) console.log(keyword, score);
  // end
  assert.equal(result.output.keywords.length, 2);
  // sample useFeature
  const used = await switchyard.useFeature({
    path: { feature_id: 'keywords' },
    body: { input: { text: 'Solar panels turn sunlight into electricity.', limit: 2 } },
  });
  console.log(used.output);
  // end
  assert.equal(used.feature, 'keywords');
});

// end if
// if runAgent
test('agents', async () => {
  // sample runAgent: The whole run
  const run = await switchyard.runAgent({
    path: { agent_id: 'assistant' },
    body: { input: 'What is 17 * 23?' },
  });
  console.log(run.status, run.output);
  // end
  assert.equal(run.status, 'succeeded');
  const events: string[] = [];
  // sample streamAgentRun: A stream
  for await (const event of switchyard.runAgentStream({
    path: { agent_id: 'assistant' },
    body: { input: 'What is 17 * 23?' },
  })) {
    events.push(event.type);
  }
  // end
  assert.equal(events.at(-1), 'end');
});

// end if
// if createPublicDemo
test('a demo build', async () => {
  let url = '';
  // sample createPublicDemo
  for await (const event of switchyard.createPublicDemo({ body: { prompt: 'A to-do list for a family' } })) {
    if ('message' in event) console.log(event.message);
    if (event.type === 'job.succeeded') url = event.job.preview?.url ?? '';
  }
  // end
  assert.match(url, /^http/);
});

// end if
// if createFactoryJob
test('a build of a tenant', async () => {
  // sample createFactoryJob
  const job = await switchyard.createFactoryJob({ body: { prompt: 'A to-do list for a family' } });
  for await (const event of switchyard.streamFactoryJobEvents({ path: { job_id: job.id } })) {
    console.log(event.type);
  }
  // end
  // sample getFactoryJobArtifact
  const zip = await switchyard.getFactoryJobArtifact({ path: { job_id: job.id } });
  console.log(zip.size);
  // end
  assert.ok(zip.size > 1000);
  const done = await switchyard.getFactoryJob({ path: { job_id: job.id } });
  assert.equal(done.status, 'succeeded');
});

// end if
test('errors', async () => {
  // sample errors
  try {
    await switchyard.createChat({ body: { message: 'Hello', temperature: 3 } });
  } catch (error) {
    if (error instanceof RateLimitError) console.log('come back in', error.retryAfter, 'seconds');
    else if (error instanceof SwitchyardError)
      console.log(error.status, error.code, error.param, error.message);
    else throw error;
  }
  // end
  await assert.rejects(
    () => switchyard.createChat({ body: { message: 'Hello', temperature: 3 } }),
    (error) => error instanceof InvalidRequestError && error.status === 400 && error.param === 'temperature',
  );
  await assert.rejects(
    () => new Switchyard({ apiKey: 'wrong', baseUrl }).listModels(),
    (error) => error instanceof AuthenticationError && error.code === 'invalid_api_key',
  );
  await assert.rejects(
    () => switchyard.getRequest({ path: { request_id: 'req_none' } }),
    (error) => error instanceof NotFoundError && error.status === 404,
  );
});

test('a spent limit', async () => {
  const limited = new Switchyard({ apiKey: env['SWITCHYARD_LIMITED_API_KEY'] ?? '', baseUrl, maxRetries: 0 });
  await limited.createChat({ body: { message: 'Hello' } });
  await assert.rejects(
    () => limited.createChat({ body: { message: 'Hello' } }),
    (error) => error instanceof RateLimitError && error.status === 429 && (error.retryAfter ?? 0) > 0,
  );
});

test('retries what is worth it, and nothing else', async () => {
  const sent: string[] = [];
  const counting: typeof fetch = (input) => {
    sent.push((input as Request).url);
    return fetch(input);
  };
  const client = new Switchyard({ apiKey: env['SWITCHYARD_API_KEY'] ?? '', baseUrl, fetch: counting });
  await assert.rejects(
    () => client.createChat({ body: { model: 'sandbox/error', message: 'Hello' } }),
    SwitchyardError,
  );
  assert.equal(sent.length, 3);
  await assert.rejects(() => client.createChat({ body: { message: '' } }), InvalidRequestError);
  assert.equal(sent.length, 4);
});
