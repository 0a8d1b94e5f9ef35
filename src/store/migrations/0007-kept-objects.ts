import { type Kysely, sql } from 'kysely';

/** What vendors keep for tenants, so that only its owner can name it, and the files that the sandbox keeps. */
export async function up(db: Kysely<unknown>): Promise<void> {
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
