import { type CreateTableBuilder, type Kysely, PostgresAdapter, sql } from 'kysely';
import { views } from '../views.ts';

/**
 * The ledger as events that are only added: `admitted` when a request begins, `settled` when it ends. `ledger` and
 * `usage_days` stay what they were, for the rows that are in them and for processes of the version before, which go on
 * writing there; nothing is copied, so this takes no longer on a large database. `views.ts` shows both together.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const dialect = db.getExecutor().adapter instanceof PostgresAdapter ? postgres : sqlite;
  await admitted(db, dialect);
  await settled(db, dialect);
  await sums(db);
  for (const statement of dialect.others) await run(db, statement);
}

interface Dialect {
  /** Follow the columns of a table of events. */
  readonly began: string;
  readonly ended: string;
  /** What else there is. */
  readonly others: readonly string[];
}

/**
 * Range partitions by the day of admission, which `prepareDays` makes ahead; the default one takes what has none. What a
 * process left open is looked for by time, which tells where it is on disk.
 */
const postgres: Dialect = {
  began: 'partition by range (created_at)',
  ended: 'partition by range (created_at)',
  others: [
    'create index admitted_by_time on admitted using brin (created_at) with (pages_per_range = 32, autosummarize = on)',
    'create table admitted_other partition of admitted default',
    'create table settled_other partition of settled default',
    ...views.map(([name, select]) => `create view ${name} as ${select}`),
  ],
};

/** What a process left open is looked for tenant by tenant, which takes no index of its own. */
const sqlite: Dialect = { began: '', ended: 'without rowid', others: [] };

/** No foreign keys here: tenants are never deleted, and each check would cost every request. */
async function admitted(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await events(db, 'admitted', ['tenant_id', 'created_at', 'id'], dialect.began)
    .addColumn('request_id', 'text', (column) => column.notNull())
    .addColumn('key_id', 'text', (column) => column.notNull())
    .addColumn('operation', 'text', (column) => column.notNull())
    .addColumn('model_asked', 'text')
    .addColumn('instance_id', 'text', (column) => column.notNull())
    .addColumn('queue_ms', 'bigint', (column) => column.notNull())
    .addColumn('tags', 'text')
    .execute();
  await db.schema
    .createIndex('admitted_by_request')
    .on('admitted')
    .columns(['request_id', 'tenant_id'])
    .execute();
}

/** By time first: what ends now began a short while ago, so that it comes to be near the end of the index. */
async function settled(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  let table = events(db, 'settled', ['created_at', 'id'], dialect.ended)
    .addColumn('instance_id', 'text', (column) => column.notNull())
    .addColumn('sequence', 'bigint', (column) => column.notNull())
    .addColumn('interrupted_at', 'bigint')
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('http_status', 'integer')
    .addColumn('model', 'text')
    .addColumn('provider', 'text');
  for (const name of tokens) table = table.addColumn(name, 'bigint');
  await table
    .addColumn('usage_source', 'text')
    .addColumn('cost_micro_usd', 'bigint')
    .addColumn('price_versions', 'text')
    .addColumn('error_code', 'text')
    .addColumn('finish_reason', 'text')
    .addColumn('first_byte_ms', 'bigint')
    .addColumn('total_ms', 'bigint')
    .addColumn('attempts', 'text')
    .addColumn('warnings', 'text')
    .addColumn('settled_at', 'bigint', (column) => column.notNull())
    .execute();
}

async function sums(db: Kysely<unknown>): Promise<void> {
  await withSums(
    db.schema
      .createTable('usage_sums')
      .addColumn('tenant_id', 'text', (column) => column.notNull())
      .addColumn('day', 'integer', (column) => column.notNull())
      .addColumn('key_id', 'text', (column) => column.notNull())
      .addColumn('operation', 'text', (column) => column.notNull())
      .addColumn('provider', 'text', (column) => column.notNull())
      .addColumn('model', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('usage_sums_pkey', [
        'tenant_id',
        'day',
        'key_id',
        'operation',
        'provider',
        'model',
      ]) as CreateTableBuilder<string, string>,
  ).execute();
  await withSums(
    db.schema
      .createTable('usage_tag_days')
      .addColumn('tenant_id', 'text', (column) => column.notNull())
      .addColumn('day', 'integer', (column) => column.notNull())
      .addColumn('tag', 'text', (column) => column.notNull())
      .addColumn('value', 'text', (column) => column.notNull())
      .addColumn('model', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('usage_tag_days_pkey', [
        'tenant_id',
        'day',
        'tag',
        'value',
        'model',
      ]) as CreateTableBuilder<string, string>,
  ).execute();
  await db.schema
    .createTable('sum_marks')
    .addColumn('instance_id', 'text', (column) => column.notNull())
    .addColumn('sequence', 'bigint', (column) => column.notNull())
    .addColumn('open_since', 'bigint', (column) => column.notNull())
    .addColumn('buried_at', 'bigint')
    .addPrimaryKeyConstraint('sum_marks_pkey', ['instance_id'])
    .execute();
}

const tokens = ['prompt_tokens', 'completion_tokens', 'cached_tokens', 'reasoning_tokens'].concat([
  'cache_write_5m_tokens',
  'cache_write_1h_tokens',
  'audio_prompt_tokens',
  'audio_completion_tokens',
  'image_prompt_tokens',
  'image_completion_tokens',
]);

const sumNames = ['requests', 'succeeded', 'failed', 'cancelled', 'interrupted', ...tokens].concat([
  'cost_micro_usd',
  'unpriced',
]);

function events(
  db: Kysely<unknown>,
  name: string,
  key: readonly string[],
  end: string,
): CreateTableBuilder<string, string> {
  return db.schema
    .createTable(name)
    .addColumn('tenant_id', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint(`${name}_pkey`, [...key] as never[])
    .modifyEnd(sql.raw(end)) as CreateTableBuilder<string, string>;
}

function withSums(table: CreateTableBuilder<string, string>): CreateTableBuilder<string, string> {
  return sumNames.reduce(
    (made, name) => made.addColumn(name, 'bigint', (column) => column.notNull().defaultTo(0)),
    table,
  );
}

async function run(db: Kysely<unknown>, statement: string): Promise<void> {
  await sql.raw(statement).execute(db);
}
