import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { checkStore } from '../../../src/store/check/check-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { DaySums, interrupted, type Summed } from '../../../src/store/sums/day-sums.ts';
import { writeSums } from '../../../src/store/sums/recount.ts';
import { maxNames, maxValues, others } from '../../../src/store/sums/tag-bounds.ts';
import { uncounted } from '../../../src/tenants/metering/settlements.ts';
import { onEveryStore, type StoreTests } from '../../helpers/store.ts';
import { admitted, askFor, success, tenantOn, testAccounts } from '../../helpers/store-accounts.ts';

function request(store: Store, tags: Readonly<Record<string, string>>): Summed {
  return {
    tenant_id: 'acme',
    created_at: store.clock.now(),
    key_id: 'k',
    operation: 'createChat',
    tags: JSON.stringify(tags),
    status: 'succeeded',
    provider: 'openai',
    model: 'gpt-4o',
    ...uncounted,
    usage_source: null,
    cost_micro_usd: null,
  };
}

function write(store: Store, requests: readonly Summed[]): Promise<void> {
  const sums = new DaySums();
  for (const one of requests) sums.add(one);
  return store.db.transaction().execute((db) => writeSums(db, sums));
}

/** Requests by the values of a tag. */
async function counted({ db }: Store, tag: string): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('usage_tag_days')
    .select(['value', sql<number>`cast(sum(requests) as bigint)`.as('requests')])
    .where('tenant_id', '=', 'acme')
    .where('tag', '=', tag)
    .groupBy('value')
    .execute();
  return new Map(rows.map(({ value, requests }) => [value, Number(requests)]));
}

async function acme(on: StoreTests) {
  const accounts = await testAccounts(on);
  await tenantOn(accounts, 'acme', 'enterprise');
  return accounts;
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => index);

onEveryStore('the sums of tags', (on) => {
  it('tell a thousand values of a name apart, and those of budgets; all others are one', async () => {
    const accounts = await acme(on);
    const { store } = accounts;
    await write(
      store,
      numbered(maxValues + 5).map((n) => request(store, { customer: `c${n}` })),
    );
    const before = await counted(store, 'customer');
    expect(before.size).toBe(maxValues + 1);
    expect(before.get(others)).toBe(5);
    expect(before.get('c5')).toBe(1);

    await accounts.budgets.create(
      {
        tenantId: 'acme',
        label: '',
        scope: { keyId: null, tag: { name: 'customer', value: 'important' }, model: null },
        unit: 'requests',
        window: 'month',
        limit: 1_000,
        hard: false,
        alertsAt: [],
      },
      'test',
    );
    const ask = askFor(accounts, 'acme', accounts.plans.enterprise);
    for (const customer of ['c5', 'new', 'important', 'newer', 'new']) {
      await admitted(await ask({ tags: { customer, team: 'a' } })).settle(success);
      await store.ledger.sum(store.clock.now());
    }
    const after = await counted(store, 'customer');
    expect(after.size).toBe(maxValues + 2);
    expect([after.get('c5'), after.get('important'), after.get(others)]).toEqual([2, 1, 8]);
    expect(await counted(store, 'team')).toEqual(new Map([['a', 5]]));
  });

  it('tell a hundred names apart; all others are one', async () => {
    const { store } = await acme(on);
    const names = numbered(maxNames + 7);
    await write(
      store,
      names.map((n) => request(store, { [`name${n}`]: 'x' })),
    );
    await write(store, [request(store, { unheard: 'x', name0: 'y' })]);
    const told = await store.db.selectFrom('usage_tag_days').select('tag').distinct().execute();
    expect(told).toHaveLength(maxNames + 1);
    expect(await counted(store, others)).toEqual(new Map([[others, 8]]));
    const sizes = await Promise.all(names.map(async (n) => (await counted(store, `name${n}`)).get('x') ?? 0));
    expect(sizes.reduce((sum, one) => sum + one)).toBe(maxNames);
  });

  it('take back what was counted as interrupted from where it was counted', async () => {
    const { store } = await acme(on);
    await write(
      store,
      numbered(maxValues).map((n) => request(store, { customer: `c${n}` })),
    );
    const late = request(store, { customer: 'late' });
    await write(store, [interrupted(late)]);
    expect((await counted(store, 'customer')).get(others)).toBe(1);
    const sums = new DaySums();
    sums.add(late);
    sums.takeBack(late);
    await store.db.transaction().execute((db) => writeSums(db, sums));
    const rows = await store.db
      .selectFrom('usage_tag_days')
      .select(['model', 'requests', 'succeeded', 'interrupted'])
      .where('value', '=', others)
      .orderBy('model')
      .execute();
    expect(rows).toEqual([
      { model: '', requests: 0, succeeded: 0, interrupted: 0 },
      { model: 'gpt-4o', requests: 1, succeeded: 1, interrupted: 0 },
    ]);
    const broken = (await checkStore(store)).map(({ rule }) => rule);
    expect(broken).not.toContain('usage_tag_days_add_up');
  });

  it('are not held up by another tenant or another day', async () => {
    const accounts = await acme(on);
    const { store } = accounts;
    await write(
      store,
      numbered(maxValues).map((n) => request(store, { customer: `c${n}` })),
    );
    const tomorrow = { ...request(store, { customer: 'new' }), created_at: store.clock.now() + 86_400_000 };
    await write(store, [tomorrow, { ...request(store, { customer: 'new' }), tenant_id: 'other' }]);
    const found = await store.db
      .selectFrom('usage_tag_days')
      .select(['tenant_id', 'requests'])
      .where('value', '=', 'new')
      .orderBy('tenant_id')
      .execute();
    expect(found).toEqual([
      { tenant_id: 'acme', requests: 1 },
      { tenant_id: 'other', requests: 1 },
    ]);
  });
});
