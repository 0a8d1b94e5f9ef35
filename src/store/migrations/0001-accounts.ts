import { type CreateTableBuilder, type Kysely, sql } from 'kysely';

/** Tenants, keys, limits, ledger, and what their administration needs. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await tenants(db);
  await limits(db);
  await ledger(db);
  await administration(db);
}

async function tenants(db: Kysely<unknown>): Promise<void> {
  await table(db, 'tenants', ['id'])
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('plan', 'text', (column) => column.notNull())
    .addColumn('suspended_at', 'bigint')
    .addColumn('overrides', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await table(db, 'keys', ['id'])
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('tenant_id', 'text', (column) => column.notNull().references('tenants.id'))
    .addColumn('digest', 'text', (column) => column.notNull())
    .addColumn('label', 'text', (column) => column.notNull())
    .addColumn('scopes', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint')
    .addColumn('revoked_at', 'bigint')
    .addColumn('rotated_from', 'text')
    .addColumn('grace_until', 'bigint')
    .addColumn('last_used_at', 'bigint')
    .execute();
  await db.schema
    .createIndex('keys_by_tenant')
    .on('keys')
    .columns(['tenant_id', 'created_at', 'id'])
    .execute();
  await table(db, 'changes', ['id'])
    .addColumn('id', 'integer', (column) => column.notNull())
    .addColumn('version', 'bigint', (column) => column.notNull())
    .execute();
  await sql`insert into changes (id, version) values (1, 1)`.execute(db);
}

async function limits(db: Kysely<unknown>): Promise<void> {
  await table(db, 'counters', ['tenant_id'])
    .addColumn('tenant_id', 'text', (column) => column.notNull().references('tenants.id'))
    .addColumn('seq', 'bigint', (column) => column.notNull())
    .addColumn('last_at', 'bigint', (column) => column.notNull())
    .addColumn('day', 'integer', (column) => column.notNull())
    .addColumn('day_used', 'bigint', (column) => column.notNull())
    .addColumn('month', 'integer', (column) => column.notNull())
    .addColumn('month_used', 'bigint', (column) => column.notNull())
    .execute();
  await table(db, 'token_seconds', ['tenant_id', 'second'])
    .addColumn('tenant_id', 'text', (column) => column.notNull())
    .addColumn('second', 'bigint', (column) => column.notNull())
    .addColumn('tokens', 'bigint', (column) => column.notNull())
    .execute();
  await table(db, 'instances', ['id'])
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('host', 'text', (column) => column.notNull())
    .addColumn('pid', 'integer', (column) => column.notNull())
    .addColumn('started_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
}

/**
 * The primary key orders a tenant's requests by time, so it also finds those of the last minute and pages through
 * them. No foreign keys here: tenants are never deleted, and each check would cost every request.
 */
async function ledger(db: Kysely<unknown>): Promise<void> {
  await table(db, 'ledger', ['tenant_id', 'created_at', 'seq'])
    .addColumn('tenant_id', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('seq', 'bigint', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('request_id', 'text', (column) => column.notNull())
    .addColumn('key_id', 'text', (column) => column.notNull())
    .addColumn('operation', 'text', (column) => column.notNull())
    .addColumn('model_asked', 'text')
    .addColumn('instance_id', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('http_status', 'integer')
    .addColumn('model', 'text')
    .addColumn('provider', 'text')
    .addColumn('prompt_tokens', 'bigint')
    .addColumn('completion_tokens', 'bigint')
    .addColumn('cached_tokens', 'bigint')
    .addColumn('reasoning_tokens', 'bigint')
    .addColumn('usage_source', 'text')
    .addColumn('cost_micro_usd', 'bigint')
    .addColumn('error_code', 'text')
    .addColumn('finish_reason', 'text')
    .addColumn('queue_ms', 'bigint', (column) => column.notNull())
    .addColumn('first_byte_ms', 'bigint')
    .addColumn('total_ms', 'bigint')
    .addColumn('attempts', 'text')
    .addColumn('settled_at', 'bigint')
    .execute();
  await db.schema
    .createIndex('ledger_by_request')
    .on('ledger')
    .columns(['request_id', 'tenant_id'])
    .execute();
  // Holds only what runs at the moment, so it stays small however long the ledger grows.
  await sql`create index ledger_running on ledger (instance_id, tenant_id) where settled_at is null`.execute(
    db,
  );
  const sums = ['requests', 'succeeded', 'failed', 'cancelled', 'interrupted', 'prompt_tokens'].concat([
    'completion_tokens',
    'cached_tokens',
    'reasoning_tokens',
    'cost_micro_usd',
    'unpriced',
  ]);
  let days = table(db, 'usage_days', ['tenant_id', 'day', 'operation', 'model'])
    .addColumn('tenant_id', 'text', (column) => column.notNull())
    .addColumn('day', 'integer', (column) => column.notNull())
    .addColumn('operation', 'text', (column) => column.notNull())
    .addColumn('model', 'text', (column) => column.notNull());
  for (const sum of sums) days = days.addColumn(sum, 'bigint', (column) => column.notNull());
  await days.execute();
}

async function administration(db: Kysely<unknown>): Promise<void> {
  await table(db, 'audit', ['id'])
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('actor', 'text', (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('target', 'text', (column) => column.notNull())
    .addColumn('tenant_id', 'text')
    .addColumn('before', 'text')
    .addColumn('after', 'text')
    .execute();
  await table(db, 'sessions', ['digest'])
    .addColumn('digest', 'text', (column) => column.notNull())
    .addColumn('tenant_id', 'text', (column) => column.references('tenants.id'))
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
  await table(db, 'login_links', ['digest'])
    .addColumn('digest', 'text', (column) => column.notNull())
    .addColumn('tenant_id', 'text', (column) => column.notNull().references('tenants.id'))
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('used_at', 'bigint')
    .execute();
  await table(db, 'signups', ['id'])
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('org_name', 'text', (column) => column.notNull())
    .addColumn('tier', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('decided_at', 'bigint')
    .addColumn('tenant_id', 'text', (column) => column.references('tenants.id'))
    .execute();
  await table(db, 'settings', ['name'])
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('value', 'text', (column) => column.notNull())
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
