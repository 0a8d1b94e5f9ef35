import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../../src/lib/config-error.ts';
import { isUpToDate, migrations, steps } from '../../../src/store/migrate.ts';
import { onEveryStore } from '../../helpers/store.ts';
import { openDatabase } from '../../helpers/test-database.ts';

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
