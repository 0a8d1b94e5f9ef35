import type { Kysely } from 'kysely';

/**
 * Each class of tokens that can have a price of its own, and what requests were warned of. In older rows all of the prompt that
 * was not read from a cache stays what it was: neither written to one, nor told apart as audio or images.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const name of classes) {
    await db.schema.alterTable('ledger').addColumn(name, 'bigint').execute();
    await db.schema
      .alterTable('usage_days')
      .addColumn(name, 'bigint', (column) => column.notNull().defaultTo(0))
      .execute();
  }
  await db.schema.alterTable('ledger').addColumn('warnings', 'text').execute();
}

const classes = ['cache_write_5m_tokens', 'cache_write_1h_tokens', 'audio_prompt_tokens'].concat([
  'audio_completion_tokens',
  'image_prompt_tokens',
  'image_completion_tokens',
]);
