import type { Kysely } from 'kysely';

/** When a session was last used, and what the processes on the database tell of themselves. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('sessions').addColumn('seen_at', 'bigint').execute();
  for (const column of ['name', 'version', 'state', 'config'])
    await db.schema.alterTable('instances').addColumn(column, 'text').execute();
}
