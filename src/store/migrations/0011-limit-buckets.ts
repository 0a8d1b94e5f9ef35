import { type Kysely, PostgresAdapter, sql } from 'kysely';
import { dayMs, startOfMonth } from '../../lib/utc.ts';
import { takeFunction } from '../postgres/take-function.ts';

/**
 * What is used of each limit, in place of a counter that all requests of a tenant share. What was counted of days and months
 * goes on; minutes begin with what the ledger says.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const onPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const list = onPostgres ? sql`bigint[]` : sql`text`;
  const [none, nobody] = onPostgres ? ['{}', '{}'] : ['[]', '{}'];
  await db.schema
    .createTable('limit_buckets')
    // Rows are locked in this order, and it must be the same everywhere.
    .addColumn('id', onPostgres ? sql`text collate "C"` : 'text', (column) => column.notNull())
    .addColumn('span', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('ends', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('used', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('untils', list, (column) => column.notNull().defaultTo(none))
    .addColumn('amounts', list, (column) => column.notNull().defaultTo(none))
    .addColumn('holders', onPostgres ? 'jsonb' : 'text', (column) => column.notNull().defaultTo(nobody))
    .addPrimaryKeyConstraint('limit_buckets_pkey', ['id'])
    .execute();
  if (onPostgres) {
    // Room for the next version of a row beside it, so that no update has to touch the index. And a row of 2 to 3 KB, as a
    // busy minute has it, is not compressed: that would cost each update more than the rest of it.
    await sql`alter table limit_buckets set (fillfactor = 50, toast_tuple_target = 4080)`.execute(db);
    await sql.raw(takeFunction).execute(db);
  }
  await sql`insert into limit_buckets (id, span, at, ends, used)
    select tenant_id || '/requests/day', 'day', last_at, (day + 1) * cast(${sql.lit(dayMs)} as bigint), day_used
    from counters where day_used > 0`.execute(db);
  const { rows } = await sql<{
    month: number;
  }>`select distinct month from counters where month_used > 0`.execute(db);
  for (const { month } of rows)
    await sql`insert into limit_buckets (id, span, at, ends, used)
      select tenant_id || '/requests/month', 'month', last_at, ${sql.lit(startOfMonth(Number(month) + 1))}, month_used
      from counters where month_used > 0 and month = ${sql.lit(Number(month))}`.execute(db);
}
