import {
  type BucketStatus,
  leaseMs,
  minLease,
  type Need,
  type Reservation,
  type ReservationResult,
  type Return,
  reservationOf,
  type Window,
} from './authority.ts';

export interface Lease {
  readonly until: number;
  left: number;
  /** By the monotonic clock of this process. */
  readonly deadline: number;
}

/** How long a refusal is remembered at most, in milliseconds: others may give back before the time that was named. */
const rememberedMs = 250;

/** The state of one bucket as this process knows it, and its share of it. */
export class Pool {
  readonly id: string;
  /** Whether the authority knows what the ledger holds of it. */
  seeded: boolean;
  /** Of running requests: how many this process certainly has. */
  held = 0;
  /** When a request last went to the authority, by the monotonic clock. */
  askedAt: number;
  readonly #window: Window;
  #leases: Lease[] = [];
  #standing: { used: number; resetsAt: number | null; at: number } | null = null;
  readonly #demand = new Demand();
  /** The call for which it was last said what is expected. */
  #expectedFor = 0;
  #refusal: { need: number; limit: number | null; until: number; forgottenAt: number } | null = null;

  /** @param now by the monotonic clock */
  constructor(id: string, window: Window, now: number) {
    this.id = id;
    this.#window = window;
    this.seeded = window === 'running';
    this.askedAt = now;
  }

  /** A lease that has so much; null: none has. */
  leaseFor(amount: number, now: number): Lease | null {
    for (const lease of this.#leases) if (lease.left >= amount && now < lease.deadline) return lease;
    return null;
  }

  lend(lease: Lease): void {
    this.#leases.push(lease);
  }

  get hasLease(): boolean {
    return this.#leases.length > 0;
  }

  /** Whether a lease is over, or nothing is left of one. */
  isOver(now: number): boolean {
    return this.#leases.some(({ deadline, left }) => now >= deadline || left === 0);
  }

  /** The remainders of leases that are over by then; the leases are dropped. */
  leases(now: number): Return[] {
    const over = this.#leases.filter(({ deadline, left }) => now >= deadline || left === 0);
    if (over.length === 0) return [];
    this.#leases = this.#leases.filter((lease) => !over.includes(lease));
    return over
      .filter(({ left }) => left > 0)
      .map(({ until, left }) => ({ bucketId: this.id, window: this.#window, until, amount: left }));
  }

  /** A request has come. */
  count(now: number): void {
    this.#demand.count(now);
  }

  /** How many requests are to be expected within a lease, said once for a call; 0 where a lease is not worth it. */
  expected(call: number, now: number): number {
    if (this.#expectedFor === call) return 0;
    this.#expectedFor = call;
    const expected = this.#demand.expected(now);
    return expected < minLease ? 0 : expected;
  }

  learn({ used, resetMs }: BucketStatus, now: number): void {
    this.#standing = { used, resetsAt: resetMs === null ? null : now + resetMs, at: now };
  }

  /** How it stands as far as this process knows: its own leased and unused amount counts for others only. */
  standing(now: number): BucketStatus | null {
    if (this.#standing === null) return null;
    const { used, resetsAt } = this.#standing;
    if (resetsAt === null)
      return { used: this.#window === 'running' ? Math.max(used, this.held) : used, resetMs: null };
    if (now >= resetsAt) return { used: 0, resetMs: 0 };
    let unused = 0;
    for (const { left } of this.#leases) unused += left;
    return { used: Math.max(0, used - unused), resetMs: resetsAt - now };
  }

  /** Remembers that there was not enough, so that the authority is not asked by every request. */
  refuse({ bucket, amount }: Need, waitMs: number | null, clock: { elapsed(): number }): void {
    if (bucket.window === 'running' || waitMs === null) return;
    const now = clock.elapsed();
    const forgottenAt = now + Math.min(waitMs, rememberedMs);
    this.#refusal = { need: amount, limit: bucket.limit, until: now + waitMs, forgottenAt };
  }

  /** How long such a need has to wait, as is known here; null: it may be asked for. */
  refusedFor({ bucket, amount, hard }: Need, clock: { elapsed(): number }): number | null {
    const refusal = this.#refusal;
    if (refusal === null || !hard) return null;
    const now = clock.elapsed();
    // A clock that went back knows nothing of it.
    const gone = now >= refusal.forgottenAt || now < refusal.forgottenAt - rememberedMs;
    if (gone) this.#refusal = null;
    if (gone || amount < refusal.need || bucket.limit !== refusal.limit) return null;
    return refusal.until - now;
  }

  /** Something comes back, so that there may be enough. */
  gaveBack(amount: number): void {
    if (amount <= 0) return;
    this.#refusal = null;
    if (this.#standing && this.#window !== 'running')
      this.#standing.used = Math.max(0, this.#standing.used - amount);
  }
}

const slotMs = 100;
/** This slot and the one before it; a gap of one; and those further back. */
const recentSlots = 2;
const olderFrom = 3;
const slots = 7;

/**
 * How many requests come for one bucket, by which the size of its leases is foretold. Only what lasts counts: the rate is
 * the lesser of that of the last 100 to 200 ms and that of 400 ms before, with a gap between them. However many come at
 * once, within 100 ms, are not in both, so a burst leases nothing that would stay unused after it.
 */
export class Demand {
  readonly #counts = new Array<number>(slots).fill(0);
  #slot = 0;

  /** @param now milliseconds by the monotonic clock */
  count(now: number): void {
    this.#advance(now);
    const place = this.#slot % slots;
    this.#counts[place] = (this.#counts[place] ?? 0) + 1;
  }

  /** How many requests are to be expected within the time of a lease. */
  expected(now: number): number {
    this.#advance(now);
    const recentMs = (recentSlots - 1) * slotMs + (now - this.#slot * slotMs);
    const recent = this.#sum(0, recentSlots) / Math.max(slotMs, recentMs);
    const older = this.#sum(olderFrom, slots) / ((slots - olderFrom) * slotMs);
    return Math.ceil(Math.min(recent, older) * leaseMs);
  }

  /** Of the slots so far back, from the first to before the second. */
  #sum(from: number, to: number): number {
    let sum = 0;
    for (let back = from; back < to; back += 1) sum += this.#counts[(this.#slot + slots - back) % slots] ?? 0;
    return sum;
  }

  #advance(now: number): void {
    const slot = Math.max(this.#slot, Math.floor(now / slotMs));
    const first = Math.max(this.#slot + 1, slot - slots + 1);
    for (let passed = first; passed <= slot; passed += 1) this.#counts[passed % slots] = 0;
    this.#slot = slot;
  }
}

/** How long a bucket may be unused before it is forgotten, in milliseconds. */
const idleMs = 300_000;

/** All buckets that this process knows, with its leases. */
export class Pools extends Map<string, Pool> {
  readonly #holder: string;
  readonly #clock: { monotonic(): number; elapsed(): number };
  /** Those with a lease of which something is left. */
  readonly leased = new Set<Pool>();

  constructor(holder: string, clock: { monotonic(): number; elapsed(): number }) {
    super();
    this.#holder = holder;
    this.#clock = clock;
  }

  of({ bucket: { id, window } }: Need): Pool {
    const known = this.get(id);
    if (known) return known;
    const pool = new Pool(id, window, this.#clock.monotonic());
    this.set(id, pool);
    return pool;
  }

  forgetIdle(): void {
    const now = this.#clock.monotonic();
    for (const [id, pool] of this) {
      if (now - pool.askedAt > idleMs && pool.held === 0 && !this.leased.has(pool)) this.delete(id);
    }
  }

  /** How buckets stand as far as this process knows; null where it does not know of one. */
  known(needs: readonly Need[]): readonly BucketStatus[] | null {
    const now = this.#clock.elapsed();
    const standings = needs.map(({ bucket }) => this.get(bucket.id)?.standing(now) ?? null);
    return standings.every((standing) => standing !== null) ? standings : null;
  }

  /** Takes from leases, or refuses by a refusal that is remembered; null: the authority has to be asked. */
  take(needs: readonly Need[]): ReservationResult | null {
    const now = this.#clock.monotonic();
    const pools: Pool[] = [];
    const leases: Lease[] = [];
    for (let index = 0; index < needs.length; index += 1) {
      const need = needs[index] as Need;
      const pool = this.get(need.bucket.id);
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
    const taken: Reservation[] = [];
    const standings: BucketStatus[] = [];
    for (let index = 0; index < needs.length; index += 1) {
      const need = needs[index] as Need;
      const pool = pools[index] as Pool;
      const lease = leases[index] as Lease;
      lease.left -= need.amount;
      taken.push(reservationOf(need, lease.until, this.#holder));
      standings.push(pool.standing(elapsed) as BucketStatus);
    }
    return { granted: true, taken, standings, at: null };
  }

  /** Adds to what this process has running of buckets; with the sign -1 it takes it off. */
  hold(taken: readonly Reservation[], sign: 1 | -1): void {
    for (const { bucketId, window, holder, amount } of taken) {
      const pool = window === 'running' && holder === this.#holder ? this.get(bucketId) : undefined;
      if (pool) pool.held += sign * amount;
    }
  }
}

/** The returns for the next call, summed by the grant. */
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
