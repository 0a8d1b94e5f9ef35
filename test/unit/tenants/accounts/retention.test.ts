import { expect, it } from 'vitest';
import { sweepOld } from '../../../../src/tenants/accounts/retention.ts';
import { onEveryStore } from '../../../helpers/store.ts';
import { testAccounts } from '../../../helpers/store-accounts.ts';
import { TestClock } from '../../../helpers/test-database.ts';

const days = { audit: 400, signups: 90 };
const never = new AbortController().signal;
const dayMs = 86_400_000;

onEveryStore('what administration keeps', (on) => {
  const numberOf = async (
    store: Awaited<ReturnType<typeof testAccounts>>['store'],
    table: 'audit' | 'signups',
  ) => (await store.db.selectFrom(table).select('id').execute()).length;

  it('loses entries of the audit log that are too old, in batches', async () => {
    const clock = new TestClock('2026-01-01T00:00:00.000Z');
    const { store, changes } = await testAccounts(on, { clock });
    const before = await numberOf(store, 'audit');
    const act = {
      actor: 'test',
      action: 'test.act',
      target: 'test',
      tenantId: null,
      before: null,
      after: null,
    };
    const acts = Array.from({ length: 450 }, () => act);
    await changes.perform(async () => ({ result: null, act: acts }));
    clock.time += 1;
    await changes.perform(async () => ({ result: null, act }));

    clock.time += 400 * dayMs - 1;
    expect(await sweepOld(store, days, never)).toBe(0);
    clock.time += 1;
    expect(await sweepOld(store, days, AbortSignal.abort())).toBe(0);
    expect(await sweepOld(store, days, never)).toBe(before + 450);
    expect(await numberOf(store, 'audit')).toBe(1);
    clock.time += 1;
    expect(await sweepOld(store, days, never)).toBe(1);
  });

  it('loses sign-ups some time after they were decided, and none that waits', async () => {
    const clock = new TestClock('2026-01-01T00:00:00.000Z');
    const { store, signups } = await testAccounts(on, { clock });
    for (const email of ['approved@example.com', 'rejected@example.com', 'waiting@example.com'])
      await signups.request({ email, orgName: email, tier: 'free' }, 'test');
    const { items } = await signups.list();
    const idOf = (start: string) => items.find(({ email }) => email.startsWith(start))?.id ?? '';
    clock.time += 50 * dayMs;
    await signups.approve(idOf('approved'), { give: 'dashboard_link' }, 'test');
    await signups.reject(idOf('rejected'), 'test');

    clock.time += 90 * dayMs;
    expect(await sweepOld(store, days, never)).toBe(0);
    clock.time += 1;
    expect(await sweepOld(store, days, never)).toBe(2);
    expect((await signups.list()).items.map(({ email }) => email)).toEqual(['waiting@example.com']);
  });
});
