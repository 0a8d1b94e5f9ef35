import { type CreateTableBuilder, type Kysely, sql } from 'kysely';

/** Builds with their events and files, and who has started demo builds. */
export async function factory(db: Kysely<unknown>): Promise<void> {
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

/** Sign-ups that are listed by their status, one pending an address; and how often clients have tried what is limited. */
export async function signups(db: Kysely<unknown>): Promise<void> {
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

/** Runs of agents and their events. */
export async function agents(db: Kysely<unknown>): Promise<void> {
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

/** What says whose turn it is in the queue of builds: who waits and runs, and when each tenant's builds were begun. */
export async function turns(db: Kysely<unknown>): Promise<void> {
  // Holds only what waits or runs.
  await sql`create index factory_jobs_turns on factory_jobs (status, tenant_id, created_at, id)
    where finished_at is null`.execute(db);
  await sql`create index factory_jobs_begun on factory_jobs (tenant_id, started_at)
    where started_at is not null`.execute(db);
}

/**
 * Each class of tokens that can have a price of its own, and what requests were warned of. In older rows all of the prompt that
 * was not read from a cache stays what it was: neither written to one, nor told apart as audio or images.
 */
export async function tokenClasses(db: Kysely<unknown>): Promise<void> {
  for (const name of classes) {
    await db.schema.alterTable('ledger').addColumn(name, 'bigint').execute();
    await db.schema
      .alterTable('usage_days')
      .addColumn(name, 'bigint', (column) => column.notNull().defaultTo(0))
      .execute();
  }
  await db.schema.alterTable('ledger').addColumn('warnings', 'text').execute();
}

const classes = ['cache_write_5m_tokens', 'cache_write_1h_tokens', 'audio_prompt_tokens'].concat([
  'audio_completion_tokens',
  'image_prompt_tokens',
  'image_completion_tokens',
]);

/** What vendors keep for tenants, so that only its owner can name it, and the files that the sandbox keeps. */
export async function vendorObjects(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('kept_objects')
    .addColumn('tenant_id', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('provider', 'text', (column) => column.notNull())
    .addColumn('model', 'text')
    .addColumn('vendor_id', 'text', (column) => column.notNull())
    .addColumn('data', 'text')
    .addColumn('counted_at', 'bigint')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint')
    .addPrimaryKeyConstraint('kept_objects_pkey', ['tenant_id', 'kind', 'id'])
    .execute();
  await db.schema.createIndex('kept_objects_by_end').on('kept_objects').column('expires_at').execute();
  await db.schema
    .createTable('kept_contents')
    .addColumn('tenant_id', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('length', 'integer', (column) => column.notNull())
    // SQLite takes any name of a type and keeps bytes as they are.
    .addColumn('bytes', sql`bytea`, (column) => column.notNull())
    .addPrimaryKeyConstraint('kept_contents_pkey', ['tenant_id', 'id'])
    .execute();
}

/**
 * Builds that change an earlier one, and what the demo's limits of revisions and plans are counted by. A build from before
 * stands for itself: it has none of this and is the first of its app.
 */
export async function revisions(db: Kysely<unknown>): Promise<void> {
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

/**
 * Which requests were sent with an `Idempotency-Key`, and what they were answered with; a tenant may want none of it. The
 * primary key decides who of several does the work.
 */
export async function idempotency(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('tenants')
    .addColumn('idempotency', 'integer', (column) => column.notNull().defaultTo(1))
    .execute();
  await db.schema
    .createTable('idempotency_keys')
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('key_digest', 'text', (column) => column.notNull())
    .addColumn('fingerprint', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('claim', 'text', (column) => column.notNull())
    .addColumn('instance_id', 'text', (column) => column.notNull())
    .addColumn('work_id', 'text', (column) => column.notNull())
    // SQLite takes any name of a type and keeps bytes as they are.
    .addColumn('answer', sql`bytea`)
    .addColumn('answer_bytes', 'integer', (column) => column.notNull())
    .addColumn('claimed_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('idempotency_keys_pkey', ['owner', 'key_digest'])
    .execute();
  await db.schema
    .createIndex('idempotency_keys_by_end')
    .on('idempotency_keys')
    .column('expires_at')
    .execute();
  // What a tenant holds is read from the index alone.
  await db.schema
    .createIndex('idempotency_keys_held')
    .on('idempotency_keys')
    .columns(['owner', 'answer_bytes'])
    .execute();
}
