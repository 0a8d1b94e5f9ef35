import { expect, it } from 'vitest';
import type { PriceBook } from '../../../../src/model/prices.ts';
import { checkPrices } from '../../../../src/tenants/metering/check-prices.ts';
import { keepPrices, priceOfIn } from '../../../../src/tenants/metering/price-book.ts';
import { findRequest } from '../../../../src/tenants/metering/requests.ts';
import { onEveryStore } from '../../../helpers/store.ts';
import { admitted, success, tenantOn, testAccounts } from '../../../helpers/store-accounts.ts';

const first: PriceBook = { 'openai/gpt-4o': { prompt: 2.5, completion: 10, cachedPrompt: 1.25 } };
const second: PriceBook = { 'openai/gpt-4o': { prompt: 5, completion: 20 } };

onEveryStore('the prices of the ledger', (on) => {
  it('stay with their requests when the configuration names others, and are kept once', async () => {
    const database = await on.database();
    const settings = (prices: PriceBook) => ({ prices, priceOf: priceOfIn(prices, Date.now) });
    const before = await testAccounts(on, settings(first), database);
    const ask = await tenantOn(before, 'acme', 'enterprise');
    await admitted(await ask({ requestId: 'req_a' })).settle(success);
    const use = { provider: 'openai', model: 'gpt-4o', usage: success.usage ?? fail() };
    await admitted(await ask({ requestId: 'req_b' })).settle({ ...success, uses: [use, use] });
    const old = await findRequest(before.store, 'acme', 'req_a');

    const after = await testAccounts(on, settings(second), database);
    await keepPrices(after.store, second);
    const later = await tenantOn(after, 'other', 'enterprise');
    await admitted(await later({ requestId: 'req_c' })).settle(success);
    expect(await findRequest(after.store, 'acme', 'req_a')).toEqual(old);
    const fresh = await findRequest(after.store, 'other', 'req_c');
    expect(fresh?.costMicroUsd).toBe(100 * 5 + 20 * 20);
    expect(fresh?.priceVersions).not.toEqual(old?.priceVersions);
    const both = await findRequest(after.store, 'acme', 'req_b');
    expect(both?.priceVersions).toEqual([...(old?.priceVersions ?? []), ...(old?.priceVersions ?? [])]);

    const kept = await after.store.db.selectFrom('prices').select(['id', 'rates']).execute();
    expect(kept).toHaveLength(2);
    expect(kept.map(({ id }) => id)).toEqual(
      expect.arrayContaining([...(old?.priceVersions ?? []), ...(fresh?.priceVersions ?? [])]),
    );
    expect(await checkPrices(after.store)).toEqual([]);
    await after.store.db
      .updateTable('settled')
      .set({ completion_tokens: 21 })
      .where('id', 'in', (eb) =>
        eb.selectFrom('admitted').select('admitted.id').where('request_id', '=', 'req_c'),
      )
      .execute();
    expect(await checkPrices(after.store)).toMatchObject([
      { rule: 'ledger_costs_are_price_times_tokens', count: 1 },
    ]);
  });
});

function fail(): never {
  throw new Error('there is no usage');
}
