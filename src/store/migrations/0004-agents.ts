import { type Kysely, sql } from 'kysely';

/** Runs of agents and their events. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('agent_runs')
    .addColumn('id', 'text', (column) => column.notNull().primaryKey())
    .addColumn('tenant_id', 'text', (column) => column.notNull())
    .addColumn('agent_id', 'text', (column) => column.notNull())
    .addColumn('request_id', 'text', (column) => column.notNull())
    .addColumn('instance_id', 'text', (column) => column.notNull())
    .addColumn('background', 'integer', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('events', 'integer', (column) => column.notNull())
    .addColumn('cancel_requested_at', 'bigint')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('finished_at', 'bigint')
    .execute();
  await db.schema
    .createIndex('agent_runs_by_agent')
    .on('agent_runs')
    .columns(['tenant_id', 'agent_id', 'id'])
    .execute();
  await db.schema.createIndex('agent_runs_by_end').on('agent_runs').column('finished_at').execute();
  // Holds only what runs at the moment.
  await sql`create index agent_runs_running on agent_runs (instance_id) where finished_at is null`.execute(
    db,
  );
  await db.schema
    .createTable('agent_run_events')
    .addColumn('run_id', 'text', (column) => column.notNull())
    .addColumn('seq', 'integer', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('data', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('agent_run_events_pkey', ['run_id', 'seq'] as never[])
    .execute();
}
