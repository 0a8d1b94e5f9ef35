import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { dayMs, dayOf, startOfDay } from '../lib/utc.ts';
import type { Store } from '../store/store.ts';

/** Rows that are deleted at once: on SQLite it holds the write lock and the event loop for about two milliseconds. */
const batchSize = 200;
/** Pause between two batches, in milliseconds, in which requests have their turn. */
const pauseMs = 20;

/**
 * Deletes the settled rows of requests that were admitted before the last `days` whole days in UTC. The sums of the days
 * stay. Goes from tenant to tenant in small batches, each a transaction of its own, so several processes may do it at
 * once. Returns how many rows it has deleted; ends early when the signal is aborted.
 */
export async function sweepLedger(store: Store, days: number, signal: AbortSignal): Promise<number> {
  const before = startOfDay(dayOf(store.clock.now() - days * dayMs));
  let deleted = 0;
  for (let tenantId = await nextTenant(store, ''); tenantId !== null; ) {
    if (signal.aborted) break;
    const count = await deleteBatch(store, tenantId, before);
    deleted += count;
    if (count < batchSize) tenantId = await nextTenant(store, tenantId);
    else await delay(pauseMs, undefined, { signal }).catch(() => undefined);
  }
  return deleted;
}

async function nextTenant({ db }: Store, after: string): Promise<string | null> {
  const row = await db
    .selectFrom('tenants')
    .select('id')
    .where('id', '>', after)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

async function deleteBatch({ db }: Store, tenantId: string, before: number): Promise<number> {
  const { numAffectedRows } = await sql`delete from ledger where (tenant_id, created_at, seq) in (
    select tenant_id, created_at, seq from ledger
    where tenant_id = ${tenantId} and created_at < ${before} and settled_at is not null
    order by created_at, seq limit ${batchSize})`.execute(db);
  return Number(numAffectedRows ?? 0n);
}
