import type { Kysely } from 'kysely';
import type { DemoLimitName, LimitState } from '../../contract/limit-state.ts';
import type { StoreClock } from '../../lib/clock.ts';
import type { Tables } from '../../store/schema.ts';
import type { BuildReader, Db } from './build-reader.ts';

/** How many builds, revisions, or plans, one client may ask for in any window of this length, in milliseconds. */
export interface DemoAllowance {
  readonly count: number;
  readonly windowMs: number;
}

export const defaultRevisions: DemoAllowance = { count: 30, windowMs: 3_600_000 };
export const defaultPlans: DemoAllowance = { count: 30, windowMs: 300_000 };

interface AllowanceState {
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
  return limitState(times, { count, windowMs }, since + windowMs);
}

export function allowanceState(
  name: DemoLimitName,
  { count, windowMs }: DemoAllowance,
  { remaining, resetMs }: AllowanceState,
): LimitState {
  return [{ name, limit: count, remaining, resetMs, windowSeconds: windowMs / 1000 }];
}

/** How many demo builds one client may start in any window of this length, in milliseconds. */
export interface DemoLimit {
  readonly builds: number;
  readonly windowMs: number;
}

export const demoLimit: DemoLimit = { builds: 3, windowMs: 300_000 };

/** How long the same request of the same client means the same build, in milliseconds: a double click is one build. */
const sameMs = 10_000;

/**
 * Reads what a client has started, and the build that the same request has started a moment ago. To be called where nobody else
 * writes meanwhile.
 */
export async function demoHits(
  db: Kysely<Tables>,
  { count, windowMs }: DemoAllowance,
  client: string,
  request: string,
  clock: Pick<StoreClock, 'ago'>,
) {
  const since = clock.ago(windowMs);
  const hits = await db
    .selectFrom('demo_hits')
    .select(['job_id', 'request', 'at'])
    .where('client', '=', client)
    .where('at', '>', since)
    .orderBy('at', 'desc')
    .execute();
  const sameSince = clock.ago(sameMs);
  const same = hits.find((hit) => hit.request === request && hit.at > sameSince);
  const times = hits.map(({ at }) => at);
  return { state: limitState(times, { count, windowMs }, since + windowMs), same: same?.job_id ?? null };
}

/**
 * @param times of the hits in the window, latest first
 * @param end of the window, on the scale of the times
 */
export function limitState(
  times: readonly number[],
  { count, windowMs }: DemoAllowance,
  end: number,
): AllowanceState {
  // Where the time has jumped ahead within the window, the times lie further apart than the hits.
  const wait = (time: number) => Math.min(Math.max(1, time + windowMs - end), windowMs);
  // The hit that has to leave the window before there is room again.
  const blocking = times[count - 1];
  const [latest] = times;
  return {
    remaining: Math.max(0, count - times.length),
    retryAfterMs: blocking === undefined ? 0 : wait(blocking),
    resetMs: latest === undefined ? 0 : wait(latest),
  };
}
