import { type Kysely, sql } from 'kysely';

/** Batches that the sandbox carries out, for whom, and the lines that are answered already. */
export async function up(db: Kysely<unknown>): Promise<void> {
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
