import type { Kysely } from 'kysely';

/** Tags of keys, which their requests have, and those that a tenant asks for. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('keys').addColumn('tags', 'text').execute();
  await db.schema.alterTable('tenants').addColumn('required_tags', 'text').execute();
}
