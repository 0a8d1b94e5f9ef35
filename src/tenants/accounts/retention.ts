import { setTimeout as delay } from 'node:timers/promises';
import { ulidAt } from '../../lib/ids.ts';
import { dayMs } from '../../lib/utc.ts';
import type { Store } from '../../store/store.ts';

/** Rows that are deleted at once: on SQLite it holds the write lock and the event loop for about a millisecond. */
const batchSize = 200;
/** Pause between two batches, in milliseconds, in which requests have their turn. */
const pauseMs = 20;

interface RetentionDays {
  /** `AUDIT_RETENTION_DAYS`: of entries of the audit log. */
  readonly audit: number;
  /** `SIGNUP_RETENTION_DAYS`: of sign-ups, from their decision on; one that waits stays. */
  readonly signups: number;
}

/**
 * Deletes entries of the audit log and decided sign-ups that are older than so many days, in small batches, each a statement of
 * its own, so that several processes may do it at once. Ids begin with the time of their making, so that what is young is not even
 * looked at. Returns how many rows it has deleted; ends early when the signal is aborted.
 */
export async function sweepOld(store: Store, days: RetentionDays, signal: AbortSignal): Promise<number> {
  const audit = await inBatches(signal, () => deleteAudit(store, store.clock.now() - days.audit * dayMs));
  return (
    audit + (await inBatches(signal, () => deleteSignups(store, store.clock.now() - days.signups * dayMs)))
  );
}

async function inBatches(signal: AbortSignal, deleteSome: () => Promise<number>): Promise<number> {
  let all = 0;
  while (!signal.aborted) {
    const deleted = await deleteSome();
    all += deleted;
    if (deleted < batchSize) break;
    await delay(pauseMs, undefined, { signal }).catch(() => undefined);
  }
  return all;
}

async function deleteAudit({ db }: Store, before: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('audit')
    .where('id', 'in', (oldest) =>
      oldest.selectFrom('audit').select('id').where('id', '<', ulidAt(before)).orderBy('id').limit(batchSize),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

async function deleteSignups({ db }: Store, before: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('signups')
    .where('id', 'in', (oldest) =>
      oldest
        .selectFrom('signups')
        .select('id')
        .where('status', 'in', ['approved', 'rejected'])
        .where('id', '<', `sig_${ulidAt(before)}`)
        .where('decided_at', '<', before)
        .orderBy('id')
        .limit(batchSize),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
