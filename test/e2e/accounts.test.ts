/** Limits, the ledger and one's own usage, through the whole server. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { appForThisTest, scopelessKey, type TestApp, type TestAppOptions } from '../helpers/app.ts';
import { type Ask, ask, eventsOf, open } from '../helpers/http.ts';
import { openAiFixture } from '../helpers/vendor-fixtures.ts';
import { longLimits, providerOf, until, vendorFor } from '../helpers/vendor-gateway.ts';
import type { VendorScript } from '../lib/vendor.ts';

const body = { model: 'sandbox/echo', message: 'Hello' };

async function behind(script: VendorScript, options: TestAppOptions = {}) {
  const vendor = await vendorFor(script);
  const providers = [providerOf('openai', vendor.baseUrl)];
  const app = await appForThisTest({
    ...options,
    models: { providers, maxAttempts: 1, timeLimits: longLimits },
  });
  return { app, vendor };
}

function chat(app: TestApp, more: Ask & { id?: string } = {}) {
  const { id, ...asking } = more;
  return ask(`${app.url}/v1/chat`, { body, ...(id ? { headers: { 'x-request-id': id } } : {}), ...asking });
}

/** What the ledger says of a request, once it is settled. */
async function recordOf(app: TestApp, id: string, key?: string) {
  for (;;) {
    const { status, json } = await ask(`${app.url}/v1/requests/${id}`, key ? { key } : {});
    expect(status).toBe(200);
    if (json.status !== 'running') return json;
    await sleep(5);
  }
}

async function tenantWithKey(app: TestApp, id: string, plan: 'free' | 'pro' | 'enterprise' = 'enterprise') {
  await app.accounts.tenants.create({ id, plan }, 'test');
  return app.accounts.storedKeys.create({ tenantId: id, label: 'test' }, 'test');
}

it('a limit that leaves no room for a request says that trying again is of no use', async () => {
  const app = await appForThisTest({ limits: { tokensPerMinute: 100 } });
  const { status, headers, error } = await chat(app, { body: { ...body, maxTokens: 2000 } });
  expect([status, error.code, error.retryable]).toEqual([429, 'rate_limited', false]);
  expect([headers['x-should-retry'], headers['retry-after']]).toEqual(['false', undefined]);
});

it('a request can be looked up as soon as it is answered', async () => {
  const app = await appForThisTest();
  for (let n = 0; n < 10; n += 1) {
    const { headers } = await chat(app);
    const { json } = await ask(`${app.url}/v1/requests/${headers['x-request-id']}`);
    expect([json.status, json.http_status, json.attempts.length]).toEqual(['succeeded', 200, 1]);
    const { json: list } = await ask(`${app.url}/v1/requests?limit=1`);
    expect(list.data[0]).toMatchObject({ request_id: headers['x-request-id'], status: 'succeeded' });
  }
});

describe('limits', () => {
  it('of 500 requests at once, a limit of 10 a minute admits exactly 10', async () => {
    const app = await appForThisTest({ limits: { requestsPerMinute: 10 } });
    const answers = await Promise.all(Array.from({ length: 500 }, () => chat(app)));
    const count = (status: number) => answers.filter((answer) => answer.status === status).length;
    expect([count(200), count(429)]).toEqual([10, 490]);
    const { json } = await ask(`${app.url}/v1/usage`);
    expect(json.limits).toMatchObject([{ name: 'minute', limit: 10, remaining: 0 }]);
  });

  it('say how they stand on every admitted request, and on a 429 what was reached and when to come back', async () => {
    const app = await appForThisTest({ limits: { requestsPerMinute: 2, requestsPerMonth: 100 } });
    const first = await chat(app);
    expect(first.headers).toMatchObject({
      'x-ratelimit-limit-requests': '2',
      'x-ratelimit-remaining-requests': '1',
    });
    const stream = await chat(app, { body: { ...body, stream: true } });
    expect(stream.headers['x-ratelimit-remaining-requests']).toBe('0');
    const { status, headers, error } = await chat(app);
    expect(status).toBe(429);
    expect(error).toMatchObject({ code: 'rate_limited', type: 'rate_limit_error', retryable: true });
    expect(error.message).toMatch(
      /^The limit of 2 requests in any 60 seconds is reached\. Try again in \d+ seconds?\.$/,
    );
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(headers['x-should-retry']).toBe('true');
    expect(headers['ratelimit-policy']).toContain('"minute";q=2;w=60');
    expect(headers['ratelimit']).toContain('"month";r=98');
  });

  it('a spent month tells programs not to wait for it', async () => {
    const app = await appForThisTest({ limits: { requestsPerMonth: 1 } });
    await chat(app);
    const { status, headers, error } = await chat(app);
    expect([status, headers['x-should-retry'], error.retryable]).toEqual([429, 'false', false]);
  });

  it('what is refused uses up nothing, what fails counts', async () => {
    const app = await appForThisTest({ limits: { requestsPerMinute: 3 } });
    await chat(app, { body: { message: 5 } });
    await chat(app, { key: 'wrong-key-wrong-key' });
    await chat(app, { body: { ...body, model: 'sandbox/error' } });
    const { headers } = await chat(app);
    expect(headers['x-ratelimit-remaining-requests']).toBe('1');
  });

  it.each<[string, number, (app: TestApp) => Promise<unknown>]>([
    ['a wrong body', 400, (app) => chat(app, { body: { message: 5 } })],
    ['broken JSON', 400, (app) => chat(app, { body: '{' })],
    ['another media type', 415, (app) => chat(app, { body: 'x', headers: { 'content-type': 'text/plain' } })],
    ['a body that is too large', 413, (app) => chat(app, { body: `"${'x'.repeat(1_100_000)}"` })],
    ['a reply that is not wanted', 406, (app) => chat(app, { headers: { accept: 'image/png' } })],
    ['a missing scope', 403, (app) => chat(app, { key: scopelessKey })],
    ['what there is not', 404, (app) => ask(`${app.url}/v1/requests/none`)],
    ['the list of models', 200, (app) => ask(`${app.url}/v1/models`)],
    ['a failure of the model', 502, (app) => chat(app, { body: { ...body, model: 'sandbox/error' } })],
  ])('are told with %s too, which uses up nothing before it is admitted', async (_what, status, run) => {
    const app = await appForThisTest({ limits: { requestsPerMinute: 5, tokensPerMinute: 9_000 } });
    await chat(app);
    const { headers, status: answered } = (await run(app)) as Awaited<ReturnType<typeof chat>>;
    const left = status === 502 ? 3 : 4;
    expect(answered).toBe(status);
    expect(headers).toMatchObject({
      'x-ratelimit-limit-requests': '5',
      'x-ratelimit-remaining-requests': String(left),
      'x-ratelimit-limit-tokens': '9000',
      'ratelimit-policy': '"minute";q=5;w=60',
    });
    expect(headers['ratelimit']).toMatch(new RegExp(`^"minute";r=${left};t=\\d+$`));
  });

  it('are told by a process that has admitted nothing yet, and to nobody without a good key', async () => {
    const app = await appForThisTest({ limits: { requestsPerMinute: 5 } });
    const { headers } = await chat(app, { body: '{' });
    expect(headers['x-ratelimit-remaining-requests']).toBe('5');
    const stranger = await chat(app, { key: 'wrong-key-wrong-key' });
    expect([stranger.status, stranger.headers['ratelimit']]).toEqual([401, undefined]);
  });

  it('of the plans are those that the documentation lists', async () => {
    const app = await appForThisTest();
    const { text: key } = await tenantWithKey(app, 'acme', 'free');
    const { json } = await ask(`${app.url}/v1/usage`, { key });
    expect(json).toMatchObject({ tenant_id: 'acme', plan: 'free' });
    expect(json.limits).toMatchObject([
      { name: 'minute', limit: 10, window_s: 60 },
      { name: 'month', limit: 1000, window_s: null },
    ]);
  });
});

describe('the ledger', () => {
  it('has an answer with what it used', async () => {
    const { app } = await behind((reply) => reply.json(openAiFixture.reply));
    await chat(app, { id: 'answered', body: { model: 'gpt-4o', message: 'Hi' } });
    expect(await recordOf(app, 'answered')).toMatchObject({
      status: 'succeeded',
      http_status: 200,
      operation: 'createChat',
      model_asked: 'gpt-4o',
      model: 'gpt-4o',
      provider: 'openai',
      finish_reason: 'stop',
      usage: {
        prompt_tokens: 24,
        completion_tokens: 11,
        total_tokens: 35,
        prompt_tokens_details: { cached_tokens: 8 },
        completion_tokens_details: { reasoning_tokens: 3 },
        source: 'provider',
      },
      cost_usd: null,
      attempts: [{ provider: 'openai', outcome: 'succeeded', error_code: null }],
    });
  });

  it('has a failure before any text without tokens, with why each attempt failed', async () => {
    const { app } = await behind((reply) => reply.json({ error: { message: 'Down' } }, 500));
    await chat(app, { id: 'failed', body: { model: 'gpt-4o', message: 'Hi' } });
    expect(await recordOf(app, 'failed')).toMatchObject({
      status: 'failed',
      http_status: 502,
      error_code: 'provider_error',
      usage: null,
      attempts: [{ outcome: 'failed', error_code: 'provider_error', status: 500 }],
    });
  });

  it('has an unknown model as a failure', async () => {
    const { app } = await behind((reply) => reply.end());
    await chat(app, { id: 'unknown', body: { model: 'nothing', message: 'Hi' } });
    expect(await recordOf(app, 'unknown')).toMatchObject({
      status: 'failed',
      http_status: 400,
      error_code: 'model_not_found',
      model: null,
    });
  });

  it('has a stream that broke off with an estimate of what was delivered', async () => {
    const { app } = await behind((reply) => {
      reply.eventStream();
      reply.chunk(openAiFixture.firstHalf);
      reply.reset();
    });
    const { text } = await chat(app, {
      id: 'broken',
      body: { model: 'gpt-4o', message: 'Hi', stream: true },
    });
    expect(eventsOf(text).at(-1)?.data.type).toBe('error');
    const record = await recordOf(app, 'broken');
    expect(record).toMatchObject({
      status: 'failed',
      http_status: 200,
      error_code: 'provider_stream_interrupted',
      usage: { source: 'estimated' },
    });
    expect(record.usage.completion_tokens).toBeGreaterThan(0);
  });

  it.each([
    ['before any text', null],
    ['in the middle', { source: 'estimated' }],
  ])('has a client that went away %s', async (when, usage) => {
    const { app, vendor } = await behind((reply) => {
      if (when === 'before any text') return;
      reply.eventStream();
      reply.chunk(openAiFixture.firstHalf);
    });
    const text = JSON.stringify({ model: 'gpt-4o', message: 'Hi', stream: true });
    const socket = await open(app.port);
    const head = [
      'POST /v1/chat HTTP/1.1',
      'Host: x',
      'Authorization: Bearer test-key-with-all-scopes',
      'Content-Type: application/json',
      'X-Request-Id: gone',
    ];
    socket.write(`${head.join('\r\n')}\r\nContent-Length: ${text.length}\r\n\r\n${text}`);
    await until(() => vendor.requests.length === 1);
    if (usage)
      await new Promise((fulfil) =>
        socket.on('data', (chunk) => String(chunk).includes('delta') && fulfil(null)),
      );
    socket.destroy();
    await until(() => app.running.size === 0);
    const record = await recordOf(app, 'gone');
    expect(record).toMatchObject({ status: 'cancelled', http_status: 499, error_code: null });
    if (usage) expect(record.usage).toMatchObject(usage);
    else expect(record.usage).toBeNull();
  });

  it('knows nothing of prompts and answers', async () => {
    const app = await appForThisTest();
    await chat(app, { id: 'quiet', body: { ...body, message: 'a very secret question' } });
    expect(JSON.stringify(await recordOf(app, 'quiet'))).not.toContain('secret');
  });
});

describe('one tenant', () => {
  it('does not see what another has asked', async () => {
    const app = await appForThisTest();
    const [a, b] = await Promise.all([tenantWithKey(app, 'tenant-a'), tenantWithKey(app, 'tenant-b')]);
    await chat(app, { id: 'of-a', key: a.text });
    expect((await recordOf(app, 'of-a', a.text)).status).toBe('succeeded');
    const foreign = await ask(`${app.url}/v1/requests/of-a`, { key: b.text });
    expect([foreign.status, foreign.error.code]).toEqual([404, 'not_found']);
    expect((await ask(`${app.url}/v1/requests`, { key: b.text })).json.data).toEqual([]);
    expect((await ask(`${app.url}/v1/usage`, { key: b.text })).json.total.requests).toBe(0);
  });

  it('pages through its requests, latest first, each once', async () => {
    const app = await appForThisTest();
    const ids = Array.from({ length: 7 }, (_, n) => `request-${n}`);
    for (const id of ids) await chat(app, { id });
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { json } = await ask(`${app.url}/v1/requests?limit=3${cursor && `&cursor=${cursor}`}`);
      seen.push(...json.data.map((record: { request_id: string }) => record.request_id));
      cursor = json.next_cursor;
    }
    expect(seen).toEqual(ids.toReversed());
  });

  it('is told what is wrong with a range or a cursor', async () => {
    const app = await appForThisTest();
    for (const [query, param] of [
      ['usage?from=2026-02-30', 'from'],
      ['usage?from=2026-03-02&to=2026-03-01', 'from'],
      ['requests?cursor=nonsense', 'cursor'],
      ['requests?limit=0', 'limit'],
    ]) {
      const { status, error } = await ask(`${app.url}/v1/${query}`);
      expect([query, status, error.param]).toEqual([query, 400, param]);
    }
  });

  it('has its usage by day and model', async () => {
    const app = await appForThisTest();
    for (const model of ['sandbox/echo', 'sandbox/echo', 'sandbox/error'])
      await chat(app, { id: `u-${model}`.replace('/', '-'), body: { ...body, model } });
    await recordOf(app, 'u-sandbox-error');
    const { json } = await ask(`${app.url}/v1/usage`);
    expect(json.total).toMatchObject({ requests: 3, succeeded: 2, failed: 1 });
    expect(
      json.days.map(({ model, requests }: { model: string; requests: number }) => [model, requests]),
    ).toEqual([
      [null, 1],
      ['sandbox/echo', 2],
    ]);
  });

  it('is refused from the moment its key is revoked', async () => {
    const app = await appForThisTest();
    const { key, text } = await tenantWithKey(app, 'acme');
    expect((await chat(app, { key: text })).status).toBe(200);
    await app.accounts.storedKeys.revoke({ id: key.id, tenantId: 'acme' }, 'test');
    const { status, error } = await chat(app, { key: text });
    expect([status, error.code]).toEqual([401, 'invalid_api_key']);
  });
});
