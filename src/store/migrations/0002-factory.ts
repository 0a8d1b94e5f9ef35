import { type CreateTableBuilder, type Kysely, sql } from 'kysely';

/** Builds with their events and files, and who has started demo builds. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await table(db, 'factory_jobs', ['id'])
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('tenant_id', 'text', (column) => column.references('tenants.id'))
    .addColumn('request_id', 'text', (column) => column.notNull())
    .addColumn('prompt', 'text', (column) => column.notNull())
    .addColumn('options', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('stage', 'text')
    .addColumn('attempt', 'integer', (column) => column.notNull())
    .addColumn('worker_id', 'text')
    .addColumn('last_seq', 'bigint', (column) => column.notNull())
    .addColumn('cancel_requested_at', 'bigint')
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('ticket', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('started_at', 'bigint')
    .addColumn('finished_at', 'bigint')
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('purged_at', 'bigint')
    .execute();
  await indexes(db);
  await table(db, 'factory_events', ['job_id', 'seq'])
    .addColumn('job_id', 'text', (column) => column.notNull())
    .addColumn('seq', 'bigint', (column) => column.notNull())
    .addColumn('event', 'text', (column) => column.notNull())
    .execute();
  await table(db, 'factory_outputs', ['job_id'])
    .addColumn('job_id', 'text', (column) => column.notNull())
    // SQLite takes any name of a type and keeps bytes as they are.
    .addColumn('zip', sql`bytea`, (column) => column.notNull())
    .addColumn('html', 'text', (column) => column.notNull())
    .execute();
  await table(db, 'factory_checkpoints', ['job_id', 'name'])
    .addColumn('job_id', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('text', 'text', (column) => column.notNull())
    .execute();
  await table(db, 'demo_hits', ['job_id'])
    .addColumn('job_id', 'text', (column) => column.notNull())
    .addColumn('client', 'text', (column) => column.notNull())
    .addColumn('request', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('demo_hits_by_client').on('demo_hits').columns(['client', 'at']).execute();
}

async function indexes(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('factory_jobs_by_tenant')
    .on('factory_jobs')
    .columns(['tenant_id', 'created_at', 'id'])
    .execute();
  // These hold only what waits, runs, is unsettled or not yet deleted, so they stay small.
  await sql`create index factory_jobs_open on factory_jobs (status, created_at, id) where finished_at is null`.execute(
    db,
  );
  await sql`create index factory_jobs_unsettled on factory_jobs (id) where ticket is not null`.execute(db);
  await db.schema
    .createIndex('factory_jobs_by_expiry')
    .on('factory_jobs')
    .columns(['purged_at', 'expires_at'])
    .execute();
}

function table(
  db: Kysely<unknown>,
  name: string,
  key: readonly string[],
): CreateTableBuilder<string, string> {
  return db.schema
    .createTable(name)
    .addPrimaryKeyConstraint(`${name}_pkey`, [...key] as never[]) as CreateTableBuilder<string, string>;
}
