import type { DemoLimitName, LimitState } from '../../contract/limit-state.ts';
import type { BuildReader, Db } from './build-reader.ts';
import { limitState } from './demo-limit.ts';

/** How many revisions, or plans, one client may ask for in any window of this length, in milliseconds. */
export interface DemoAllowance {
  readonly count: number;
  readonly windowMs: number;
}

export const defaultRevisions: DemoAllowance = { count: 30, windowMs: 3_600_000 };
export const defaultPlans: DemoAllowance = { count: 30, windowMs: 300_000 };

/** How much of an allowance is left. */
export interface AllowanceState {
  readonly remaining: number;
  /** Milliseconds until there is some again; 0 when there is. */
  readonly retryAfterMs: number;
  /** Milliseconds until all of it is there again. */
  readonly resetMs: number;
}

/** What a client has left of its revisions. Rejects with `StoreError`. */
export async function revisionsOfClient(
  db: Db | undefined,
  builds: Pick<BuildReader, 'db' | 'ago'>,
  client: string,
  allowance: DemoAllowance,
): Promise<AllowanceState> {
  const since = builds.ago(allowance.windowMs);
  const rows = await (db ?? builds.db)
    .selectFrom('factory_jobs')
    .select('created_at as at')
    .where('client', '=', client)
    .where('base_id', 'is not', null)
    .where('created_at', '>', since)
    .orderBy('created_at', 'desc')
    .limit(Math.max(1, allowance.count))
    .execute();
  return stateOf(rows, allowance, since);
}

/** What a client has left of its plans. Rejects with `StoreError`. */
export async function plansOfClient(
  db: Db,
  builds: Pick<BuildReader, 'ago'>,
  client: string,
  allowance: DemoAllowance,
): Promise<AllowanceState> {
  const since = builds.ago(allowance.windowMs);
  const rows = await db
    .selectFrom('plan_hits')
    .select('at')
    .where('client', '=', client)
    .where('at', '>', since)
    .orderBy('at', 'desc')
    .limit(Math.max(1, allowance.count))
    .execute();
  return stateOf(rows, allowance, since);
}

function stateOf(
  rows: readonly { readonly at: number }[],
  { count, windowMs }: DemoAllowance,
  since: number,
): AllowanceState {
  if (count === 0) return { remaining: 0, retryAfterMs: windowMs, resetMs: windowMs };
  const times = rows.map(({ at }) => Number(at));
  return limitState(times, { builds: count, windowMs }, since + windowMs);
}

/** The same as replies tell it. */
export function allowanceState(
  name: DemoLimitName,
  { count, windowMs }: DemoAllowance,
  { remaining, resetMs }: AllowanceState,
): LimitState {
  return [{ name, limit: count, remaining, resetMs, windowSeconds: windowMs / 1000 }];
}
