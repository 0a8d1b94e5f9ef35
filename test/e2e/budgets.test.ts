/** Budgets: made and changed by an administrator, seen by their tenant, and held against what requests use. */
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Budget } from '../../generated/types.gen.ts';
import { appForThisTest, type TestApp, testAdminPassword, testKey } from '../helpers/app.ts';
import { type Ask, ask } from '../helpers/http.ts';
import { providerOf } from '../helpers/vendor-gateway.ts';
import { type ScriptedVendor, startVendor } from '../lib/vendor.ts';

/** Each answer costs two cents: 1,000 tokens of the prompt at $10 and 100 of the answer at $100 for a million. */
const prices = { 'openai/gpt-4o': { prompt: 10, completion: 100 } };
const answer = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'gpt-4o',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1000, completion_tokens: 100, total_tokens: 1100 },
};
let vendor: ScriptedVendor;
beforeAll(async () => {
  vendor = await startVendor((reply) => reply.json(answer));
  return () => vendor.close();
});

const appWithVendor = () =>
  appForThisTest({
    models: {
      providers: [providerOf('openai', vendor.baseUrl)],
      models: [
        { id: 'house-model', provider: 'openai', model: 'gpt-4o', temperature: null, fallbacks: [] },
        { id: 'best', provider: 'openai', model: 'gpt-4o', temperature: null, fallbacks: ['gpt-4.1'] },
      ],
      aliases: { fast: 'gpt-4o', faster: 'fast' },
      maxAttempts: 1,
      defaultModel: 'gpt-4o',
    },
    prices,
  });

const administer = (app: TestApp, path: string, asking: Ask = {}) =>
  ask(`${app.url}/api/admin${path}`, { key: testAdminPassword, ...asking });

async function budgetOn(app: TestApp, fields: object): Promise<Budget> {
  const body = { tenant_id: 'local', unit: 'money', window: 'month', limit: 0.05, ...fields };
  const reply = await administer(app, '/budgets', { body });
  expect([reply.status, reply.error]).toEqual([201, undefined]);
  return reply.json as unknown as Budget;
}

const chat = (app: TestApp, more: object = {}) =>
  ask(`${app.url}/v1/chat`, { body: { message: 'Hi', model: 'gpt-4o', maxTokens: 100, ...more } });

const stateOf = async (app: TestApp, id: string) =>
  ((await administer(app, `/budgets/${id}`)).json as unknown as Budget).state;

describe('a budget of money', () => {
  it('lets through what fits, refuses what may cost more than is left, and says what is spent', async () => {
    const app = await appWithVendor();
    const { id } = await budgetOn(app, { label: 'Search team' });
    expect([(await chat(app)).status, (await chat(app)).status]).toEqual([200, 200]);
    await expect.poll(async () => (await stateOf(app, id)).used).toBe(0.04);
    const asked = vendor.requests.length;
    const refused = await chat(app);
    expect([refused.status, refused.error.code, refused.error.type]).toEqual([
      402,
      'budget_exceeded',
      'billing_error',
    ]);
    expect(refused.error.message).toMatch(
      /^The budget "Search team" of \$0\.05 a month leaves too little: \$0\.04 of it is used or set aside, and this request may cost \$0\.01\d*\. It resets on \d{4}-\d{2}-01T00:00:00\.000Z\.$/,
    );
    expect(refused.error.retryable).toBe(false);
    expect(refused.headers['x-should-retry']).toBe('false');
    expect(vendor.requests).toHaveLength(asked);
    // A shorter answer may still fit.
    expect((await chat(app, { maxTokens: 50 })).status).toBe(200);
    await expect.poll(async () => (await stateOf(app, id)).used).toBe(0.06);
    expect((await stateOf(app, id)).remaining).toBe(0);
  });

  it('is told by every client in its own words, and none of them tries again', async () => {
    const app = await appWithVendor();
    await budgetOn(app, { limit: 0 });
    const asked = vendor.requests.length;
    let sent = 0;
    const counting = (url: string | URL | Request, init?: RequestInit) => {
      sent += 1;
      return fetch(url, init);
    };
    const messages = [{ role: 'user' as const, content: 'Hi' }];
    const openai = new OpenAI({ apiKey: testKey, baseURL: `${app.url}/v1`, fetch: counting });
    await expect(openai.chat.completions.create({ model: 'gpt-4o', messages })).rejects.toMatchObject({
      status: 402,
      code: 'budget_exceeded',
    });
    const anthropic = new Anthropic({ apiKey: testKey, baseURL: app.url, fetch: counting });
    await expect(
      anthropic.messages.create({ model: 'gpt-4o', max_tokens: 10, messages }),
    ).rejects.toMatchObject({ status: 402, error: { error: { type: 'billing_error' } } });
    const gemini = await ask(`${app.url}/v1beta/models/gpt-4o:generateContent`, {
      body: { contents: [{ parts: [{ text: 'Hi' }] }] },
    });
    expect(gemini.status).toBe(402);
    expect(vendor.requests).toHaveLength(asked);
    expect(sent).toBe(2);
  });

  it('refuses a model whose price nobody knows, if it is hard', async () => {
    const app = await appWithVendor();
    const { id } = await budgetOn(app, {});
    const unpriced = await chat(app, { model: 'gpt-4o-mini' });
    expect([unpriced.status, unpriced.error.code]).toEqual([402, 'budget_exceeded']);
    expect(unpriced.error.message).toContain('no price is known for openai/gpt-4o-mini');
    const fallback = await chat(app, { model: 'best' });
    expect([fallback.status, fallback.error.message]).toEqual([
      402,
      expect.stringContaining('no price is known for openai/gpt-4.1, which may answer for best. '),
    ]);
    expect(
      (await administer(app, `/budgets/${id}`, { method: 'PATCH', body: { kind: 'soft' } })).status,
    ).toBe(200);
    expect((await chat(app, { model: 'gpt-4o-mini' })).status).toBe(200);
  });

  it('only tells when it is soft', async () => {
    const app = await appWithVendor();
    const { id } = await budgetOn(app, { limit: 0.01, kind: 'soft' });
    expect([(await chat(app)).status, (await chat(app)).status]).toEqual([200, 200]);
    await expect.poll(() => stateOf(app, id)).toMatchObject({ used: 0.04, remaining: 0 });
  });

  it('counts what its month has used before it was made', async () => {
    const app = await appWithVendor();
    expect([(await chat(app)).status, (await chat(app)).status]).toEqual([200, 200]);
    const budget = await budgetOn(app, {});
    expect(budget.state).toMatchObject({ used: 0.04, remaining: 0.01 });
    expect((await chat(app)).status).toBe(402);
  });

  it.each([
    [
      'money',
      0.015,
      402,
      /: \$0\.00 of it is used, requests under way have set aside \$0\.01\d*, and this request may cost \$0\.01\d*\. What they do not use comes back when they end\. Try again in a second\.$/,
    ],
    [
      'tokens',
      150,
      429,
      / leaves too little: 0 of them are used, requests under way have set aside 1\d\d, and this request may use 1\d\d\. What they do not use comes back when they end\. Try again in a second\.$/,
    ],
  ])(
    'of %s asks for a short wait where only requests under way are in the way',
    async (unit, limit, status, message) => {
      const release = Promise.withResolvers<void>();
      const slow = await startVendor(async (reply) => {
        await release.promise;
        reply.json({ ...answer, usage: { prompt_tokens: 10, completion_tokens: 1, total_tokens: 11 } });
      });
      onTestFinished(() => slow.close());
      const app = await appForThisTest({
        models: { providers: [providerOf('openai', slow.baseUrl)], maxAttempts: 1 },
        prices,
      });
      const { id } = await budgetOn(app, { unit, limit, window: 'day', alerts_at: [50, 100] });
      const first = chat(app);
      await expect.poll(() => slow.requests.length).toBe(1);
      const refused = await chat(app);
      expect([refused.status, refused.error.retryable]).toEqual([status, true]);
      expect(refused.headers).toMatchObject({ 'retry-after': '1', 'x-should-retry': 'true' });
      expect(refused.error.message).toMatch(message);
      release.resolve();
      expect((await first).status).toBe(200);
      await expect.poll(async () => (await stateOf(app, id)).used).toBeLessThan(limit / 10);
      expect((await chat(app)).status).toBe(200);
    },
  );

  it('admits no more than it has room for of many at once', async () => {
    const app = await appWithVendor();
    await budgetOn(app, { limit: 0.05 });
    const answers = await Promise.all(Array.from({ length: 40 }, () => chat(app)));
    // Each sets aside a little more than a cent.
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(4);
    expect(answers.filter(({ status }) => status === 402).length).toBeGreaterThanOrEqual(36);
  });
});

it.each([
  ['one of low quality', { quality: 'low', size: '1024x1024' }, 0.03],
  ['one of medium quality', { quality: 'medium', size: '1536x1024' }, 0.1],
  ['one of any quality', {}, 0.3],
  ['three of low quality', { quality: 'low', size: '1024x1024', n: 3 }, 0.06],
  ['one of high quality and eight million pixels', { quality: 'high', size: '3840x2160' }, 1.1],
])('a budget of money sets aside what pictures may cost: %s', async (_what, fields, most) => {
  const pictures = await startVendor((reply) =>
    reply.json({ created: 1, data: [], usage: { input_tokens: 5, output_tokens: 272, total_tokens: 277 } }),
  );
  onTestFinished(() => pictures.close());
  const app = await appForThisTest({
    models: { providers: [providerOf('openai', pictures.baseUrl)], maxAttempts: 1 },
    prices: { 'openai/gpt-image-1': { prompt: 5, imagePrompt: 10, completion: 40 } },
  });
  const draw = () => ask(`${app.url}/v1/images/generations`, { body: { prompt: 'A yard', ...fields } });
  const { id } = await budgetOn(app, { limit: most / 2 });
  const refused = await draw();
  expect(refused.status).toBe(402);
  expect(pictures.requests).toHaveLength(0);
  await administer(app, `/budgets/${id}`, { method: 'PATCH', body: { limit: most } });
  await expect.poll(async () => (await draw()).status).toBe(200);
  // 5 tokens of the prompt and 272 of the picture, however much was set aside.
  await expect.poll(async () => (await stateOf(app, id)).used).toBe(0.010905);
});

describe('alerts of a budget', () => {
  it('tell that it is exceeded when it refuses what would fit into the whole of it, and not of a request that never would', async () => {
    const app = await appWithVendor();
    const hook = await startVendor((reply) => reply.json({}));
    onTestFinished(() => hook.close());
    const url = hook.baseUrl;
    await administer(app, '/webhooks', { body: { url, tenant_id: 'local', events: ['budget.exceeded'] } });
    const { id } = await budgetOn(app, { limit: 0.05, alerts_at: [50, 100] });
    const alerts = async () =>
      (await app.accounts.store.db.selectFrom('budget_alerts').selectAll().orderBy('percent').execute()).map(
        ({ percent, used }) => [percent, used],
      );
    expect((await chat(app, { maxTokens: 4_000 })).status).toBe(402);
    expect([(await chat(app)).status, (await chat(app)).status]).toEqual([200, 200]);
    await expect.poll(alerts, { interval: 250 }).toEqual([[50, 40_000]]);
    expect((await chat(app)).status).toBe(402);
    await expect.poll(alerts, { interval: 250 }).toEqual([
      [50, 40_000],
      [100, 40_000],
    ]);
    await expect
      .poll(() => hook.requests.map(({ json }) => json['data']), { interval: 250 })
      .toMatchObject([{ budget_id: id, percent: 80, used: 0.04, limit: 0.05 }]);
  });
});

describe('a budget of requests', () => {
  it('holds for its model alone, with 429 and its name', async () => {
    const app = await appWithVendor();
    await budgetOn(app, {
      unit: 'requests',
      window: 'day',
      limit: 1,
      scope: { model: 'gpt-4o' },
      label: 'Dear',
    });
    expect((await chat(app)).status).toBe(200);
    const refused = await chat(app);
    expect([refused.status, refused.error.code]).toEqual([429, 'rate_limited']);
    expect(refused.error.message).toMatch(/^The limit of 1 request a day of the budget "Dear" is reached\./);
    expect((await chat(app, { model: 'gpt-4o-mini' })).status).toBe(200);
  });

  it.each([
    ['gpt-4o', 'its name'],
    ['openai/gpt-4o', 'its provider and its name'],
    ['fast', 'an alias'],
    ['faster', 'an alias of an alias'],
    ['house-model', 'another name that the operator has for it'],
  ])('of the model %s holds for all names that lead there: %s', async (scoped) => {
    const app = await appWithVendor();
    await budgetOn(app, { unit: 'requests', limit: 0, scope: { model: scoped } });
    const statuses = [undefined, 'gpt-4o', 'openai/gpt-4o', 'fast', 'faster', 'house-model'].map(
      async (model) => [model, (await chat(app, { model })).status],
    );
    expect(await Promise.all(statuses)).toEqual([
      [undefined, 429],
      ['gpt-4o', 429],
      ['openai/gpt-4o', 429],
      ['fast', 429],
      ['faster', 429],
      ['house-model', 429],
    ]);
    expect((await chat(app, { model: 'gpt-4o-mini' })).status).toBe(200);
  });

  it('of the default model has nothing to do with what asks no model', async () => {
    const app = await appWithVendor();
    await budgetOn(app, { unit: 'requests', limit: 0, scope: { model: 'gpt-4o' } });
    const local = await ask(`${app.url}/v1/ai/summarize`, {
      body: { input: { text: 'One. Two. Three.' }, engine: 'local' },
    });
    expect([local.status, local.error]).toEqual([200, undefined]);
  });

  it('holds for its key alone', async () => {
    const app = await appWithVendor();
    await administer(app, '/tenants', { body: { id: 'acme', plan: 'enterprise' } });
    const keys = await Promise.all(
      [1, 2].map(async () => (await administer(app, '/keys', { body: { tenant_id: 'acme' } })).json),
    );
    const [first, second] = keys.map(({ secret }) => String(secret));
    const { id } = (keys[0] as unknown as { key: { id: string } }).key;
    await budgetOn(app, { tenant_id: 'acme', unit: 'requests', limit: 1, scope: { key_id: id } });
    const by = (key: string | undefined) =>
      ask(`${app.url}/v1/chat`, { key: key ?? null, body: { message: 'Hi' } });
    expect([(await by(first)).status, (await by(first)).status]).toEqual([200, 429]);
    expect([(await by(second)).status, (await by(second)).status]).toEqual([200, 200]);
  });

  it('counts tokens as they were used', async () => {
    const app = await appWithVendor();
    const { id } = await budgetOn(app, { unit: 'tokens', window: 'ever', limit: 2_000 });
    expect((await chat(app)).status).toBe(200);
    await expect.poll(async () => (await stateOf(app, id)).used).toBe(1_100);
    expect((await chat(app, { maxTokens: 1_000 })).status).toBe(429);
    expect((await chat(app)).status).toBe(200);
  });
});

describe('the interface for budgets', () => {
  it('makes, lists, changes and deletes them, and keeps an account of that', async () => {
    const app = await appWithVendor();
    const made = await budgetOn(app, {
      label: 'All',
      limit: 500,
      scope: { tag: { name: 'team', value: 'search' } },
    });
    expect(made).toMatchObject({
      object: 'budget',
      tenant_id: 'local',
      scope: { tag: { name: 'team', value: 'search' } },
      limit: 500,
      kind: 'hard',
      alerts_at: [50, 80, 100],
      state: { used: 0, remaining: 500 },
    });
    expect((await administer(app, '/budgets?tenant_id=local')).json).toMatchObject({
      data: [{ id: made.id }],
    });
    expect((await administer(app, '/budgets?tenant_id=other')).json).toMatchObject({ data: [] });
    const path = `/budgets/${made.id}`;
    const changed = await administer(app, path, {
      method: 'PATCH',
      body: { limit: 0.000001, alerts_at: [90, 10] },
    });
    expect(changed.json).toMatchObject({ limit: 0.000001, alerts_at: [10, 90], label: 'All' });
    expect((await ask(`${app.url}/v1/budgets`)).json).toMatchObject({
      data: [
        { id: made.id, limit: 0.000001, state: { resets_at: expect.stringMatching(/T00:00:00\.000Z$/) } },
      ],
    });
    expect((await administer(app, path, { method: 'DELETE' })).status).toBe(204);
    expect((await administer(app, path)).status).toBe(404);
    const { json } = await administer(app, '/audit');
    const acts = (json as { data: { action: string; target: string }[] }).data.filter(({ target }) =>
      target.startsWith('budget:'),
    );
    expect(acts.map(({ action }) => action)).toEqual(['budget.delete', 'budget.change', 'budget.create']);
  });

  it.each([
    [{ unit: 'requests', window: 'running' }, 400, 'window'],
    [{ unit: 'concurrency', window: 'day' }, 400, 'window'],
    [{ unit: 'requests', limit: 1.5 }, 400, 'limit'],
    [{ limit: 0.0000001 }, 400, 'limit'],
    [{ limit: -1 }, 400, 'limit'],
    [{ scope: { key_id: 'a', tag: { name: 'a', value: 'b' } } }, 400, 'scope.tag'],
    [{ scope: { key_id: 'nope' } }, 400, 'scope.key_id'],
    [{ tenant_id: 'acme', scope: { key_id: 'a'.repeat(12) } }, 400, 'scope.key_id'],
    [{ tenant_id: 'nobody' }, 404, null],
  ])('refuses %j: %i %s', async (fields, status, param) => {
    const app = await appWithVendor();
    await administer(app, '/tenants', { body: { id: 'acme', plan: 'pro' } });
    const body = { tenant_id: 'local', unit: 'money', window: 'month', limit: 1, ...fields };
    const reply = await administer(app, '/budgets', { body });
    expect([reply.status, reply.error.param]).toEqual([status, param]);
    expect((await administer(app, '/budgets')).json).toMatchObject({ data: [] });
  });

  it.each([
    ['of the environment', 'local', 'a'.repeat(12)],
    ['of an issuer of tokens', 'acme', 'jwt_corporate_3pXv-_mKq0Ab'],
  ])('takes the id of a key %s, which is in no table', async (_what, tenant_id, key_id) => {
    const app = await appWithVendor();
    await administer(app, '/tenants', { body: { id: 'acme', plan: 'pro' } });
    await budgetOn(app, { tenant_id, unit: 'requests', limit: 1, scope: { key_id } });
    expect((await administer(app, '/budgets')).json).toMatchObject({ data: [{ scope: { key_id } }] });
  });
});
