import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../../../src/contract/errors.ts';
import type { Bucket, Need } from '../../../../src/limits/authority.ts';
import type { Ticket } from '../../../../src/tenants/metering/admission.ts';
import { type TagSources, tagsOf } from '../../../../src/tenants/metering/demand.ts';
import { onEveryStore } from '../../../helpers/store.ts';
import {
  admitted,
  askFor,
  rejected,
  success,
  tenantOn,
  testAccounts,
} from '../../../helpers/store-accounts.ts';
import { TestClock } from '../../../helpers/test-database.ts';

/** What a request needs beside what its plan demands: limits of its key, and budgets. */

const ofKey: Bucket = { id: 'acme/keys/k/requests/minute', window: 'minute', limit: 2 };
const requests: Need = { bucket: ofKey, amount: 1, unit: 'requests', name: 'key_minute', hard: true };
const ofMonth: Bucket = { id: 'acme/budgets/b/micro_usd', window: 'month', limit: 1_000 };
const money = (amount: number, hard = true): Need => ({
  bucket: hard ? ofMonth : { ...ofMonth, limit: null },
  amount,
  unit: 'micro_usd',
  name: 'budget',
  hard,
});

onEveryStore('needs beside the plan', (on) => {
  it('are met together with it or not at all', async () => {
    const accounts = await testAccounts(on, { clock: new TestClock() });
    const ask = await tenantOn(accounts, 'acme', 'free');
    for (const left of [9, 8])
      expect(admitted(await ask({ needs: [requests] })).state[0]).toMatchObject({ remaining: left });
    expect(rejected(await ask({ needs: [requests] }))).toMatchObject({
      need: { name: 'key_minute', used: 2, resetMs: 60_000 },
      retryAfterMs: 60_000,
      shouldRetry: true,
    });
    // The refused one has used nothing of the plan's.
    expect(admitted(await ask()).state[0]).toMatchObject({ remaining: 7 });
  });

  it('of money are settled by what it has cost, and told with what is spent', async () => {
    const accounts = await testAccounts(on, { clock: new TestClock('2026-03-10T12:00:00Z') });
    const ask = await tenantOn(accounts, 'acme', 'enterprise');
    const first = admitted(await ask({ needs: [money(900)] }));
    const refusal = rejected(await ask({ needs: [money(200)] }));
    expect(refusal).toMatchObject({
      need: {
        bucket: ofMonth,
        unit: 'micro_usd',
        used: 900,
        resetMs: Date.parse('2026-04-01') - Date.parse('2026-03-10T12:00:00Z'),
      },
      // Only a request under way is in the way.
      setAside: 900,
      retryAfterMs: 1_000,
      shouldRetry: true,
    });
    // It has cost 400.
    await first.settle(success);
    const second = admitted(await ask({ needs: [money(600)] }));
    expect(second.standings).toMatchObject([{ used: 1_000 }]);
    // More than was thought is charged all the same.
    await second.settle({ ...success, costMicroUsd: 700 });
    expect(await accounts.admissions.standings([money(0)])).toMatchObject([{ used: 1_100 }]);
    expect(rejected(await ask({ needs: [money(1_001)] })).retryAfterMs).toBeNull();
    const spent = rejected(await ask({ needs: [money(200)] }));
    expect([spent.setAside, spent.shouldRetry, accounts.admissions.setAsideOf(ofMonth.id)]).toEqual([
      undefined,
      false,
      0,
    ]);
  });

  it('that are soft are counted and never refused', async () => {
    const accounts = await testAccounts(on);
    const ask = await tenantOn(accounts, 'acme', 'enterprise');
    for (const used of [800, 1_600])
      expect(admitted(await ask({ needs: [money(800, false)] })).standings).toMatchObject([{ used }]);
  });

  it('begin with what is told of them', async () => {
    const seedsOf = async (needs: readonly Need[]) =>
      needs.map(({ bucket: { id, window } }) => ({ bucketId: id, window, entries: [], used: 950 }));
    const accounts = await testAccounts(on, { seedsOf });
    const ask = await tenantOn(accounts, 'acme', 'enterprise');
    expect(rejected(await ask({ needs: [money(100)] })).need).toMatchObject({ used: 950 });
    admitted(await ask({ needs: [money(50)] }));
  });

  it('are given back by another process that ends the request', async () => {
    const database = await on.database();
    const accounts = await testAccounts(on, {}, database);
    const other = await testAccounts(on, {}, database);
    const overrides = { concurrentRequests: 1, tokensPerMinute: 1_000 };
    const ask = await tenantOn(accounts, 'acme', 'enterprise', overrides);
    const askOther = askFor(other, 'acme', { ...other.plans.enterprise, ...overrides });
    const admission = admitted(await ask({ tokens: 1_000, needs: [money(900)] }));
    const ticket = JSON.parse(JSON.stringify(admission.ticket)) as Ticket;
    accounts.admissions.handOver(admission);
    expect((await askOther({ tokens: 1 })).admitted).toBe(false);
    await other.admissions.takeOver(ticket).settle(success);
    // 120 tokens and 400 millionths were used.
    admitted(await askOther({ tokens: 880, needs: [money(600)] }));
    expect((await ask({ tokens: 1 })).admitted).toBe(false);
  });

  it('of a ticket of an older version are none', async () => {
    const accounts = await testAccounts(on);
    const ask = await tenantOn(accounts, 'acme', 'enterprise', { concurrentRequests: 1 });
    const admission = admitted(await ask());
    const { taken: _, ...old } = admission.ticket;
    accounts.admissions.handOver(admission);
    await accounts.admissions.takeOver(old).settle(success);
    expect((await ask()).admitted).toBe(false);
  });
});

/** Which tags a request has. */
describe('the demand of a request', () => {
  const many = (count: number, prefix = 'm') =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`${prefix}${n}`, String(n)]));

  function refusal(sources: TagSources): ServiceError {
    try {
      tagsOf(sources);
    } catch (error) {
      if (error instanceof ServiceError) return error;
      throw error;
    }
    throw new Error('nothing was refused');
  }

  describe('the tags of a request', () => {
    it('are none, and nothing is made, where nobody has given any', () => {
      expect(tagsOf({ caller: {}, header: null, metadata: undefined })).toBeUndefined();
      expect(tagsOf({ caller: {}, metadata: {} })).toBeUndefined();
    });

    it('are the key’s own, the same object for each, where nobody adds to them', () => {
      const tags = { team: 'search' };
      expect(tagsOf({ caller: { tags }, header: null })).toBe(tags);
    });

    it('come from header, body and key, of which the later goes before the earlier', () => {
      const merged = tagsOf({
        caller: { tags: { team: 'key' } },
        header: 'team=header, env=header, job=header',
        metadata: { team: 'body', env: 'body', run: 'body' },
      });
      expect(merged).toEqual({ team: 'key', env: 'body', job: 'header', run: 'body' });
    });

    it('leave out what a body labels otherwise, as its interface has rules of its own', () => {
      const metadata = { 'a b': '1', long: 'x'.repeat(300), number: 1, nested: {}, good: 'yes' };
      expect(tagsOf({ caller: {}, metadata })).toEqual({ good: 'yes' });
      for (const odd of [[], ['a'], 'text', 7, null]) {
        expect(tagsOf({ caller: {}, metadata: odd }) ?? {}).toEqual(
          Array.isArray(odd) && odd.length ? { 0: 'a' } : {},
        );
      }
    });

    it('take as much of a body as there is room for', () => {
      const tags = tagsOf({ caller: { tags: many(10, 'k') }, header: 'm3=h', metadata: many(16) });
      expect(Object.keys(tags ?? {})).toHaveLength(16);
      expect(tags).toMatchObject({ m3: '3', m0: '0', m4: '4' });
      expect(tags).not.toHaveProperty('m6');
    });

    it('are too many where key and header say more than 16', () => {
      const header = Object.entries(many(10)).map(([name, value]) => `${name}=${value}`);
      const { code, param, message } = refusal({ caller: { tags: many(7, 'k') }, header: header.join() });
      expect([code, param]).toEqual(['invalid_request', 'x-switchyard-tags']);
      expect(message).toContain('not 17');
    });

    it('have to be there where the tenant asks for them, with something in them', () => {
      const requiredTags = ['team', 'env'];
      expect(tagsOf({ caller: { requiredTags, tags: { team: 'a' } }, metadata: { env: 'b' } })).toBeDefined();
      const { code, details, message } = refusal({ caller: { requiredTags }, header: 'team=, env=b' });
      expect([code, details.map((detail) => detail.message)]).toEqual([
        'tag_required',
        ['needs the tag team'],
      ]);
      expect(message).toContain('"team"');
      expect(refusal({ caller: { requiredTags } }).details).toHaveLength(2);
      expect(refusal({ caller: { requiredTags: ['constructor'] } }).code).toBe('tag_required');
    });
  });
});
