import { type Kysely, sql } from 'kysely';

/** What models thought before their calls of tools, sealed, for the processes that did not see it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('thoughts')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('sealed', sql`bytea`, (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('thoughts_by_end').on('thoughts').column('expires_at').execute();
}
