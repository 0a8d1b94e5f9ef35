import type { StoreClock } from '../../lib/clock.ts';
import { dayOf, monthOf, startOfDay, startOfMonth } from '../../lib/utc.ts';
import type { Seed } from '../../limits/authority.ts';
import type { Need } from '../../limits/need.ts';
import type { SeedSource } from '../../limits/seeding.ts';
import { exactEntries, minuteMs, roundedMs } from '../../limits/terms.ts';
import type { Admitted, Ledger } from '../../store/ledger.ts';
import { planLimitOf } from './plan-needs.ts';

/**
 * What the ledger says was used of buckets. Of a plan's limits it is known here; for others `others` is asked, and without it
 * they begin with nothing.
 */
export function seedSource(
  ledger: Ledger,
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
    const told = new Map((await others(foreign)).map((seed) => [seed.bucketId, seed]));
    return [
      ...own,
      ...foreign.map(({ bucket: { id, window } }): Seed => {
        return told.get(id) ?? { bucketId: id, window, entries: [], used: 0 };
      }),
    ];
  };
}

async function seedOf(ledger: Ledger, clock: StoreClock, tenantId: string, need: Need): Promise<Seed> {
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
