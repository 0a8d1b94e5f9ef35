import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PriceBook } from '../../src/model/usage.ts';
import { checkPrices } from '../../src/tenants/metering/price-book.ts';
import { appForThisTest, startApp, type TestApp, testAdminPassword } from '../helpers/app.ts';
import { ask, readCsv } from '../helpers/http.ts';
import { anthropicFixture, openAiFixture } from '../helpers/vendor-fixtures.ts';
import { providerOf, vendorFor } from '../helpers/vendor-gateway.ts';

/** What each class of tokens comes to, from the vendor's reply to the reports of the tenant and the operator. */
describe('classes of tokens', () => {
  const usage = {
    input_tokens: 100,
    cache_read_input_tokens: 1000,
    cache_creation_input_tokens: 230,
    cache_creation: { ephemeral_5m_input_tokens: 200, ephemeral_1h_input_tokens: 30 },
    output_tokens: 50,
  };
  const price = { prompt: 3, completion: 15, cachedPrompt: 0.3, cacheWrite5m: 3.75, cacheWrite1h: 6 };
  const cost = (100 * 3 + 1000 * 0.3 + 200 * 3.75 + 30 * 6 + 50 * 15) / 1e6;
  const counted = {
    prompt_tokens: 1330,
    completion_tokens: 50,
    total_tokens: 1380,
    prompt_tokens_details: {
      cached_tokens: 1000,
      cache_write_5m_tokens: 200,
      cache_write_1h_tokens: 30,
    },
    completion_tokens_details: { reasoning_tokens: 0 },
    source: 'provider',
  };

  async function behindAnthropic(): Promise<TestApp> {
    const vendor = await vendorFor(({ json }) => json({ ...anthropicFixture.reply, usage }));
    return appForThisTest({
      models: { providers: [providerOf('anthropic', vendor.baseUrl)] },
      prices: { 'anthropic/claude-sonnet-4-6': price },
    });
  }

  const model = 'claude-sonnet-4-6';
  const messages = [{ role: 'user', content: 'Hi' }];
  const requests = {
    '/v1/chat': { model, message: 'Hi' },
    '/v1/messages': { model, messages, max_tokens: 9 },
    '/v1/chat/completions': { model, messages },
  };

  it.each(Object.entries(requests))(
    '%s keeps and prices what was written to the cache',
    async (path, body) => {
      const app = await behindAnthropic();
      const { json, status, headers } = await ask(app.url + path, { body });
      expect(status).toBe(200);
      if (path === '/v1/chat') expect(json.usage).toEqual(counted);
      const record = (await ask(`${app.url}/v1/requests/${headers['x-request-id']}`)).json;
      expect(record).toMatchObject({ usage: counted, cost_usd: cost, warnings: [] });
      const report = (await ask(`${app.url}/v1/usage`)).json;
      const sums = {
        cached_tokens: 1000,
        cache_write_5m_tokens: 200,
        cache_write_1h_tokens: 30,
        cost_usd: cost,
      };
      expect(report.total).toMatchObject(sums);
      expect(report.total).not.toHaveProperty('audio_prompt_tokens');
      expect(report.days).toMatchObject([sums]);
      const { text } = await ask(`${app.url}/metrics`, { key: null });
      for (const [kind, tokens] of Object.entries({ prompt: 1330, cache_write_5m: 200, cache_write_1h: 30 }))
        expect(text).toContain(`switchyard_tokens_total{provider="anthropic",kind="${kind}"} ${tokens}\n`);
    },
  );

  it('audio and images of prompt and answer are told apart, and priced', async () => {
    const told = {
      prompt_tokens: 90,
      completion_tokens: 30,
      total_tokens: 120,
      prompt_tokens_details: { cached_tokens: 10, audio_tokens: 20, image_tokens: 40 },
      completion_tokens_details: { reasoning_tokens: 5, audio_tokens: 15 },
    };
    const vendor = await vendorFor(({ json }) => json({ ...openAiFixture.reply, usage: told }));
    const app = await appForThisTest({
      models: { providers: [providerOf('openai', vendor.baseUrl)] },
      prices: {
        'openai/gpt-4o': { prompt: 1, completion: 2, audioPrompt: 32, imagePrompt: 5, audioCompletion: 64 },
      },
    });
    for (const [path, body] of Object.entries({
      '/v1/chat': { model: 'gpt-4o', message: 'Hi' },
      '/v1/chat/completions': { model: 'gpt-4o', messages },
    })) {
      const { headers } = await ask(app.url + path, { body });
      const record = (await ask(`${app.url}/v1/requests/${headers['x-request-id']}`)).json;
      expect(record.usage).toEqual({ ...told, source: 'provider' });
      expect(record.cost_usd).toBe((30 + 20 * 32 + 40 * 5 + 15 * 2 + 15 * 64) / 1e6);
    }
    expect((await ask(`${app.url}/v1/usage`)).json.total).toMatchObject({
      audio_prompt_tokens: 40,
      image_prompt_tokens: 80,
      audio_completion_tokens: 30,
    });
  });

  it('the record of a request says what was dropped and adapted, on every interface', async () => {
    const app = await behindAnthropic();
    const chat = await ask(`${app.url}/v1/chat`, { body: { model, message: 'Hi', temperature: 2 } });
    const ofChat = (await ask(`${app.url}/v1/requests/${chat.headers['x-request-id']}`)).json;
    expect(chat.json.warnings).not.toEqual([]);
    expect(ofChat.warnings).toEqual(
      chat.json.warnings.map(({ code, param }: Record<string, unknown>) => ({ code, param })),
    );
    const translated = await ask(`${app.url}/v1/chat/completions`, {
      body: { model, messages, metadata: { a: 'b' }, unheard_of: 1 },
    });
    const ofTranslated = (await ask(`${app.url}/v1/requests/${translated.headers['x-request-id']}`)).json;
    expect(ofTranslated.warnings).toContainEqual({ code: 'unknown_field_dropped', param: 'unheard_of' });
  });
});

describe('versions of prices', () => {
  const usage = { prompt_tokens: 300_000, completion_tokens: 10, total_tokens: 300_010 };
  const prices: PriceBook = {
    'openai/gpt-5.5': {
      prompt: 100,
      completion: 100,
      changes: [
        {
          from: Date.UTC(2020, 0, 1),
          price: { prompt: 2, completion: 12, tiers: [{ above: 200_000, prompt: 4, completion: 18 }] },
        },
        { from: Date.UTC(2120, 0, 1), price: { prompt: 500, completion: 500 } },
      ],
    },
  };

  it('a request keeps the price that it was reckoned at, from which its cost can be reckoned again', async () => {
    const vendor = await vendorFor(({ json }) => json({ ...openAiFixture.reply, usage }));
    const app = await appForThisTest({
      models: { providers: [providerOf('openai', vendor.baseUrl)] },
      prices,
    });
    const body = { model: 'gpt-5.5', message: 'Hi' };
    const { status, headers } = await ask(`${app.url}/v1/chat`, { body });
    expect(status).toBe(200);
    const { json } = await ask(`${app.url}/v1/requests/${headers['x-request-id']}`);
    expect(json.cost_usd).toBe((300_000 * 4 + 10 * 18) / 1e6);
    expect(json.price_versions).toEqual([expect.stringMatching(/^[0-9a-f]{16}$/)]);

    const { db } = app.accounts.store;
    const kept = await db.selectFrom('prices').selectAll().execute();
    expect(kept).toHaveLength(3);
    const price = kept.find(({ id }) => id === json.price_versions[0]);
    expect(price).toMatchObject({ provider: 'openai', model: 'gpt-5.5' });
    expect(JSON.parse(price?.rates ?? '')).toEqual(prices['openai/gpt-5.5']?.changes?.[0]?.price);
    expect(await checkPrices(app.accounts.store)).toEqual([]);

    await db.updateTable('settled').set({ cost_micro_usd: 1_200_181 }).execute();
    expect(await checkPrices(app.accounts.store)).toMatchObject([
      { rule: 'ledger_costs_are_price_times_tokens', count: 1 },
    ]);
    await db.deleteFrom('prices').where('id', '=', json.price_versions[0]).execute();
    expect(await checkPrices(app.accounts.store)).toMatchObject([
      { rule: 'ledger_names_known_prices', count: 1 },
    ]);
  });

  it('a request without a known price names none', async () => {
    const vendor = await vendorFor(({ json }) => json({ ...openAiFixture.reply, usage }));
    const app = await appForThisTest({ models: { providers: [providerOf('openai', vendor.baseUrl)] } });
    const { headers } = await ask(`${app.url}/v1/chat`, { body: { model: 'gpt-5.5', message: 'Hi' } });
    const { json } = await ask(`${app.url}/v1/requests/${headers['x-request-id']}`);
    expect(json).toMatchObject({ cost_usd: null, price_versions: [] });
  });
});

/** Usage by dimension and its exports, as they come over the wire. */
describe('exports', () => {
  let app: TestApp;
  const keys: Record<string, string> = {};
  beforeAll(async () => {
    app = await startApp();
    for (const id of ['acme', 'globex']) {
      await app.accounts.tenants.create({ id, name: `=${id}`, plan: 'enterprise' }, 'test');
      const { text } = await app.accounts.storedKeys.create({ tenantId: id, label: 'Web, main' }, 'test');
      keys[id] = text;
      for (const team of ['search', 'ads', 'ads']) {
        const headers = { 'x-switchyard-tags': `team=${team}` };
        const reply = await ask(`${app.url}/v1/chat`, {
          key: text,
          headers,
          body: { model: 'sandbox', message: 'Hi' },
        });
        expect(reply.status).toBe(200);
      }
    }
  });
  afterAll(() => app.close());

  const own = (path: string, id = 'acme') => ask(app.url + path, { key: keys[id] ?? '' });
  const admin = (path: string, headers: Record<string, string> = {}) =>
    ask(`${app.url}/api/admin${path}`, { key: testAdminPassword, headers });

  it('tells a tenant its usage by what it asks for, and nothing of others', async () => {
    const { json } = await own('/v1/usage?group_by=tag:team,operation');
    expect(json.group_by).toEqual(['tag:team', 'operation']);
    expect(
      json.groups.map((group: { values: string[]; requests: number }) => [...group.values, group.requests]),
    ).toEqual([
      ['ads', 'createChat', 2],
      ['search', 'createChat', 1],
    ]);
    expect(json.total.requests).toBe(3);
    expect((await own('/v1/usage')).json).not.toHaveProperty('groups');
  });

  it.each(['tenant', 'colour', 'day,day', 'tag:', 'day,model,key'])(
    'refuses to tell a tenant usage by %j',
    async (by) => {
      const reply = await own(`/v1/usage?group_by=${encodeURIComponent(by)}`);
      expect([reply.status, reply.error.code, reply.error.param]).toEqual([
        400,
        'invalid_request',
        'group_by',
      ]);
    },
  );

  it('refuses to read the ledger of more than 31 days', async () => {
    const range = 'from=2026-01-01&to=2026-02-01';
    expect((await own(`/v1/usage?group_by=tag:team&${range}`)).error.message).toContain('at most 31 days');
    expect((await own(`/v1/usage?group_by=provider,key&${range}`)).status).toBe(200);
  });

  it('tells the administrator usage over all tenants', async () => {
    const { json } = await admin('/usage?group_by=tenant,tag:team');
    const found = json.groups.map((group: { values: string[]; requests: number }) => [
      ...group.values,
      group.requests,
    ]);
    expect(found).toEqual([
      ['acme', 'ads', 2],
      ['globex', 'ads', 2],
      ['acme', 'search', 1],
      ['globex', 'search', 1],
    ]);
    expect(json.data).toEqual([]);
  });

  it('exports a tenant’s usage as a file', async () => {
    const { status, headers, text } = await own('/v1/usage/export');
    expect([status, headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(headers['content-disposition']).toMatch(
      /^attachment; filename="usage-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.csv"$/,
    );
    const rows = readCsv(text);
    expect(rows.map(({ tenant_id, tags, requests }) => [tenant_id, tags, requests]).sort()).toEqual([
      ['acme', '{"team":"ads"}', '2'],
      ['acme', '{"team":"search"}', '1'],
    ]);
  });

  it('exports FOCUS of all tenants, and of one, for the administrator', async () => {
    const rows = readCsv((await admin('/usage/export?format=focus')).text);
    expect(rows).toHaveLength(4);
    expect(rows.find((row) => row['BillingAccountId'] === 'acme')).toMatchObject({
      BillingAccountName: "'=acme",
      SubAccountName: 'Web, main',
      ChargeCategory: 'Usage',
      ProviderName: 'Switchyard',
      PublisherName: 'sandbox',
      ConsumedUnit: 'Tokens',
      Tags: expect.stringMatching(/^\{"team":"(ads|search)"\}$/),
    });
    expect(readCsv((await admin('/usage/export?format=focus&tenant_id=globex')).text)).toHaveLength(2);
    expect((await admin('/usage/export?tenant_id=nobody')).status).toBe(404);
    expect((await ask(`${app.url}/api/admin/usage/export`, { key: keys['acme'] ?? '' })).status).toBe(401);
  });

  it('exports from the dashboard to whoever is signed in', async () => {
    const { token } = await app.accounts.sessions.begin('acme');
    const get = (cookie: string) =>
      ask(`${app.url}/dashboard/usage.csv?format=focus`, { key: null, headers: { cookie }, direct: true });
    expect(readCsv((await get(`switchyard_tenant=${token}`)).text)).toHaveLength(2);
    const nobody = await get('');
    expect([nobody.status, nobody.headers['location']]).toEqual([303, '/dashboard']);
  });
});
