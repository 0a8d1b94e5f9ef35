/** When thresholds of budgets raise alerts, and which. */
import { expect, it, vi } from 'vitest';
import { type Announce, budgetAlerts } from '../../../../src/tenants/metering/budget-alerts.ts';
import type { BudgetStatuses } from '../../../../src/tenants/metering/budget-usage.ts';
import { onSqlite } from '../../../helpers/store.ts';

const midnight = Date.UTC(2026, 5, 2);
const dayMs = 86_400_000;

onSqlite('alerts of budgets', (on) => {
  async function dailyBudget(alertsAt: readonly number[] = [50, 80]) {
    const time = { now: midnight - 5 };
    const store = await on.open(await on.database(), { now: () => time.now });
    const row = { id: 'bgt_1', tenant_id: 'acme', label: '', key_id: null, tag_name: null, tag_value: null };
    const percents = JSON.stringify(alertsAt);
    const limit = { model: null, unit: 'requests', span: 'day', most: 100, hard: 1, alerts_at: percents };
    await store.db
      .insertInto('budgets')
      .values({ ...row, ...limit, created_at: 0 })
      .execute();
    const standing = { used: 0, setAside: 0, after: () => {} };
    const of = vi.fn(async (budgets: readonly unknown[]) => {
      const { used, setAside } = standing;
      standing.after();
      return budgets.map(() => ({ used, setAside, resetsAt: null }));
    });
    const standings = { of } as unknown as BudgetStatuses;
    const announce = vi.fn<Announce>(async () => undefined);
    const touched = new Set(['bgt_1']);
    const refused = new Map<string, number>();
    const takeRefused = () => {
      const taken = new Map(refused);
      refused.clear();
      return taken;
    };
    const made = () => budgetAlerts({ store, standings, takeTouched: () => touched, takeRefused, announce });
    const told = () => announce.mock.calls.map(([, alert]) => alert);
    return { time, store, standing, of, refused, made, alerts: made(), told };
  }

  it('does not tell what a day has used as what the next one has', async () => {
    const { time, standing, alerts, told } = await dailyBudget();
    standing.used = 60;
    standing.after = () => {
      time.now = midnight + 5;
      standing.used = 0;
    };
    await alerts.look();
    expect(told()).toEqual([]);

    // The next day has alerts of its own.
    standing.after = () => {};
    standing.used = 60;
    await alerts.look();
    expect(told().map(({ period, percent }) => [period, percent])).toEqual([[midnight, 50]]);
  });

  it('does not tell of what requests under way have set aside, and tells of it once it is used', async () => {
    const { standing, alerts, told } = await dailyBudget([50, 100]);
    standing.used = 100;
    standing.setAside = 96;
    await alerts.look();
    expect(told()).toEqual([]);
    standing.setAside = 0;
    await alerts.look();
    expect(told().map(({ percent, used }) => [percent, used])).toEqual([
      [50, 100],
      [100, 100],
    ]);
  });

  it('asks for no transaction for what is told already', async () => {
    const { time, store, standing, alerts, told } = await dailyBudget();
    standing.used = 90;
    await alerts.look();
    const transaction = vi.spyOn(store.db, 'transaction');
    await alerts.look();
    await alerts.lookAtAll();
    expect(transaction).not.toHaveBeenCalled();
    expect(told().map(({ percent }) => percent)).toEqual([50, 80]);

    time.now += dayMs;
    await alerts.look();
    expect(told().map(({ percent }) => percent)).toEqual([50, 80, 50, 80]);
  });

  it('tells of a refusal as of what is exceeded, once in a day', async () => {
    const { time, standing, refused, alerts, told } = await dailyBudget([50, 100, 200]);
    standing.used = 60;
    refused.set('bgt_1', time.now);
    await alerts.look();
    expect(told().map(({ percent, used }) => [percent, used])).toEqual([
      [50, 60],
      [100, 60],
    ]);
    refused.set('bgt_1', time.now);
    await alerts.look();
    expect(told()).toHaveLength(2);

    time.now = midnight + 5;
    standing.used = 0;
    await alerts.look();
    expect(told()).toHaveLength(2);
    refused.set('bgt_1', time.now);
    await alerts.look();
    expect(told().map(({ percent, period }) => [percent, period])[2]).toEqual([100, midnight]);
  });

  it('does not tell of a refusal as of the day after it, and not where nobody asked to be told', async () => {
    const { time, refused, alerts, told } = await dailyBudget([50, 100]);
    refused.set('bgt_1', time.now);
    time.now = midnight + 5;
    await alerts.look();
    expect(told()).toEqual([]);

    const other = await dailyBudget([50, 80]);
    other.refused.set('bgt_1', other.time.now);
    await other.alerts.look();
    expect(other.told()).toEqual([]);
  });

  it('remembers a refusal where the look fails', async () => {
    const { time, standing, refused, alerts, told } = await dailyBudget([100]);
    refused.set('bgt_1', time.now);
    standing.after = () => {
      throw new Error('The authority is away.');
    };
    await expect(alerts.look()).rejects.toThrow('away');
    standing.after = () => {};
    await alerts.look();
    expect(told().map(({ percent }) => percent)).toEqual([100]);
  });

  it('are looked for among all budgets by one process at a time, and only where something is to be told', async () => {
    const { time, store, of, alerts, made } = await dailyBudget();
    const [first] = await store.db.selectFrom('budgets').selectAll().execute();
    await store.db
      .insertInto('budgets')
      .values({ ...(first as NonNullable<typeof first>), id: 'bgt_2', alerts_at: '[]' })
      .execute();
    await alerts.lookAtAll();
    expect(of.mock.calls.map(([budgets]) => budgets.length)).toEqual([1]);
    const other = made();
    await Promise.all([other.lookAtAll(), alerts.lookAtAll()]);
    expect(of).toHaveBeenCalledTimes(1);

    time.now += 300_000;
    await Promise.all([other.lookAtAll(), alerts.lookAtAll()]);
    expect(of).toHaveBeenCalledTimes(2);

    // A clock that was put back does not keep everybody from it.
    time.now -= 3_600_000;
    await other.lookAtAll();
    expect(of).toHaveBeenCalledTimes(3);
  });
});
