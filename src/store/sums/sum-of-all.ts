import type { Kysely } from 'kysely';
import { toStoreError } from '../errors.ts';
import type { Tables } from '../schema.ts';
import { recount } from './recount.ts';

/** How often it is tried where a process is writing its sums at the same time. */
const patience = 3;

/**
 * Brings the sums up to what every process has settled, the running ones too: what a client was answered before this is in
 * them after it. A running process finds its mark moved and makes its next sums from its events, so this is for what is
 * rarely asked; within a second processes write theirs anyway. Rejects with `StoreError`.
 */
export async function sumOfAll(db: Kysely<Tables>): Promise<void> {
  const marks = await db
    .selectFrom('sum_marks')
    .select('instance_id')
    .where('buried_at', 'is', null)
    .orderBy('instance_id')
    .execute();
  for (const { instance_id } of marks) await sumOf(db, instance_id);
}

async function sumOf(db: Kysely<Tables>, instanceId: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await db.transaction().execute((transaction) => recount(transaction, instanceId));
      return;
    } catch (thrown) {
      const error = toStoreError(thrown);
      if (error.failure !== 'locked' || attempt === patience) throw error;
    }
  }
}
