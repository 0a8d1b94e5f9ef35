import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { isUpToDate, migrations, steps } from '../../../src/store/migrate.ts';
import { onEveryStore } from '../../helpers/store.ts';

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
