import { expect, it } from 'vitest';
import type { PriceBook } from '../../src/model/prices.ts';
import { checkPrices } from '../../src/tenants/metering/check-prices.ts';
import { appForThisTest } from '../helpers/app.ts';
import { ask } from '../helpers/http.ts';
import { openAiFixture } from '../helpers/vendor-fixtures.ts';
import { providerOf, vendorFor } from '../helpers/vendor-gateway.ts';

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
  const app = await appForThisTest({ models: { providers: [providerOf('openai', vendor.baseUrl)] }, prices });
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
