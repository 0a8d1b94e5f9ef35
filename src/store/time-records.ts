import { type Kysely, sql } from 'kysely';
import { addNewRow, changeRows, putRows } from './rows.ts';
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
      if (before === null) return addNewRow(db, 'settings', { name: line, value: after });
      return (await changeRows(db, 'settings', { name: line, value: before }, { value: after })) === 1;
    },
    async writeSeen(value) {
      await putRows(db, 'settings', ['name'], [{ name: seen, value }]);
    },
  };
}
