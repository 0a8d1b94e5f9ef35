/** What people see of budgets: by the end of which day how much was used, and what was told. */
import { expect, it } from 'vitest';
import { dayMs } from '../../../../src/lib/utc.ts';
import type { NewBudget } from '../../../../src/tenants/accounts/budgets.ts';
import { BudgetReports } from '../../../../src/tenants/metering/budget-reports.ts';
import { BudgetStandings } from '../../../../src/tenants/metering/budget-usage.ts';
import { onEveryStore, type StoreTests } from '../../../helpers/store.ts';
import { admitted, success, tenantOn, testAccounts } from '../../../helpers/store-accounts.ts';

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
  const reports = new BudgetReports({
    store,
    standings: new BudgetStandings(admissions, store.clock),
    canonicalOf: (name) => canonical[name ?? ''] ?? name,
  });
  const budgetOf = (fields: Partial<NewBudget>) =>
    budgets.create(
      {
        tenantId: 'acme',
        label: '',
        scope: all,
        unit: 'requests',
        window: 'month',
        limit: 100,
        hard: true,
        alertsAt: [],
        ...fields,
      },
      'test',
    );
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
    expect((await burnt({ scope: { ...all, keyId: 'another' } }))?.used).toEqual([0, 0, 0]);
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
