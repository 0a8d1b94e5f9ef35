import { type Kysely, sql } from 'kysely';
import type { Tables } from '../schema.ts';
import { sumColumns } from '../token-columns.ts';
import type { DaySums } from './day-sums.ts';
import { TagBounds } from './tag-bounds.ts';

/** The columns by which a table of sums is found. */
export const usageKey = ['tenant_id', 'day', 'key_id', 'operation', 'provider', 'model'] as const;
export const tagKey = ['tenant_id', 'day', 'tag', 'value', 'model'] as const;

/** Adds to the sums that are stored. Rejects with `StoreError`. */
export async function writeSums(db: Kysely<Tables>, sums: DaySums): Promise<void> {
  await new TagBounds().apply(db, sums);
  for (const row of sums.usage()) {
    await db
      .insertInto('usage_sums')
      .values(row)
      .onConflict((conflict) => conflict.columns([...usageKey]).doUpdateSet(added('usage_sums')))
      .execute();
  }
  for (const row of sums.tags()) {
    await db
      .insertInto('usage_tag_days')
      .values(row)
      .onConflict((conflict) => conflict.columns([...tagKey]).doUpdateSet(added('usage_tag_days')))
      .execute();
  }
}

function added(table: 'usage_sums' | 'usage_tag_days') {
  return Object.fromEntries(
    sumColumns.map((name) => [
      name,
      sql<number>`${sql.ref(`${table}.${name}`)} + ${sql.ref(`excluded.${name}`)}`,
    ]),
  );
}
