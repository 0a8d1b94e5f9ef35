import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { checkStore } from '../../../src/store/check/check-store.ts';
import { partitionsOf } from '../../../src/store/postgres/days.ts';
import { sweepLedger } from '../../../src/tenants/metering/ledger-retention.ts';
import { onPostgres } from '../../helpers/store.ts';
import { admitted, ledgerRows, success, tenantOn, testAccounts } from '../../helpers/store-accounts.ts';
import { openDatabase, TestClock } from '../../helpers/test-database.ts';

const never = new AbortController().signal;
const ofDays = (table: string, ...days: string[]) => [
  ...days.map((day) => `${table}_${day}`),
  `${table}_other`,
];

onPostgres('events by day', (on) => {
  it('have partitions before their day begins, made once by several servers that start together', async () => {
    const database = await on.database();
    const clock = new TestClock('2026-03-01T12:00:00Z');
    const stores = await Promise.all(Array.from({ length: 4 }, () => openDatabase(database, clock)));
    for (const store of stores) on.cleanUp(() => store.close());
    await Promise.all(stores.map((store) => store.ledger.prepareDays(clock.now())));
    const [store] = stores as [(typeof stores)[0]];
    await store.ledger.prepareDays(clock.now());
    const days = ['20260301', '20260302', '20260303', '20260304'];
    for (const table of ['admitted', 'settled']) {
      expect(await partitionsOf(store.db, table)).toEqual(ofDays(table, ...days));
    }
    await store.ledger.prepareDays(Date.parse('2026-03-02T00:00:00Z'));
    expect(await partitionsOf(store.db, 'settled')).toEqual(ofDays('settled', ...days, '20260305'));
  });

  it('go where there is no partition of their day, which then is never made', async () => {
    const clock = new TestClock('2026-03-01T12:00:00Z');
    const accounts = await testAccounts(on, { clock });
    const ask = await tenantOn(accounts, 'acme', 'enterprise');
    clock.set('2026-03-20T12:00:00Z');
    await admitted(await ask()).settle(success);
    expect(await ledgerRows(accounts, 'acme')).toMatchObject([{ status: 'succeeded' }]);
    await accounts.store.ledger.prepareDays(clock.now());
    const made = await partitionsOf(accounts.store.db, 'admitted');
    expect(made).not.toContain('admitted_20260320');
    expect(made).toContain('admitted_20260321');
    await admitted(await ask()).settle(success);
    expect(await ledgerRows(accounts, 'acme')).toHaveLength(2);
    expect(await checkStore(accounts.store)).toEqual([]);
  });

  it('are dropped as a whole when they are too old, but not while one of the day runs', async () => {
    const clock = new TestClock('2026-03-01T12:00:00Z');
    const accounts = await testAccounts(on, { clock });
    const ask = await tenantOn(accounts, 'acme', 'enterprise');
    await admitted(await ask()).settle(success);
    clock.set('2026-03-02T12:00:00Z');
    await admitted(await ask()).settle(success);
    const running = admitted(await ask({ requestId: 'running' }));
    clock.set('2026-03-04T12:00:00Z');
    expect(await sweepLedger(accounts.store, 1, never)).toBe(2);
    expect(await partitionsOf(accounts.store.db, 'admitted')).toEqual(
      ofDays('admitted', '20260302', '20260303', '20260304'),
    );
    expect(await ledgerRows(accounts, 'acme')).toMatchObject([{ request_id: 'running', status: 'running' }]);
    await running.settle(success);
    clock.set('2026-03-04T14:00:00Z');
    expect(await sweepLedger(accounts.store, 1, never)).toBe(1);
    expect(await partitionsOf(accounts.store.db, 'settled')).toEqual(
      ofDays('settled', '20260303', '20260304'),
    );
    expect(await checkStore(accounts.store)).toEqual([]);
  });

  it('stay for the next time where somebody reads them', async () => {
    const clock = new TestClock('2026-03-01T12:00:00Z');
    const accounts = await testAccounts(on, { clock });
    await admitted(await (await tenantOn(accounts, 'acme', 'enterprise'))()).settle(success);
    clock.set('2026-03-04T12:00:00Z');
    const { db, ledger } = accounts.store;
    await db.transaction().execute(async (reader) => {
      await sql`select count(*) from ledger_rows`.execute(reader);
      expect(await ledger.dropDays(Date.parse('2026-03-03T00:00:00Z'), clock.now())).toBe(0);
    });
    expect(await ledger.dropDays(Date.parse('2026-03-03T00:00:00Z'), clock.now())).toBe(1);
  });
});
