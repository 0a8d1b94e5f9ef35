import type { Kysely } from 'kysely';

/** Who is signed in by which issuer and as what, and which sign-ins by an issuer are over and cannot be used again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['id', 'role', 'actor', 'issuer'])
    await db.schema.alterTable('sessions').addColumn(column, 'text').execute();
  await db.schema
    .createTable('used_sign_ins')
    .addColumn('digest', 'text', (column) => column.primaryKey())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
}
