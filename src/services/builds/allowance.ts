import { ServiceError } from '../../contract/errors.ts';
import type { DemoLimitName, LimitState } from '../../contract/limit-state.ts';
import type { StoreClock } from '../../lib/clock.ts';
import type { Db } from './build-reader.ts';

/** How many builds, revisions, or plans, one client may ask for in any window of this length, in milliseconds. */
export interface DemoAllowance {
  readonly name: DemoLimitName;
  readonly count: number;
  readonly windowMs: number;
}

export const defaultRevisions: DemoAllowance = { name: 'demo-revisions', count: 30, windowMs: 3_600_000 };
export const defaultPlans: DemoAllowance = { name: 'demo-plans', count: 30, windowMs: 300_000 };

/** How many demo builds one client may start in any window of this length, in milliseconds. */
export interface DemoLimit {
  readonly builds: number;
  readonly windowMs: number;
}

export const demoLimit: DemoLimit = { builds: 3, windowMs: 300_000 };

interface AllowanceState {
  readonly remaining: number;
  /** Milliseconds until there is some again; 0 when there is. */
  readonly retryAfterMs: number;
  /** Milliseconds until all of it is there again. */
  readonly resetMs: number;
}

type Clock = Pick<StoreClock, 'ago'>;

/** A client's remaining revisions. Rejects with `StoreError`. */
export async function revisionsOfClient(db: Db, clock: Clock, client: string, allowance: DemoAllowance) {
  const since = clock.ago(allowance.windowMs);
  const rows = await db
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

/** A client's remaining plans. Rejects with `StoreError`. */
export async function plansOfClient(db: Db, clock: Clock, client: string, allowance: DemoAllowance) {
  const since = clock.ago(allowance.windowMs);
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

/** How long the same request of the same client means the same build, in milliseconds: a double click is one build. */
const sameMs = 10_000;

/**
 * Reads the builds that a client has started, and the one that the same request has started a moment ago. To be called
 * while no one else writes.
 */
export async function demoHits(
  db: Db,
  allowance: Omit<DemoAllowance, 'name'>,
  client: string,
  request: string,
  clock: Clock,
) {
  const since = clock.ago(allowance.windowMs);
  const hits = await db
    .selectFrom('demo_hits')
    .select(['job_id', 'request', 'at'])
    .where('client', '=', client)
    .where('at', '>', since)
    .orderBy('at', 'desc')
    .execute();
  const sameSince = clock.ago(sameMs);
  const same = hits.find((hit) => hit.request === request && hit.at > sameSince);
  return { state: stateOf(hits, allowance, since), same: same?.job_id ?? null };
}

function stateOf(
  rows: readonly { readonly at: number }[],
  allowance: Omit<DemoAllowance, 'name'>,
  since: number,
): AllowanceState {
  const times = rows.map(({ at }) => Number(at));
  return limitState(times, allowance, since + allowance.windowMs);
}

/**
 * @param times of the hits in the window, latest first
 * @param end of the window, on the scale of the times
 */
export function limitState(
  times: readonly number[],
  { count, windowMs }: Omit<DemoAllowance, 'name'>,
  end: number,
): AllowanceState {
  if (count === 0) return { remaining: 0, retryAfterMs: windowMs, resetMs: windowMs };
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

type TellLimits = (limits: LimitState) => void;

export function tellState(
  { name, count, windowMs }: DemoAllowance,
  { remaining, resetMs }: Pick<AllowanceState, 'remaining' | 'resetMs'>,
  tellLimits: TellLimits,
): void {
  tellLimits([{ name, limit: count, remaining, resetMs, windowSeconds: windowMs / 1000 }]);
}

const allowed = { demo: 'builds', 'demo-revisions': 'revisions', 'demo-plans': 'plans' } as const;

/** Throws `demo_limited` where a client has nothing left of an allowance. */
export function requireLeft(allowance: DemoAllowance, state: AllowanceState, tellLimits: TellLimits): void {
  if (state.remaining > 0) return;
  tellState(allowance, state, tellLimits);
  const { name, count, windowMs } = allowance;
  const retryAfter = Math.ceil(state.retryAfterMs / 1000);
  const again = `Try again in ${retryAfter} ${retryAfter === 1 ? 'second' : 'seconds'}.`;
  const message = `The demo allows ${count} ${allowed[name]} in ${windowMs / 1000} seconds for each address. ${again}`;
  throw new ServiceError('demo_limited', message, { retryAfter });
}

/** Reports to a client its allowance after one more. @param state before it */
export function tellTaken(allowance: DemoAllowance, state: AllowanceState, tellLimits: TellLimits): void {
  tellState(allowance, { remaining: state.remaining - 1, resetMs: allowance.windowMs }, tellLimits);
}
