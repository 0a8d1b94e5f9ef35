import { type Kysely, sql } from 'kysely';

/** Sign-ups that are listed by their status, one pending an address; and how often clients have tried what is limited. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.createIndex('signups_by_status').on('signups').columns(['status', 'id']).execute();
  await sql`create unique index signups_pending on signups (email) where status = 'pending'`.execute(db);
  await db.schema
    .createTable('attempts')
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('client', 'text', (column) => column.notNull())
    .addColumn('times', 'text', (column) => column.notNull())
    .addColumn('latest', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('attempts_pkey', ['kind', 'client'])
    .execute();
}
