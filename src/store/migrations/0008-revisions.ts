import { type Kysely, sql } from 'kysely';

/**
 * Builds that change an earlier one, and what the demo's limits of revisions and plans are counted by. A build from before
 * stands for itself: it has none of this and is the first of its app.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const name of ['root_id', 'base_id', 'change', 'client'])
    await db.schema.alterTable('factory_jobs').addColumn(name, 'text').execute();
  await db.schema.alterTable('factory_jobs').addColumn('revision', 'integer').execute();
  // Of two revisions that are asked for at once, one gets the number.
  await sql`create unique index factory_jobs_revisions on factory_jobs (root_id, revision)
    where root_id is not null`.execute(db);
  await sql`create index factory_jobs_changed on factory_jobs (client, created_at)
    where client is not null and base_id is not null`.execute(db);
  await db.schema
    .createTable('plan_hits')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('client', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('plan_hits_by_client').on('plan_hits').columns(['client', 'at']).execute();
}
