import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../../src/lib/config-error.ts';
import { checkStore } from '../../../src/store/check/check-store.ts';
import { isUpToDate, migrations, steps } from '../../../src/store/migrate.ts';
import { partitionsOf } from '../../../src/store/postgres/days.ts';
import { sweepLedger } from '../../../src/tenants/metering/ledger-retention.ts';
import { onEveryStore, onPostgres } from '../../helpers/store.ts';
import { admitted, ledgerRows, success, tenantOn, testAccounts } from '../../helpers/store-accounts.ts';
import { openDatabase, TestClock } from '../../helpers/test-database.ts';

describe('migrate', () => {
  onEveryStore('migration', (on) => {
    it('makes the schema in an empty database, and leaves a current one alone', async () => {
      const database = await on.emptyDatabase();
      const first = await on.open(database);
      await first.db.insertInto('settings').values({ name: 'kept', value: 'yes' }).execute();
      const second = await on.open(database);
      const kept = await second.db.selectFrom('settings').selectAll().where('name', '=', 'kept').execute();
      expect(kept).toEqual([{ name: 'kept', value: 'yes' }]);
      expect(await second.db.selectFrom('changes').selectAll().execute()).toEqual([{ id: 1, version: 1 }]);
    });

    it('happens once when several open an empty database at the same time', async () => {
      const database = await on.emptyDatabase();
      const stores = await Promise.all(Array.from({ length: 6 }, () => on.open(database)));
      for (const store of stores) {
        expect(await store.db.selectFrom('changes').selectAll().execute()).toHaveLength(1);
      }
    });

    it('refuses a database of a newer version and changes nothing', async () => {
      const database = await on.database();
      const store = await on.open(database);
      const newer = { name: '9999-newer', timestamp: new Date().toISOString() };
      await store.db
        .insertInto('kysely_migration' as never)
        .values(newer as never)
        .execute();
      const error = await openDatabase(database).catch((error: unknown) => error);
      expect(error).toBeInstanceOf(ConfigError);
      expect(String(error)).toMatch(/newer version of Switchyard \(step 9999-newer\); start that version/);
      const steps = await store.db
        .selectFrom('kysely_migration' as never)
        .selectAll()
        .execute();
      expect(steps).toHaveLength(Object.keys(migrations).length + 1);
    });
  });
});

describe('steps', () => {
  it('the steps are listed in the order in which they are taken', () => {
    expect(steps).toEqual(Object.keys(migrations));
  });

  onEveryStore('a database', (on) => {
    it('is up to date with all of its steps, and with none missing or unknown', async () => {
      const { db } = await on.open(await on.database());
      const isCurrent = () => isUpToDate(db as never);
      expect(await isCurrent()).toBe(true);
      await sql`insert into kysely_migration (name, timestamp) values ('9999-of-a-newer-version', '')`.execute(
        db,
      );
      expect(await isCurrent()).toBe(false);
      await sql`delete from kysely_migration where name in ('9999-of-a-newer-version', ${steps.at(-1)})`.execute(
        db,
      );
      expect(await isCurrent()).toBe(false);
      await sql`drop table kysely_migration`.execute(db);
      expect(await isCurrent()).toBe(false);
    });
  });
});

describe('sums of days', () => {
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
      expect(await ledgerRows(accounts, 'acme')).toMatchObject([
        { request_id: 'running', status: 'running' },
      ]);
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
});
