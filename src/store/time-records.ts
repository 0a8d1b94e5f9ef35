import { type Kysely, sql } from 'kysely';
import type { Tables } from './schema.ts';
import type { TimeReading, TimeRecords } from './time-line.ts';

const line = 'time_line';
const seen = 'time_seen';

/** The time line among the settings of a database. */
export function timeRecords(db: Kysely<Tables>, kind: 'sqlite' | 'postgres'): TimeRecords {
  const server =
    kind === 'sqlite' ? sql<null>`null` : sql<number>`extract(epoch from clock_timestamp())::float8 * 1000`;
  return {
    async read() {
      const { rows } = await sql<TimeReading>`select
        (select value from settings where name = ${line}) as line,
        (select value from settings where name = ${seen}) as seen,
        ${server} as server`.execute(db);
      return rows[0] as TimeReading;
    },
    async replaceLine(before, after) {
      if (before === null) {
        const { numInsertedOrUpdatedRows } = await db
          .insertInto('settings')
          .values({ name: line, value: after })
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirst();
        return numInsertedOrUpdatedRows === 1n;
      }
      const { numUpdatedRows } = await db
        .updateTable('settings')
        .set({ value: after })
        .where((eb) => eb.and({ name: line, value: before }))
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },
    async writeSeen(value) {
      await db
        .insertInto('settings')
        .values({ name: seen, value })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
        .execute();
    },
  };
}
