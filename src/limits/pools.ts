import type { Need, Return, Standing } from './authority.ts';
import { type Lease, Pool } from './pool.ts';

/** From which grant something was taken, so that the rest of it can be given back. It is kept as JSON. */
export interface Taken extends Omit<Return, 'amount'> {
  readonly holder: string;
  readonly unit: Need['unit'];
  readonly amount: number;
}

export type Taking =
  | {
      readonly granted: true;
      /** One for each need; none where limits were not asked for, as the authority is away. */
      readonly taken: readonly Taken[];
      readonly standings: readonly Standing[];
      /** When it was granted, by the time of the authority; null: now, of a lease. */
      readonly at: number | null;
    }
  | {
      readonly granted: false;
      /** Of the need that has to wait longest. */
      readonly index: number;
      readonly waitMs: number | null;
      readonly standings: readonly Standing[];
    };

/** When a bucket is forgotten that nobody has asked for, in milliseconds. */
const idleMs = 300_000;

/** What this process knows of all buckets, and what is leased to it. */
export class Pools {
  readonly #holder: string;
  readonly #clock: { monotonic(): number; elapsed(): number };
  readonly #pools = new Map<string, Pool>();
  /** Those with a lease of which something is left. */
  readonly leased = new Set<Pool>();

  constructor(holder: string, clock: { monotonic(): number; elapsed(): number }) {
    this.#holder = holder;
    this.#clock = clock;
  }

  get(id: string): Pool | undefined {
    return this.#pools.get(id);
  }

  of({ bucket: { id, window } }: Need): Pool {
    const known = this.#pools.get(id);
    if (known) return known;
    const pool = new Pool(id, window, this.#clock.monotonic());
    this.#pools.set(id, pool);
    return pool;
  }

  /** Has a bucket seeded again from the ledger at the next ask. */
  invalidate(id: string): void {
    const pool = this.#pools.get(id);
    if (pool) pool.seeded = false;
  }

  forgetIdle(): void {
    const now = this.#clock.monotonic();
    for (const [id, pool] of this.#pools) {
      if (now - pool.askedAt > idleMs && pool.held === 0 && !this.leased.has(pool)) this.#pools.delete(id);
    }
  }

  /** How buckets stand as far as this process knows; null where it does not know of one. */
  known(needs: readonly Need[]): readonly Standing[] | null {
    const now = this.#clock.elapsed();
    const standings: Standing[] = [];
    for (const { bucket } of needs) {
      const standing = this.#pools.get(bucket.id)?.standing(now);
      if (!standing) return null;
      standings.push(standing);
    }
    return standings;
  }

  /** Takes from leases, or refuses by a refusal that is remembered; null: the authority has to be asked. */
  take(needs: readonly Need[]): Taking | null {
    const now = this.#clock.monotonic();
    const pools: Pool[] = [];
    const leases: Lease[] = [];
    for (let index = 0; index < needs.length; index += 1) {
      const need = needs[index] as Need;
      const pool = this.#pools.get(need.bucket.id);
      if (!pool?.seeded) return null;
      const waitMs = pool.refusedFor(need, this.#clock);
      if (waitMs !== null) {
        const standings = this.known(needs);
        return standings && { granted: false, index, waitMs, standings };
      }
      const lease = pool.leaseFor(need.amount, now);
      if (lease === null) return null;
      pools.push(pool);
      leases.push(lease);
    }
    const elapsed = this.#clock.elapsed();
    const taken: Taken[] = [];
    const standings: Standing[] = [];
    for (let index = 0; index < needs.length; index += 1) {
      const need = needs[index] as Need;
      const pool = pools[index] as Pool;
      const lease = leases[index] as Lease;
      lease.left -= need.amount;
      taken.push(takenOf(need, lease.until, this.#holder));
      standings.push(pool.standing(elapsed) as Standing);
    }
    return { granted: true, taken, standings, at: null };
  }

  /** Adds to what this process has running of buckets; with the sign -1 it takes it off. */
  hold(taken: readonly Taken[], sign: 1 | -1): void {
    for (const { bucketId, window, holder, amount } of taken) {
      const pool = window === 'running' && holder === this.#holder ? this.#pools.get(bucketId) : undefined;
      if (pool) pool.held += sign * amount;
    }
  }
}

export function takenOf({ bucket, amount, unit }: Need, until: number, holder: string): Taken {
  return { bucketId: bucket.id, window: bucket.window, until, holder, unit, amount };
}

/** What is to be given back with the next call, summed by the grant. */
export class Returns {
  #sums = new Map<string, Return & { amount: number }>();

  get size(): number {
    return this.#sums.size;
  }

  add({ bucketId, window, until, holder, amount }: Return): void {
    const key = window === 'running' ? `${bucketId}\n${holder ?? ''}` : `${bucketId}\n${until}`;
    const sum = this.#sums.get(key);
    if (sum) sum.amount += amount;
    else this.#sums.set(key, { bucketId, window, until, ...(holder && { holder }), amount });
  }

  addAll(returns: Iterable<Return>): void {
    for (const one of returns) this.add(one);
  }

  /** All of them, which are no longer here then. */
  take(): Return[] {
    if (this.#sums.size === 0) return [];
    const all = [...this.#sums.values()].filter(({ amount }) => amount !== 0);
    this.#sums = new Map();
    return all;
  }
}
