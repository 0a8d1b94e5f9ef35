import { type Kysely, PostgresAdapter, sql } from 'kysely';
import { dayMs, startOfMonth } from '../../lib/utc.ts';
import { takeFunction } from '../postgres/take-function.ts';

/**
 * What is used of each limit, in place of a counter that all requests of a tenant share. What was counted of days and months
 * goes on; minutes begin with what the ledger says.
 */
export async function limitBuckets(db: Kysely<unknown>): Promise<void> {
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

/** Budgets, and which of their thresholds were told in which day or month. */
export async function budgets(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('budgets')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('tenant_id', 'text', (column) => column.notNull())
    .addColumn('label', 'text', (column) => column.notNull())
    .addColumn('key_id', 'text')
    .addColumn('tag_name', 'text')
    .addColumn('tag_value', 'text')
    .addColumn('model', 'text')
    .addColumn('unit', 'text', (column) => column.notNull())
    .addColumn('span', 'text', (column) => column.notNull())
    .addColumn('most', 'bigint', (column) => column.notNull())
    .addColumn('hard', 'integer', (column) => column.notNull())
    .addColumn('alerts_at', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('budgets_by_tenant').on('budgets').columns(['tenant_id', 'id']).execute();
  await db.schema
    .createTable('budget_alerts')
    .addColumn('budget_id', 'text', (column) => column.notNull())
    .addColumn('period', 'bigint', (column) => column.notNull())
    .addColumn('percent', 'integer', (column) => column.notNull())
    .addColumn('tenant_id', 'text', (column) => column.notNull())
    .addColumn('used', 'bigint', (column) => column.notNull())
    .addColumn('most', 'bigint', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('budget_alerts_pkey', ['budget_id', 'period', 'percent'])
    .execute();
  await db.schema
    .createIndex('budget_alerts_by_time')
    .on('budget_alerts')
    .columns(['tenant_id', 'at'])
    .execute();
}

/** Tags of keys, which their requests have, and those that a tenant asks for. */
export async function tags(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('keys').addColumn('tags', 'text').execute();
  await db.schema.alterTable('tenants').addColumn('required_tags', 'text').execute();
}

/** The prices by which requests are reckoned, so that their costs can be reckoned again. */
export async function prices(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('prices')
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('provider', 'text', (column) => column.notNull())
    .addColumn('model', 'text', (column) => column.notNull())
    .addColumn('rates', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('prices_pkey', ['id'])
    .execute();
}

/** What lets work wait for any process, and what sinks of analytics have still to take. */
export async function queueAndAnalytics(db: Kysely<unknown>): Promise<void> {
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

/** Who is told of events, what each of them is still to be told, and each attempt at it. */
export async function webhooks(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('webhooks')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('tenant_id', 'text')
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('label', 'text', (column) => column.notNull())
    .addColumn('events', 'text', (column) => column.notNull())
    // SQLite takes any name of a type and keeps bytes as they are.
    .addColumn('secret', sql`bytea`, (column) => column.notNull())
    .addColumn('old_secret', sql`bytea`)
    .addColumn('old_secret_until', 'bigint')
    .addColumn('failing_since', 'bigint')
    .addColumn('disabled_at', 'bigint')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('webhook_deliveries')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('webhook_id', 'text', (column) => column.notNull())
    .addColumn('event_id', 'text', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('payload', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('log', 'text', (column) => column.notNull())
    .addColumn('due_at', 'bigint')
    .addColumn('claimed_until', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addUniqueConstraint('webhook_deliveries_once', ['webhook_id', 'event_id'])
    .execute();
  await db.schema
    .createIndex('webhook_deliveries_due')
    .on('webhook_deliveries')
    .column('due_at')
    .where(sql.ref('due_at'), 'is not', null)
    .execute();
}

/** Who is signed in by which issuer and as what, and which sign-ins by an issuer are over and cannot be used again. */
export async function signIn(db: Kysely<unknown>): Promise<void> {
  for (const column of ['id', 'role', 'actor', 'issuer'])
    await db.schema.alterTable('sessions').addColumn(column, 'text').execute();
  await db.schema
    .createTable('used_sign_ins')
    .addColumn('digest', 'text', (column) => column.primaryKey())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
}

/** Batches that the sandbox carries out, for whom, and the lines that are answered already. */
export async function openBatches(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('open_batches')
    .addColumn('tenant_id', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('key_id', 'text', (column) => column.notNull())
    .addColumn('scopes', 'text', (column) => column.notNull())
    .addColumn('tags_header', 'text')
    .addPrimaryKeyConstraint('open_batches_pkey', ['tenant_id', 'id'])
    .execute();
  await db.schema
    .createTable('batch_lines')
    .addColumn('tenant_id', 'text', (column) => column.notNull())
    .addColumn('batch_id', 'text', (column) => column.notNull())
    .addColumn('line', 'integer', (column) => column.notNull())
    .addColumn('ok', 'integer', (column) => column.notNull())
    // SQLite takes any name of a type and keeps bytes as they are.
    .addColumn('bytes', sql`bytea`, (column) => column.notNull())
    .addPrimaryKeyConstraint('batch_lines_pkey', ['tenant_id', 'batch_id', 'line'])
    .execute();
}

/** When a session was last used, and what the processes on the database tell of themselves. */
export async function seen(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('sessions').addColumn('seen_at', 'bigint').execute();
  for (const column of ['name', 'version', 'state', 'config'])
    await db.schema.alterTable('instances').addColumn(column, 'text').execute();
}

/** What models thought before their calls of tools, sealed, for the processes that did not see it. */
export async function thoughts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('thoughts')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('sealed', sql`bytea`, (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('thoughts_by_end').on('thoughts').column('expires_at').execute();
}
