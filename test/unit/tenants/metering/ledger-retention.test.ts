import { expect, it } from 'vitest';
import { sweepLedger } from '../../../../src/tenants/metering/ledger-retention.ts';
import { usageByDay } from '../../../../src/tenants/metering/usage.ts';
import { onEveryStore } from '../../../helpers/store.ts';
import { admitted, ledgerRows, success, tenantOn, testAccounts } from '../../../helpers/store-accounts.ts';
import { TestClock } from '../../../helpers/test-database.ts';

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
