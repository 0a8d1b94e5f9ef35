import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { dayMs, dayOf, startOfDay } from '../../lib/utc.ts';
import { deletedBefore } from '../../store/ledger.ts';
import { deleteRows, findRow } from '../../store/rows.ts';
import type { Store } from '../../store/store.ts';

/** Rows that are deleted at once: on SQLite it holds the write lock and the event loop for about two milliseconds. */
const batchSize = 200;
/** Pause between two batches, in milliseconds, in which requests have their turn. */
const pauseMs = 20;

/**
 * Deletes the settled rows of requests that were admitted before the last `days` whole days in UTC. The sums of the days
 * stay. On PostgreSQL whole days are dropped where nothing in them is open. The rest is deleted tenant by tenant in small
 * batches, each a transaction of its own, so several processes may do it at once. Returns how many rows it has deleted;
 * ends early when the signal is aborted.
 */
export async function sweepLedger(store: Store, days: number, signal: AbortSignal): Promise<number> {
  const before = startOfDay(dayOf(store.clock.now() - days * dayMs));
  if (signal.aborted) return 0;
  // Settlements of ended processes are read from their events, every few seconds.
  await store.ledger.sum(store.clock.now());
  await writeDown(store, before);
  let deleted = await store.ledger.dropDays(before, store.clock.now());
  for (let tenantId = await nextTenant(store, ''); tenantId !== null; ) {
    if (signal.aborted) break;
    // Ends of what the version before admitted go after it: without them it would be open again.
    const older = await deleteOlder(store, tenantId, before);
    const events = older < batchSize ? await deleteEvents(store, tenantId, before) : 0;
    deleted += older + events;
    if (Math.max(older, events) < batchSize) tenantId = await nextTenant(store, tenantId);
    else await delay(pauseMs, undefined, { signal }).catch(() => undefined);
  }
  return deleted;
}

/** Before anything is deleted, so that a check of the database can tell missing rows from deleted ones. */
async function writeDown({ db }: Store, before: number): Promise<void> {
  await sql`insert into settings (name, value) values (${deletedBefore}, ${String(before)})
    on conflict (name) do update set value = excluded.value where cast(settings.value as bigint) < ${before}`.execute(
    db,
  );
}

async function nextTenant({ db }: Store, after: string): Promise<string | null> {
  return (await findRow(db, 'tenants', {}, sql`and id > ${after} order by id`))?.id ?? null;
}

/** Beginning and end in one transaction, the beginning last to be looked for. */
async function deleteEvents({ db }: Store, tenantId: string, before: number): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ created_at: number; id: string }>`select created_at, id from settled
      where tenant_id = ${tenantId} and created_at < ${before} order by created_at, id limit ${batchSize}`.execute(
      transaction,
    );
    if (rows.length === 0) return 0;
    const last = rows.at(-1)?.created_at ?? 0;
    const ids = rows.map(({ id }) => id);
    for (const table of ['admitted', 'settled'] as const)
      await deleteRows(transaction, table, { tenant_id: tenantId, id: ids }, sql`and created_at <= ${last}`);
    return rows.length;
  });
}

/** Deletes the rows that versions before wrote. */
async function deleteOlder({ db }: Store, tenantId: string, before: number): Promise<number> {
  const { numAffectedRows } = await sql`delete from ledger where (tenant_id, created_at, seq) in (
    select tenant_id, created_at, seq from ledger l
    where tenant_id = ${tenantId} and created_at < ${before} and (settled_at is not null
      or exists (select 1 from settled s
        where s.created_at = l.created_at and s.id = l.id))
    order by created_at, seq limit ${batchSize})`.execute(db);
  return Number(numAffectedRows ?? 0n);
}
