/** The limits of a tenant's plan as needs of buckets, and how they stand. */

import type { StoreClock } from '../../lib/clock.ts';
import { dayMs, dayOf, monthOf, startOfDay, startOfMonth } from '../../lib/utc.ts';
import {
  type Bucket,
  type BucketStatus,
  exactEntries,
  minuteMs,
  type Need,
  roundedMs,
  type Seed,
  type Window,
} from '../../limits/authority.ts';
import type { SeedSource } from '../../limits/seeding.ts';
import type { Admitted, HotLedger } from '../../store/ledger.ts';
import type { Limits } from '../accounts/plans.ts';
import type { LimitName, LimitState, LimitStatus } from './limit-state.ts';

interface PlanLimit {
  readonly field: keyof Limits;
  readonly path: string;
  readonly window: Window;
  readonly unit: Need['unit'];
}

/** In the order in which they are reported. */
const planLimits: Readonly<Record<LimitName, PlanLimit>> = {
  minute: { field: 'requestsPerMinute', path: 'requests/minute', window: 'minute', unit: 'requests' },
  day: { field: 'requestsPerDay', path: 'requests/day', window: 'day', unit: 'requests' },
  month: { field: 'requestsPerMonth', path: 'requests/month', window: 'month', unit: 'requests' },
  tokens: { field: 'tokensPerMinute', path: 'tokens/minute', window: 'minute', unit: 'tokens' },
  concurrency: { field: 'concurrentRequests', path: 'running', window: 'running', unit: 'running' },
};

export const planLimitNames = Object.keys(planLimits) as readonly LimitName[];

/** A need that the plan demands. */
interface PlanNeed extends Need {
  readonly plan: LimitName;
}

/** Which of the plan's limits a need is of; null: of none. */
export function planLimitOf(need: Need): LimitName | null {
  return (need as Partial<PlanNeed>).plan ?? null;
}

function bucketIdOf(tenantId: string, name: LimitName): string {
  return `${tenantId}/${planLimits[name].path}`;
}

/** By the ids of their buckets. */
const sortedNames = [...planLimitNames].sort((one, other) =>
  planLimits[one].path < planLimits[other].path ? -1 : 1,
);

interface PlanDemand {
  readonly tenantId: string;
  readonly needs: readonly PlanNeed[];
  /** Buckets of requests of which the plan sets no limit. */
  readonly uncounted: readonly string[];
}

/** The demands of a tenant's plan on each of its requests, by its limits: the same object for the same limits. */
const kept = new WeakMap<Limits, PlanDemand>();

function demandOf(tenantId: string, limits: Limits): PlanDemand {
  const found = kept.get(limits);
  if (found?.tenantId === tenantId) return found;
  const isLimited = (name: LimitName) => limits[planLimits[name].field] !== null;
  const made = {
    tenantId,
    needs: sortedNames.filter(isLimited).map((name) => needOf(tenantId, name, limits)),
    uncounted: planLimitNames
      .filter((name) => planLimits[name].unit === 'requests' && !isLimited(name))
      .map((name) => bucketIdOf(tenantId, name)),
  };
  kept.set(limits, made);
  return made;
}

/**
 * The needs of a request by the limits of its tenant, in the order of the buckets' ids.
 * @param tokens that it may use. One that names none still needs a limit that is not spent.
 */
export function planNeeds(tenantId: string, limits: Limits, tokens = 0): readonly Need[] {
  const { needs } = demandOf(tenantId, limits);
  if (limits.tokensPerMinute === null) return needs;
  return needs.map((need) => (need.unit === 'tokens' ? { ...need, amount: Math.max(1, tokens) } : need));
}

/** Buckets of a tenant's requests that are not counted, as there is no limit. */
export function uncountedBuckets(tenantId: string, limits: Limits): readonly string[] {
  return demandOf(tenantId, limits).uncounted;
}

function needOf(tenantId: string, name: LimitName, limits: Limits): PlanNeed {
  const { field, window, unit } = planLimits[name];
  const bucket: Bucket = { id: bucketIdOf(tenantId, name), window, limit: limits[field] };
  return { bucket, amount: 1, unit, name, hard: true, plan: name };
}

/**
 * The state of the plan's limits, in the order in which they are reported.
 * @param standings those of the needs, which may have others between them
 * @param now by the time of the store
 * @param busy whether a request was just admitted, which counts for a minute from now on
 */
export function planState(
  needs: readonly Need[],
  standings: readonly BucketStatus[],
  now: number,
  busy: boolean,
): LimitState {
  const statuses: LimitStatus[] = [];
  for (const name of planLimitNames) {
    for (let index = 0; index < needs.length; index += 1) {
      const need = needs[index] as Need;
      const standing = standings[index];
      if (standing && planLimitOf(need) === name) statuses.push(statusOf(name, need, standing, now, busy));
    }
  }
  return statuses;
}

export function statusOf(
  name: LimitName,
  { bucket }: Need,
  { used, resetMs }: BucketStatus,
  now: number,
  busy: boolean,
): LimitStatus {
  const limit = bucket.limit ?? 0;
  const remaining = Math.max(0, limit - used);
  const windowed = (windowMs: number, reset: number) =>
    ({ name, limit, remaining, resetMs: reset, windowSeconds: windowMs / 1000 }) as const;
  if (name === 'day') return windowed(dayMs, startOfDay(dayOf(now) + 1) - now);
  if (name === 'month') {
    const end = startOfMonth(monthOf(now) + 1);
    return windowed(end - startOfMonth(monthOf(now)), end - now);
  }
  if (name === 'concurrency') return { name, limit, remaining, resetMs: null, windowSeconds: null };
  // Leased amounts count a little longer.
  return windowed(minuteMs, busy ? minuteMs : Math.min(resetMs ?? 0, minuteMs));
}

/**
 * The use of buckets according to the ledger. For a plan's limits this knows it; for others `others` is asked, and without
 * it they begin with nothing.
 */
export function seedSource(
  ledger: HotLedger,
  clock: StoreClock,
  others: SeedSource = async () => [],
): SeedSource {
  return async (needs) => {
    const foreign: Need[] = [];
    const seeds: Promise<Seed>[] = [];
    for (const need of needs) {
      const tenantId = need.bucket.id.slice(0, need.bucket.id.indexOf('/'));
      if (planLimitOf(need) === null) foreign.push(need);
      else seeds.push(seedOf(ledger, clock, tenantId, need));
    }
    const own = await Promise.all(seeds);
    if (foreign.length === 0) return own;
    const found = new Map((await others(foreign)).map((seed) => [seed.bucketId, seed]));
    return [
      ...own,
      ...foreign.map(({ bucket: { id, window } }): Seed => {
        return found.get(id) ?? { bucketId: id, window, entries: [], used: 0 };
      }),
    ];
  };
}

async function seedOf(ledger: HotLedger, clock: StoreClock, tenantId: string, need: Need): Promise<Seed> {
  const { id: bucketId, window } = need.bucket;
  const seed = { bucketId, window };
  if (window === 'minute') {
    const admitted = await ledger.admitted(tenantId, clock.ago(minuteMs) + 1);
    return { ...seed, ...minuteOf(admitted, clock, need.unit === 'tokens' ? 'tokens' : 'count') };
  }
  const now = clock.now();
  const since = window === 'day' ? startOfDay(dayOf(now)) : startOfMonth(monthOf(now));
  return { ...seed, entries: [], used: await ledger.countSince(tenantId, since) };
}

function minuteOf(
  admitted: readonly Admitted[],
  clock: StoreClock,
  what: 'count' | 'tokens',
): Pick<Seed, 'entries' | 'used'> {
  const exact = admitted.length <= exactEntries;
  const sums = new Map<number, number>();
  let used = 0;
  for (const one of admitted) {
    const amount = one[what];
    const elapsed = clock.elapsedAt(one.at);
    if (amount === 0 || elapsed === null) continue;
    used += amount;
    const at = exact ? elapsed : Math.ceil(elapsed / roundedMs) * roundedMs;
    sums.set(at, (sums.get(at) ?? 0) + amount);
  }
  return { entries: [...sums].sort(([one], [other]) => one - other), used };
}
