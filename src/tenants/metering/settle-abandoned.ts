import { sql } from 'kysely';
import { changeRows, type Db, findRows } from '../../store/rows.ts';
import type { AdmittedRow } from '../../store/schema.ts';
import type { Store } from '../../store/store.ts';
import { DaySums, interrupted } from '../../store/sums/day-sums.ts';
import { recount, writeSums } from '../../store/sums/recount.ts';

type Open = Pick<AdmittedRow, 'tenant_id' | 'created_at' | 'id' | 'key_id' | 'operation' | 'tags'>;

/** How many ends are written by one statement. */
const chunk = 100;

const unsettled = sql`not exists (select 1 from settled s
  where s.created_at = b.created_at and s.id = b.id)`;

/**
 * Ends the requests that dead processes have left open, as interrupted, and adds the settlements of these processes to the
 * sums. Returns how many were open. Done twice, also at once, it does nothing the second time.
 * @param db a transaction
 * @param ids sorted
 */
export async function settleAbandoned(
  db: Db,
  dialect: Store['dialect'],
  ids: readonly string[],
  now: number,
): Promise<number> {
  for (const id of ids) await recount(db, id);
  const open = [...(await openOf(db, dialect, ids)), ...(await openOfVersionBefore(db, ids))];
  const sums = new DaySums();
  let closed = 0;
  for (let at = 0; at < open.length; at += chunk) {
    const some = new Map(open.slice(at, at + chunk).map((row) => [row.id, row]));
    const ended = await db
      .insertInto('settled')
      .values([...some.values()].map((row) => endOf(row, now)))
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .execute();
    for (const { id } of ended) sums.add(interrupted(some.get(id) as Open));
    closed += ended.length;
  }
  await writeSums(db, sums);
  await changeRows(db, 'sum_marks', { instance_id: ids }, { buried_at: now });
  return closed;
}

/** Dead processes of the version before with open requests, by their rows; without `self`. */
export async function leftByVersionBefore({ db }: Store, self: string): Promise<string[]> {
  const { rows } = await sql<{ instance_id: string }>`select distinct instance_id from ledger b
    where settled_at is null and instance_id <> ${self} and instance_id not in (select id from instances)
      and ${unsettled}`.execute(db);
  return rows.map(({ instance_id }) => instance_id);
}

/**
 * Open requests were admitted at `open_since` or later. SQLite finds them tenant by tenant, by the primary key; PostgreSQL
 * by day and by their place on disk.
 */
async function openOf(db: Db, dialect: Store['dialect'], ids: readonly string[]): Promise<readonly Open[]> {
  const from =
    dialect === 'sqlite' ? sql`tenants t cross join admitted b on b.tenant_id = t.id` : sql`admitted b`;
  const marks = await findRows(db, 'sum_marks', { instance_id: ids });
  if (marks.length === 0) return [];
  const since = Math.min(...marks.map(({ open_since }) => open_since));
  const { rows } = await sql<Open>`select b.tenant_id, b.created_at, b.id, b.key_id, b.operation, b.tags
    from ${from} where b.created_at >= ${since} and b.instance_id in (${sql.join([...ids])})
      and ${unsettled} order by 1, 2, 3`.execute(db);
  return rows;
}

async function openOfVersionBefore(db: Db, ids: readonly string[]): Promise<readonly Open[]> {
  const { rows } = await sql<Open>`select b.tenant_id, b.created_at, b.id, b.key_id, b.operation, null as tags
    from ledger b where b.settled_at is null and b.instance_id in (${sql.join([...ids])})
      and ${unsettled} order by 1, 2, 3`.execute(db);
  return rows;
}

function endOf({ tenant_id, created_at, id }: Open, now: number) {
  return {
    tenant_id,
    created_at,
    id,
    instance_id: '',
    sequence: 0,
    interrupted_at: now,
    status: 'interrupted' as const,
    settled_at: now,
  };
}
