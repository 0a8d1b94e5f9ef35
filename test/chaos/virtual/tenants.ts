import type { Random } from '../random.ts';

/** Tenants by how much they ask for, the busiest first. */
export interface Tenants {
  readonly count: number;
  /** Who sends the next request. */
  pick(random: Random): number;
  /** Requests a minute that a tenant sends on average. */
  rate(tenant: number): number;
  /** Requests that it may send in any 60 seconds. */
  limit(tenant: number): number;
}

/** Of what a saturated tenant sends, how much it may; and of what the others send. */
const [saturatedShare, calmShare] = [2 / 3, 3];
/** The least that a tenant may send in a minute. */
const minLimit = 10;

/**
 * Tenants whose requests are as many as Zipf's law has it: the second sends half as many as the first, the third a third.
 * @param perSecond requests of all of them
 * @param saturated whether each second one sends half as much again as it may; the others may send three times what they do
 */
export function zipfTenants(count: number, perSecond: number, saturated: boolean): Tenants {
  const sums = new Float64Array(count);
  let sum = 0;
  for (let rank = 0; rank < count; rank += 1) {
    sum += 1 / (rank + 1);
    sums[rank] = sum;
  }
  const rate = (tenant: number) => (60 * perSecond) / (tenant + 1) / sum;
  return {
    count,
    rate,
    limit(tenant) {
      const most = Math.floor(saturatedShare * rate(tenant));
      if (saturated && tenant % 2 === 0 && most >= minLimit) return most;
      return Math.max(minLimit, Math.ceil(calmShare * rate(tenant)));
    },
    pick(random) {
      const drawn = random.next() * sum;
      let [low, high] = [0, count - 1];
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((sums[middle] as number) < drawn) low = middle + 1;
        else high = middle;
      }
      return low;
    },
  };
}

/** One tenant that sends everything: half again of what it may, or a third. */
export function oneTenant(perSecond: number, saturated: boolean): Tenants {
  const rate = 60 * perSecond;
  return {
    count: 1,
    rate: () => rate,
    limit: () => Math.floor((saturated ? saturatedShare : calmShare) * rate),
    pick: () => 0,
  };
}
