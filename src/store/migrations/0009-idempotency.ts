import { type Kysely, sql } from 'kysely';

/**
 * Which requests were sent with an `Idempotency-Key`, and what they were answered with; a tenant may want none of it. The
 * primary key decides who of several does the work.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
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
