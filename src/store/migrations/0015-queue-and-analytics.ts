import { type Kysely, PostgresAdapter, sql } from 'kysely';

/** What lets work wait for any process, and what sinks of analytics have still to take. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await tasks(db);
  await analytics(db);
}

/** Tasks that wait for a process, and those that one has taken up. */
async function tasks(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('tasks')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('key', 'text')
    .addColumn('group_id', 'text')
    .addColumn('payload', 'text', (column) => column.notNull())
    .addColumn('attempt', 'integer', (column) => column.notNull())
    .addColumn('run_at', 'bigint', (column) => column.notNull())
    .addColumn('holder', 'text')
    .execute();
  await sql`create index tasks_waiting on tasks (name, run_at, id) where holder is null`.execute(db);
  await sql`create index tasks_held on tasks (holder, name, group_id) where holder is not null`.execute(db);
  // Of several with the same key one waits.
  await sql`create unique index tasks_by_key on tasks (name, key) where holder is null`.execute(db);
}

/** Both stay empty until a sink is set; then triggers are made that fill the outbox in the transaction that settles. */
async function analytics(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('analytics_sinks')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('holder', 'text')
    .addColumn('seen_at', 'bigint', (column) => column.notNull())
    .execute();
  const onPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const numbered = onPostgres ? sql`bigint generated always as identity` : sql`integer`;
  await db.schema
    .createTable('analytics_outbox')
    .addColumn('id', numbered, (column) => column.primaryKey())
    .addColumn('sink', 'text', (column) => column.notNull())
    .addColumn('tenant_id', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('ledger_id', 'text', (column) => column.notNull())
    .addColumn('settled_at', 'bigint', (column) => column.notNull())
    .addColumn('batch', 'text')
    .execute();
  await sql`create index analytics_outbox_waiting on analytics_outbox (sink, id) where batch is null`.execute(
    db,
  );
  await sql`create index analytics_outbox_sent on analytics_outbox (sink, batch) where batch is not null`.execute(
    db,
  );
}
