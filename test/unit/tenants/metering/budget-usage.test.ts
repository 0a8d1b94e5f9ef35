import { describe, expect, it, vi } from 'vitest';
import { dayMs } from '../../../../src/lib/utc.ts';
import type { Budget, NewBudget } from '../../../../src/tenants/accounts/budgets.ts';
import { bucketOf, needOf } from '../../../../src/tenants/metering/budget-needs.ts';
import { BudgetReports } from '../../../../src/tenants/metering/budget-reports.ts';
import { BudgetStatuses, budgetSeeds, usedSince } from '../../../../src/tenants/metering/budget-usage.ts';
import { onEveryStore, type StoreTests } from '../../../helpers/store.ts';
import { admitted, success, tenantOn, testAccounts } from '../../../helpers/store-accounts.ts';

/** The seeds of a budget: what was used by the ledger before there was a count. */

const june = Date.UTC(2026, 5, 1);
const all = { keyId: null, tag: null, model: null };
const search = { name: 'team', value: 'search' };

/** The name of a token, and so of another key. */
const other = 'jwt_tests_000000000000';

/** Names of two models, of which one is the default. */
const canonicalOf = (name: string | null) =>
  ({ 'gpt-4o': 'openai/gpt-4o', fast: 'openai/gpt-4o', mini: 'openai/gpt-4o-mini' })[name ?? 'gpt-4o'] ??
  null;

const plain: NewBudget = {
  tenantId: 'acme',
  label: '',
  scope: all,
  unit: 'requests',
  window: 'month',
  limit: 100,
  hard: true,
  alertsAt: [],
};
const budgetOf = (fields: Partial<Budget>): Budget => ({ id: 'bgt_1', createdAt: 0, ...plain, ...fields });

/**
 * Requests of a tenant: one in May, one on the first and three on the third of June, of which one has no tag; and one that runs.
 * Each of the others uses 120 tokens for 400 millionths of a dollar.
 */
async function usedOn(on: StoreTests) {
  const clock = { time: june - dayMs };
  const accounts = await testAccounts(on, { clock: { now: () => clock.time } });
  const ask = await tenantOn(accounts, 'acme', 'enterprise');
  const other = await tenantOn(accounts, 'globex', 'enterprise');
  const made = [
    { day: -1, model: 'gpt-4o', tags: { team: 'search' } },
    { day: 0, model: 'fast', tags: { team: 'search', quoted: 'a "team":"ads" b' } },
    { day: 2, model: null, tags: { team: 'search' } },
    { day: 2, model: 'fast', tags: { team: 'ads' } },
    { day: 2, model: 'mini', tags: undefined },
  ];
  for (const [n, { day, model, tags }] of made.entries()) {
    clock.time = june + day * dayMs + n * 1000;
    const served = model === 'mini' ? { ...success, model: 'gpt-4o-mini', costMicroUsd: 7 } : success;
    await admitted(await ask({ model, ...(tags && { tags }) })).settle(served);
    await admitted(await other({ tags: { team: 'search' } })).settle(success);
  }
  clock.time += 1000;
  const running = admitted(await ask({ model: 'fast', tags: { team: 'search' } }));
  await accounts.admissions.flush();
  const used = async (fields: Partial<Budget>, since: number) =>
    (await usedSince(accounts.store, [{ budget: budgetOf(fields), since }], canonicalOf))[0];
  return { clock, accounts, running, used };
}

onEveryStore('what was used of a budget', (on) => {
  it.each(['with sums', 'before there are any'])('is told by its scope and unit, %s', async (sums) => {
    const { accounts, used, clock } = await usedOn(on);
    if (sums === 'with sums') await accounts.store.ledger.sum(clock.time);
    const of = async (fields: Partial<Budget>) => [
      await used({ ...fields, window: 'day' }, june + 2 * dayMs),
      await used(fields, june),
      await used({ ...fields, window: 'ever' }, 0),
    ];
    expect(await of({})).toEqual([4, 5, 6]);
    expect(await of({ unit: 'tokens' })).toEqual([360, 480, 600]);
    expect(await of({ unit: 'money' })).toEqual([807, 1207, 1607]);
    expect(await of({ scope: { ...all, tag: search } })).toEqual([2, 3, 4]);
    expect(await of({ unit: 'tokens', scope: { ...all, tag: search } })).toEqual([120, 240, 360]);
    expect(await of({ unit: 'money', scope: { ...all, tag: { ...search, value: 'ads' } } })).toEqual([
      400, 400, 400,
    ]);
    expect(await of({ scope: { ...all, tag: { ...search, value: 'none' } } })).toEqual([0, 0, 0]);
    for (const model of ['gpt-4o', 'fast']) {
      expect(await of({ scope: { ...all, model } })).toEqual([3, 4, 5]);
      expect(await of({ unit: 'money', scope: { ...all, model } })).toEqual([800, 1200, 1600]);
      expect(await of({ scope: { ...all, model, tag: search } })).toEqual([2, 3, 4]);
    }
    expect(await of({ unit: 'money', scope: { ...all, model: 'mini' } })).toEqual([7, 7, 7]);
    expect(await of({ scope: { ...all, model: 'mini', tag: search } })).toEqual([0, 0, 0]);
    expect(await of({ scope: { ...all, keyId: 'testkey00000' } })).toEqual([4, 5, 6]);
    expect(await of({ scope: { ...all, keyId: 'another' } })).toEqual([0, 0, 0]);
  });

  it('is told of a minute by the same rules', async () => {
    const { used, clock } = await usedOn(on);
    const of = (scope: Partial<Budget['scope']>) =>
      used({ window: 'minute', scope: { ...all, ...scope } }, clock.time - 59_999);
    expect(await of({})).toBe(4);
    expect(await of({ tag: search })).toBe(2);
    expect(await of({ tag: search, model: 'gpt-4o' })).toBe(2);
    expect(await of({ model: 'mini' })).toBe(1);
  });

  it('is still known where the ledger has been emptied, as the sums stay', async () => {
    const { accounts, used, clock, running } = await usedOn(on);
    await running.settle(success);
    await accounts.admissions.flush();
    await accounts.store.ledger.sum(clock.time);
    await accounts.store.db.deleteFrom('settled').execute();
    await accounts.store.db.deleteFrom('admitted').execute();
    expect(await used({ unit: 'money', window: 'ever', scope: { ...all, tag: search } }, 0)).toBe(1600);
    expect(await used({ unit: 'tokens', window: 'ever', scope: { ...all, model: 'fast' } }, 0)).toBe(600);
  });

  it('is asked for in one statement for many budgets', async () => {
    const { accounts } = await usedOn(on);
    const scopes = [all, { ...all, tag: search }, { ...all, model: 'mini' }, { ...all, keyId: other }];
    const windows = ['month', 'minute', 'ever'] as const;
    const budgets: Budget[] = [];
    for (const scope of scopes)
      for (const window of windows)
        budgets.push(await accounts.budgets.create(budgetOf({ scope, window }), 'test'));
    const { db } = accounts.store;
    const asked = vi.spyOn(db.getExecutor(), 'executeQuery');
    const seeds = await budgetSeeds(accounts.store, canonicalOf)(budgets.map((budget) => needOf(budget, 1)));
    expect(asked.mock.calls.filter(([{ sql }]) => sql.includes('admitted'))).toHaveLength(1);
    expect(seeds.map(({ used }) => used)).toEqual([5, 4, 6, 3, 2, 4, 1, 1, 1, 0, 0, 0]);
    expect(seeds.map(({ bucketId }) => bucketId)).toEqual(budgets.map((budget) => bucketOf(budget).id));
    asked.mockRestore();
  });

  it('is what a bucket begins with', async () => {
    const { accounts } = await usedOn(on);
    const budget = await accounts.budgets.create(budgetOf({ scope: { ...all, tag: search } }), 'test');
    const seeds = await budgetSeeds(accounts.store, canonicalOf)([needOf(budget, 1)]);
    expect(seeds).toEqual([{ bucketId: bucketOf(budget).id, window: 'month', entries: [], used: 3 }]);
  });
});

/** What people see of budgets: how much was used by the end of each day, and the alerts. */
describe('reports', () => {
  const june = Date.UTC(2026, 5, 1);
  const all = { keyId: null, tag: null, model: null };

  const canonical: Readonly<Record<string, string>> = { 'gpt-4o': 'openai/gpt-4o', fast: 'openai/gpt-4o' };

  /** Three days of June with requests: one, none, two; and the last of May with another. */
  async function juneOn(on: StoreTests) {
    const clock = { time: june - 1000 };
    const accounts = await testAccounts(on, { clock: { now: () => clock.time } });
    const { store, admissions, budgets } = accounts;
    const [ask, other] = [
      await tenantOn(accounts, 'acme', 'enterprise'),
      await tenantOn(accounts, 'globex', 'enterprise'),
    ];
    const days = [-1, 0, 2, 2];
    for (const [n, day] of days.entries()) {
      clock.time = june + day * dayMs + 1000 * n + 1000;
      await admitted(await ask({ tags: { team: n === 3 ? 'ads' : 'search' } })).settle(success);
      await admitted(await other()).settle(success);
    }
    await admissions.flush();
    const { key } = await accounts.storedKeys.create({ tenantId: 'acme' }, 'test');
    await store.db.updateTable('keys').set({ id: 'testkey00000' }).where('id', '=', key.id).execute();
    const reports = new BudgetReports({
      store,
      standings: new BudgetStatuses(admissions, store.clock),
      canonicalOf: (name) => canonical[name ?? ''] ?? name,
    });
    const budgetOf = (fields: Partial<NewBudget>) => budgets.create({ ...plain, ...fields }, 'test');
    return {
      store,
      reports,
      burnt: async (fields: Partial<NewBudget>) => reports.burnDown(await budgetOf(fields)),
    };
  }

  onEveryStore('what people see of budgets', (on) => {
    it('is what a month has used by the end of each day, in the unit and of the scope of the budget', async () => {
      const { burnt } = await juneOn(on);
      expect(await burnt({})).toEqual({ from: june, to: Date.UTC(2026, 6, 1), days: 30, used: [1, 1, 3] });
      expect((await burnt({ unit: 'tokens' }))?.used).toEqual([120, 120, 360]);
      expect((await burnt({ unit: 'money' }))?.used).toEqual([400, 400, 1200]);
      const tag = { name: 'team', value: 'search' };
      expect((await burnt({ scope: { ...all, tag } }))?.used).toEqual([1, 1, 2]);
      expect((await burnt({ scope: { ...all, tag: { ...tag, value: 'none' } } }))?.used).toEqual([0, 0, 0]);
      expect((await burnt({ scope: { ...all, keyId: 'testkey00000' } }))?.used).toEqual([1, 1, 3]);
      expect((await burnt({ scope: { ...all, keyId: other } }))?.used).toEqual([0, 0, 0]);
    });

    it('is of the model that answered, by whatever name the budget has it', async () => {
      const { burnt } = await juneOn(on);
      for (const model of ['gpt-4o', 'fast', 'openai/gpt-4o'])
        expect((await burnt({ unit: 'tokens', scope: { ...all, model } }))?.used).toEqual([120, 120, 360]);
      const tag = { name: 'team', value: 'search' };
      expect((await burnt({ scope: { ...all, tag, model: 'fast' } }))?.used).toEqual([1, 1, 2]);
      for (const model of ['gpt-4o-mini', 'groq/gpt-4o'])
        expect((await burnt({ scope: { ...all, model } }))?.used).toEqual([0, 0, 0]);
    });

    it('is for a day what each of the last 30 days has used', async () => {
      const { burnt } = await juneOn(on);
      const before = Array.from({ length: 26 }, () => 0);
      expect(await burnt({ window: 'day' })).toEqual({
        from: june - 27 * dayMs,
        to: june + 3 * dayMs,
        days: 30,
        used: [...before, 1, 1, 0, 2],
      });
      const scope = { ...all, model: 'fast' };
      expect((await burnt({ window: 'day', unit: 'money', scope }))?.used).toEqual([
        ...before,
        400,
        400,
        0,
        800,
      ]);
    });

    it('is no such thing for what has no days', async () => {
      const { burnt } = await juneOn(on);
      expect(await burnt({ window: 'minute' })).toBeNull();
      expect(await burnt({ window: 'ever' })).toBeNull();
      expect(await burnt({ unit: 'concurrency', window: 'running' })).toBeNull();
    });

    it('is what was told of the budget, the latest first', async () => {
      const { store, reports } = await juneOn(on);
      const alert = { budget_id: 'bgt_1', period: june, tenant_id: 'acme', most: 100 };
      await store.db
        .insertInto('budget_alerts')
        .values([
          { ...alert, percent: 50, used: 51, at: june + 1 },
          { ...alert, percent: 80, used: 85, at: june + 2 },
          { ...alert, budget_id: 'bgt_2', percent: 100, used: 100, at: june + 3 },
        ])
        .execute();
      expect(await reports.alerts('bgt_1')).toEqual([
        { percent: 80, used: 85, limit: 100, at: june + 2 },
        { percent: 50, used: 51, limit: 100, at: june + 1 },
      ]);
    });
  });
});
