import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { PriceBook } from '../../../../src/model/usage.ts';
import { sweepLedger } from '../../../../src/tenants/metering/ledger-retention.ts';
import { checkPrices, keepPrices, priceOfIn } from '../../../../src/tenants/metering/price-book.ts';
import { findRequest, listRequests } from '../../../../src/tenants/metering/requests.ts';
import { usageByDay } from '../../../../src/tenants/metering/usage.ts';
import { onEveryStore } from '../../../helpers/store.ts';
import { admitted, ledgerRows, success, tenantOn, testAccounts } from '../../../helpers/store-accounts.ts';
import { TestClock } from '../../../helpers/test-database.ts';

const dayMs = 86_400_000;

onEveryStore('the requests of a tenant', (on) => {
  async function used() {
    const clock = new TestClock('2026-03-01T12:00:00Z');
    const accounts = await testAccounts(on, { clock });
    const ask = await tenantOn(accounts, 'acme', 'enterprise');
    const { db } = accounts.store;
    // As the version before has left them, at a time at which this one writes as well.
    for (const seq of [1, 2]) {
      await sql`insert into ledger (tenant_id, created_at, seq, id, request_id, key_id, operation, instance_id, status,
          queue_ms, http_status, settled_at)
        values ('acme', ${clock.time + seq}, ${seq}, ${`00${seq}`}, ${`older_${seq}`}, 'k', 'createChat', 'gone', 'failed',
          0, 502, ${clock.time + 9})`.execute(db);
    }
    for (const requestId of ['a', 'b', 'c', 'd']) {
      await admitted(await ask({ requestId, tags: { team: 'one' } })).settle(success);
      if (requestId === 'b') clock.time += 40 * dayMs;
    }
    return { store: accounts.store, clock, running: admitted(await ask({ requestId: 'e' })) };
  }

  it('are listed latest first, in pages, with those of the version before', async () => {
    const { store } = await used();
    const seen: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await listRequests(store, 'acme', { limit: 2, cursor: cursor ?? null });
      seen.push(...page.items.map(({ requestId, status }) => `${requestId} ${status}`));
      cursor = page.nextCursor;
    }
    expect(seen).toEqual([
      'e running',
      'd succeeded',
      'c succeeded',
      'older_2 failed',
      'older_1 failed',
      'b succeeded',
      'a succeeded',
    ]);
  });

  it('are found by their ids, however old', async () => {
    const { store } = await used();
    for (const requestId of ['a', 'd', 'older_1']) {
      expect(await findRequest(store, 'acme', requestId)).toMatchObject({ requestId });
    }
    expect(await findRequest(store, 'acme', 'none')).toBe(null);
    expect(await findRequest(store, 'other', 'a')).toBe(null);
  });

  it('are not listed by a cursor of the version before, which is told so', async () => {
    const { store, clock } = await used();
    const cursor = Buffer.from(JSON.stringify([clock.time, 3])).toString('base64url');
    await expect(listRequests(store, 'acme', { cursor })).rejects.toMatchObject({
      reason: 'invalid',
      message: 'The cursor is not one that this list has given.',
    });
  });

  it('keep their tags, by which they are summed', async () => {
    const { store, clock } = await used();
    const begun = await store.db.selectFrom('admitted').select('tags').orderBy('id').execute();
    expect(begun.map(({ tags }) => tags)).toEqual([...Array(4).fill('{"team":"one"}'), null]);
    await store.ledger.sum(clock.time);
    const sums = await store.db
      .selectFrom('usage_tag_days')
      .select(['tag', 'value', 'model', 'requests', 'prompt_tokens'])
      .orderBy('day')
      .execute();
    const each = { tag: 'team', value: 'one', model: 'gpt-4o', requests: 2, prompt_tokens: 200 };
    expect(sums).toEqual([each, each]);
  });
});

describe('the retention of the ledger', () => {
  const never = new AbortController().signal;

  onEveryStore('rows of the ledger that are too old', (on) => {
    it('are deleted in batches, without those that run, and the sums of their days stay', async () => {
      const clock = new TestClock('2026-03-01T23:59:59.999Z');
      const accounts = await testAccounts(on, { clock });
      const [acme, other] = [
        await tenantOn(accounts, 'acme', 'enterprise'),
        await tenantOn(accounts, 'other', 'enterprise'),
      ];
      const old = await Promise.all(Array.from({ length: 450 }, () => acme()));
      await Promise.all(old.map((result) => admitted(result).settle(success)));
      await admitted(await other()).settle(success);
      const running = admitted(await acme({ requestId: 'running' }));
      clock.set('2026-03-02T00:00:00.000Z');
      await admitted(await acme({ requestId: 'young' })).settle(success);

      clock.set('2026-03-08T23:59:59.999Z');
      expect(await sweepLedger(accounts.store, 7, never)).toBe(0);
      clock.set('2026-03-09T00:00:00.000Z');
      expect(await sweepLedger(accounts.store, 7, never)).toBe(451);
      const left = await ledgerRows(accounts, 'acme');
      expect(left.map(({ request_id }) => request_id).sort()).toEqual(['running', 'young']);
      expect(await ledgerRows(accounts, 'other')).toEqual([]);
      const days = await usageByDay(accounts.store, 'acme', { from: '2026-03-01', to: '2026-03-02' });
      expect(days.map(({ day, requests }) => [day, requests])).toEqual([
        ['2026-03-01', 450],
        ['2026-03-02', 1],
      ]);
      await running.settle(success);
      expect(await sweepLedger(accounts.store, 7, never)).toBe(1);
    });

    it('stay when the sweep is stopped', async () => {
      const clock = new TestClock();
      const accounts = await testAccounts(on, { clock });
      await admitted(await (await tenantOn(accounts, 'acme', 'enterprise'))()).settle(success);
      clock.time += 30 * 86_400_000;
      expect(await sweepLedger(accounts.store, 7, AbortSignal.abort())).toBe(0);
      expect(await ledgerRows(accounts, 'acme')).toHaveLength(1);
    });
  });

  describe('the prices that are kept', () => {
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
  });
});
