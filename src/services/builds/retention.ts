import type { Store } from '../../store/store.ts';
import { defaultPlans } from './allowance.ts';
import { type BuildState, bareChange } from './build.ts';
import { buildTable } from './build-reader.ts';

/** How long what a build has made is kept, and how long its bare record stays after that, in milliseconds. */
export interface Retention {
  readonly demoMs: number;
  readonly tenantMs: number;
  readonly recordMs: number;
}

const hour = 3_600_000;
export const retention: Retention = { demoMs: 24 * hour, tenantMs: 720 * hour, recordMs: 720 * hour };

/** How much is deleted in one transaction, so that others wait only briefly. */
const batch = 50;

/** Deletes what has had its time. Returns how many builds it was. */
export async function sweep(
  store: Store,
  { recordMs }: Retention,
  windowMs: number,
  planWindowMs = defaultPlans.windowMs,
): Promise<number> {
  const { db, clock } = store;
  const now = clock.now();
  await db.deleteFrom('demo_hits').where('at', '<=', clock.ago(windowMs)).execute();
  await db.deleteFrom('plan_hits').where('at', '<=', clock.ago(planWindowMs)).execute();
  let count = 0;
  for (let more = true; more; ) {
    const expired = await db
      .selectFrom('factory_jobs')
      .select(['id', 'state', 'change'])
      .where('purged_at', 'is', null)
      .where('expires_at', '<=', now)
      .where('finished_at', 'is not', null)
      .limit(batch)
      .execute();
    for (const { id, state, change } of expired) {
      await db.transaction().execute(async (trx) => {
        for (const table of ['factory_events', 'factory_outputs', 'factory_checkpoints'] as const)
          await trx.deleteFrom(table).where('job_id', '=', id).execute();
        await trx
          .updateTable('factory_jobs')
          .set({
            purged_at: now,
            prompt: '',
            options: '{}',
            state: JSON.stringify(bare(JSON.parse(state))),
            change: change && JSON.stringify(bareChange(JSON.parse(change))),
            client: null,
          })
          .where('id', '=', id)
          .execute();
      });
    }
    count += expired.length;
    more = expired.length === batch;
  }
  await buildTable(store).forget('purged_at', now - recordMs);
  return count;
}

function bare(state: BuildState): BuildState {
  const { grasp: _, ...rest } = state;
  return { ...rest, plan: null, checks: [], files: [], artifact: null };
}
