import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { findRequest, listRequests } from '../../../../src/tenants/metering/requests.ts';
import { onEveryStore } from '../../../helpers/store.ts';
import { admitted, success, tenantOn, testAccounts } from '../../../helpers/store-accounts.ts';
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
