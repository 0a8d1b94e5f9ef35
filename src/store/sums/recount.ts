import { type Kysely, sql } from 'kysely';
import { toStoreError } from '../errors.ts';
import type { Tables } from '../schema.ts';
import { sumColumns, tokenColumns } from '../token-columns.ts';
import { DaySums, type Summed } from './day-sums.ts';
import { TagBounds } from './tag-bounds.ts';

/** The columns by which a table of sums is found. */
export const usageKey = ['tenant_id', 'day', 'key_id', 'operation', 'provider', 'model'] as const;

export const tagKey = ['tenant_id', 'day', 'tag', 'value', 'model'] as const;

type Found = Summed & { readonly sequence: number; readonly presumed: number | null };

/**
 * Brings the sums up to what a process has settled, from its events: for one that is gone, or that does not know itself
 * how far they are. Each event is counted once, whoever does this and how often: the mark moves with the sums, in this
 * transaction, which holds it until its end. A settlement of the process that is still to be seen has a higher number
 * than all that are.
 * @param db a transaction
 */
export async function recount(db: Kysely<Tables>, instanceId: string): Promise<number> {
  // Taken before the events are read: who has it knows what others did before.
  const mark = await db
    .updateTable('sum_marks')
    .set({ sequence: sql`sequence` })
    .where('instance_id', '=', instanceId)
    .returning(['sequence', 'open_since'])
    .executeTakeFirst();
  if (mark === undefined) return 0;
  const { rows } =
    await sql<Found>`select s.tenant_id, s.created_at, s.sequence, s.status, s.provider, s.model,
      ${sql.raw(tokenColumns.map((name) => `s.${name}`).join(', '))}, s.usage_source, s.cost_micro_usd,
      coalesce(a.key_id, l.key_id, '') as key_id, coalesce(a.operation, l.operation, '') as operation, a.tags,
      coalesce(s.interrupted_at, case when l.status = 'interrupted' then l.settled_at end) as presumed
    from settled s
      left join admitted a on a.tenant_id = s.tenant_id and a.created_at = s.created_at and a.id = s.id
      left join ledger l on l.tenant_id = s.tenant_id and l.created_at = s.created_at and l.id = s.id
    where s.created_at >= ${mark.open_since} and s.sequence > ${mark.sequence} and s.instance_id = ${instanceId}
    order by s.sequence`.execute(db);
  const last = rows.at(-1);
  if (last === undefined) return mark.sequence;
  const sums = new DaySums();
  for (const row of rows) {
    sums.add(row);
    if (row.presumed !== null) sums.takeBack(row);
  }
  await writeSums(db, sums);
  await db
    .updateTable('sum_marks')
    .set({ sequence: last.sequence })
    .where('instance_id', '=', instanceId)
    .execute();
  return last.sequence;
}

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
