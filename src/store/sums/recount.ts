import { sql } from 'kysely';
import { despiteLocks } from '../errors.ts';
import { changeRows, type Db, findRows, putRows } from '../rows.ts';
import { tokenColumns } from '../token-columns.ts';
import { DaySums, type Summed } from './day-sums.ts';
import { TagBounds } from './tag-bounds.ts';

/** The columns by which a table of sums is found. */
export const usageKey = ['tenant_id', 'day', 'key_id', 'operation', 'provider', 'model'] as const;

export const tagKey = ['tenant_id', 'day', 'tag', 'value', 'model'] as const;

type Found = Summed & { readonly sequence: number; readonly presumed: number | null };

/**
 * Brings the sums up to what a process has settled, from its events: for one that is dead, or that does not know itself how
 * far they are. Each event is counted once, whoever does this and how often: the mark moves with the sums, in this
 * transaction, which holds it until its end. A settlement of the process that is still to be seen has a higher number than
 * all that are.
 * @param db a transaction
 */
export async function recount(db: Db, instanceId: string): Promise<number> {
  // Taken before the events are read: who has it knows what others did before.
  const taken = sql<{ sequence: number; open_since: number }>`update sum_marks set sequence = sequence
    where instance_id = ${instanceId} returning sequence, open_since`;
  const [mark] = (await taken.execute(db)).rows;
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
  await changeRows(db, 'sum_marks', { instance_id: instanceId }, { sequence: last.sequence });
  return last.sequence;
}

/** Adds to the sums that are stored. Rejects with `StoreError`. */
export async function writeSums(db: Db, sums: DaySums): Promise<void> {
  await new TagBounds().apply(db, sums);
  const addedIn = (table: string) => (name: string) =>
    sql`${sql.ref(`${table}.${name}`)} + ${sql.ref(`excluded.${name}`)}`;
  for (const row of sums.usage()) await putRows(db, 'usage_sums', usageKey, [row], addedIn('usage_sums'));
  for (const row of sums.tags())
    await putRows(db, 'usage_tag_days', tagKey, [row], addedIn('usage_tag_days'));
}

/**
 * Brings the sums up to what every process has settled, the running ones too: every request answered before this is in them
 * after it. A running process finds its mark moved and makes its next sums from its events, so this is for rare queries;
 * within a second processes write theirs anyway. Rejects with `StoreError`.
 */
export async function sumOfAll(db: Db): Promise<void> {
  const marks = await findRows(db, 'sum_marks', { buried_at: null }, sql`order by instance_id`);
  for (const { instance_id } of marks)
    await despiteLocks(() => db.transaction().execute((trx) => recount(trx, instance_id)));
}
