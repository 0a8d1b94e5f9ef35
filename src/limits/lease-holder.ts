// Over 300 lines: one state machine, whose proof of exactness needs all of its transitions in sight.
/**
 * Holds what the authority has leased to this process, and asks for more when it is used up. Leased amounts are taken
 * without waiting; one call is under way at a time, and all that wait for it go into the next.
 */
import {
  type Authority,
  type BucketStatus,
  type Call,
  type Need,
  type Reply,
  type Reservation,
  type ReservationResult,
  type Return,
  reservationOf,
  type Take,
} from './authority.ts';
import { type Pool, Pools, Returns } from './pool.ts';
import { Seeding, type SeedSource } from './seeding.ts';

export interface LeaseHolderParts {
  readonly authority: Authority;
  readonly holder: string;
  /** `monotonic` for leases; `elapsed` for all else. */
  readonly clock: { monotonic(): number; elapsed(): number };
  readonly seedsOf: SeedSource;
  /** Whether requests are admitted while the authority is away and nothing is leased. */
  readonly admitsWhenAway?: boolean;
  /** Whether a failed call may have been carried out. */
  readonly mayBeDone: (error: unknown) => boolean;
  /** Called when the authority goes away and when it is back. */
  readonly onAway?: (away: boolean) => void;
}

interface Waiting {
  readonly needs: readonly Need[];
  /** Whether nothing is taken: it only asks how buckets stand. */
  readonly looks: boolean;
  readonly signal: AbortSignal | undefined;
  /** How often the authority did not know one of its buckets. */
  unknown: number;
  readonly resolve: (taking: ReservationResult) => void;
  readonly reject: (reason: unknown) => void;
}

/** Maximum number of asks in one call. */
const maxAsks = 500;
/** How soon what is not used is given back, in milliseconds. */
const beatMs = 250;

export class LeaseHolder {
  readonly #parts: LeaseHolderParts;
  readonly #pools: Pools;
  readonly #returns = new Returns();
  readonly #seeding: Seeding;
  /** Those of which a return may be lost. */
  readonly #doubted = new Set<Pool>();
  #waiting: Waiting[] = [];
  #running: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #scheduled = false;
  /** Whether what is given back goes out at once. */
  #urgent = false;
  #calls = 0;
  #away = false;

  constructor(parts: LeaseHolderParts) {
    this.#parts = parts;
    this.#pools = new Pools(parts.holder, parts.clock);
    this.#seeding = new Seeding(parts.seedsOf);
  }

  /** Whether the last call has failed. */
  get away(): boolean {
    return this.#away;
  }

  /**
   * Takes what a request needs, of all its buckets or of none.
   * @param needs each bucket once, in the order of their ids
   * @param signal aborted when its caller stops waiting: it then takes nothing, as long as it has not been asked for
   * @throws StoreError when the authority is unreachable and nothing is left here; the reason of the signal
   */
  take(needs: readonly Need[], signal?: AbortSignal): ReservationResult | Promise<ReservationResult> {
    const here = this.#pools.take(needs);
    if (here && !here.granted) return here;
    const now = this.#parts.clock.monotonic();
    for (const need of needs) this.#pools.of(need).count(now);
    if (here) return here;
    return new Promise((resolve, reject) => {
      this.#waiting.push({ needs, looks: false, signal, unknown: 0, resolve, reject });
      this.#schedule();
    });
  }

  /** The state of buckets, by the authority. Rejects with `StoreError`. */
  async ask(needs: readonly Need[]): Promise<readonly BucketStatus[]> {
    const asked = needs.map((need) => ({ ...need, amount: 0 }));
    const taking = await new Promise<ReservationResult>((resolve, reject) => {
      this.#waiting.push({ needs: asked, looks: true, signal: undefined, unknown: 0, resolve, reject });
      this.#schedule();
    });
    return taking.standings;
  }

  /** The same as far as this process knows; null where it does not know of one. */
  known(needs: readonly Need[]): readonly BucketStatus[] | null {
    return this.#pools.known(needs);
  }

  /** Gives back what was taken and not used, with the next call or within 250 ms; a negative amount charges more. */
  giveBack(given: readonly Return[]): void {
    for (const one of given) {
      if (one.amount === 0) continue;
      this.#returns.add(one);
      const pool = this.#pools.get(one.bucketId);
      if (!pool) continue;
      pool.gaveBack(one.amount);
      if (one.window === 'running' && one.holder === this.#parts.holder) pool.held -= one.amount;
    }
    // Others wait for a place among those that run.
    if (given.some(({ window }) => window === 'running')) this.#beatNow();
    else this.#beatSoon();
  }

  /** Stops tracking reservations that another process may give back; the authority still counts them for this one. */
  handOver(taken: readonly Reservation[]): void {
    this.#pools.hold(taken, -1);
  }

  /** Takes back what was handed over, to give it back. */
  takeOver(taken: readonly Reservation[]): void {
    this.#pools.hold(taken, 1);
  }

  /** Forgets unused buckets. Call it every few seconds. */
  forgetIdle(): void {
    this.#pools.forgetIdle();
  }

  /** Has a bucket seeded again from the ledger at the next ask: others may have used it without asking. */
  invalidate(bucketId: string): void {
    const pool = this.#pools.get(bucketId);
    if (pool) pool.seeded = false;
  }

  /** Gives back all that is left; the end of a process, after which it must take nothing. */
  async close(): Promise<void> {
    await this.#seeding.settled();
    await this.#running;
    for (const pool of this.#pools.leased) this.#returns.addAll(pool.leases(Number.POSITIVE_INFINITY));
    this.#pools.leased.clear();
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#returns.size > 0) await this.#call([]).catch(() => undefined);
  }

  #schedule(): void {
    if (this.#scheduled || this.#running) return;
    this.#scheduled = true;
    // Takes of the same turn of the event loop go together.
    setImmediate(() => {
      this.#scheduled = false;
      // Not before it is known to run: if nothing has to wait for a call, it is over at once.
      this.#running ??= Promise.resolve().then(() => this.#run());
    });
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const waiting = this.#seeded(this.#waiting.splice(0, maxAsks).filter(isAwaited));
      try {
        if (waiting.length > 0) await this.#call(waiting);
      } catch (error) {
        this.#fail(waiting, error);
      }
      // Takes that came meanwhile may find enough now.
      const later = this.#waiting;
      this.#waiting = [];
      for (const one of later) {
        const here = one.looks ? null : this.#pools.take(one.needs);
        if (here) one.resolve(here);
        else this.#waiting.push(one);
      }
    }
    this.#running = null;
    if (this.#urgent) setImmediate(() => void this.#beat());
    else this.#beatSoon();
  }

  async #call(waiting: readonly Waiting[]): Promise<void> {
    const { authority, holder, clock } = this.#parts;
    const seeds = this.#seeding.take();
    this.#calls += 1;
    const sentAt = clock.monotonic();
    const asks = waiting.map(({ needs }) => this.#askOf(needs, sentAt));
    for (const pool of this.#pools.leased) {
      this.#returns.addAll(pool.leases(sentAt));
      if (!pool.hasLease) this.#pools.leased.delete(pool);
    }
    const doubted = [...this.#doubted];
    for (const { id, held } of doubted)
      seeds.push({ bucketId: id, window: 'running', entries: [], used: Math.max(0, held) });
    // The held amounts already exclude the returns.
    const returns = this.#returns.take().filter(({ bucketId, window, holder: whose = holder }) => {
      return window !== 'running' || whose !== holder || !doubted.some(({ id }) => id === bucketId);
    });
    const call: Call = { holder, asks, returns, seeds };
    let replies: readonly Reply[];
    try {
      replies = await authority.take(call);
    } catch (error) {
      this.#doubtReturns(call, error);
      for (const { bucketId, window } of seeds) if (window !== 'running') this.invalidate(bucketId);
      throw error;
    }
    for (const pool of doubted) this.#doubted.delete(pool);
    this.#setAway(false);
    for (const [index, one] of waiting.entries()) this.#apply(one, replies[index] as Reply, sentAt);
  }

  /** Those whose buckets are known. The others wait for their counts from the ledger, which delays no one else. */
  #seeded(waiting: readonly Waiting[]): Waiting[] {
    const unseeded = new Map<string, Need>();
    const ready: Waiting[] = [];
    const others: Waiting[] = [];
    for (const one of waiting) {
      let lacks = false;
      for (const need of one.needs) {
        const { id, window } = need.bucket;
        if (window === 'running' || this.#pools.of(need).seeded) continue;
        unseeded.set(id, need);
        lacks = true;
      }
      (lacks ? others : ready).push(one);
    }
    if (others.length > 0) void this.#seed(others, [...unseeded.values()]);
    return ready;
  }

  /** Never rejects. */
  async #seed(waiting: readonly Waiting[], needs: readonly Need[]): Promise<void> {
    try {
      await this.#seeding.load(needs);
      for (const need of needs) this.#pools.of(need).seeded = true;
      this.#waiting.push(...waiting);
      this.#schedule();
    } catch (error) {
      this.#fail(waiting, error);
    }
  }

  #askOf(needs: readonly Need[], now: number): Take[] {
    // The first of each kind in a call asks for what will be used until the next.
    const leases = needs.every(({ bucket, amount }) => bucket.window !== 'running' && amount > 0);
    const pools = needs.map((need) => this.#pools.of(need));
    const more = leases
      ? pools.reduce(
          (least, pool) => Math.min(least, pool.expected(this.#calls, now)),
          Number.MAX_SAFE_INTEGER,
        )
      : 0;
    return needs.map(({ bucket, amount, hard }, index) => {
      (pools[index] as Pool).askedAt = now;
      const limited = hard || bucket.limit === null ? bucket : { ...bucket, limit: null };
      return { bucket: limited, need: amount, want: amount * (1 + more) };
    });
  }

  #apply(one: Waiting, reply: Reply, sentAt: number): void {
    const { needs } = one;
    if ('unknown' in reply) {
      for (const id of reply.unknown) this.invalidate(id);
      one.unknown += 1;
      if (one.unknown < 3) this.#waiting.push(one);
      else one.reject(new Error('the authority forgets its buckets as soon as it gets seeds of them'));
      return;
    }
    const now = this.#parts.clock.elapsed();
    if (!reply.granted) {
      const { index, waitMs, standings } = reply;
      for (const [place, need] of needs.entries())
        this.#pools.of(need).learn(standings[place] as BucketStatus, now);
      const refused = needs[index] as Need;
      this.#pools.of(refused).refuse(refused, waitMs, this.#parts.clock);
      one.resolve({ granted: false, index, waitMs, standings });
      return;
    }
    const { holder } = this.#parts;
    const taken = needs.map((need, index): Reservation => {
      const { bucket, amount } = need;
      const grant = reply.grants[index];
      if (!grant) throw new Error('the authority has answered for other buckets');
      const pool = this.#pools.of(need);
      pool.learn(grant.standing, now);
      if (grant.amount > amount) {
        pool.lend({
          until: grant.until,
          left: grant.amount - amount,
          deadline: sentAt + reply.leaseMs,
        });
        this.#pools.leased.add(pool);
      }
      if (bucket.window === 'running') pool.held += amount;
      return reservationOf(need, grant.until, holder);
    });
    const standings = reply.grants.map(({ standing }) => standing);
    one.resolve({ granted: true, taken, standings, at: reply.at });
  }

  #fail(waiting: readonly Waiting[], error: unknown): void {
    this.#setAway(true);
    for (const { needs, looks, resolve, reject } of waiting) {
      if (this.#parts.admitsWhenAway && !looks) {
        // The ledger alone will know of it.
        for (const { bucket } of needs) this.invalidate(bucket.id);
        resolve({ granted: true, taken: [], standings: [], at: null });
      } else reject(error);
    }
  }

  /** Returns are given again where that is harmless: an amount given back twice would be admitted twice. */
  #doubtReturns({ returns, asks }: Call, error: unknown): void {
    const mayBeDone = this.#parts.mayBeDone(error);
    for (const one of returns) {
      if (!mayBeDone || (one.amount < 0 && one.window === 'minute')) this.#returns.add(one);
    }
    if (!mayBeDone) return;
    const running = [
      ...returns.filter(({ window }) => window === 'running').map(({ bucketId }) => bucketId),
      ...asks.flat().flatMap(({ bucket }) => (bucket.window === 'running' ? [bucket.id] : [])),
    ];
    for (const id of running) {
      const pool = this.#pools.get(id);
      if (pool) this.#doubted.add(pool);
    }
  }

  #setAway(away: boolean): void {
    if (away === this.#away) return;
    this.#away = away;
    this.#parts.onAway?.(away);
  }

  #beatNow(): void {
    if (this.#urgent) return;
    this.#urgent = true;
    setImmediate(() => void this.#beat());
  }

  #beatSoon(): void {
    const due = this.#returns.size > 0 || this.#pools.leased.size > 0 || this.#doubted.size > 0;
    if (this.#timer || !due) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      void this.#beat();
    }, beatMs);
    this.#timer.unref();
  }

  async #beat(): Promise<void> {
    if (!this.#running) {
      this.#urgent = false;
      const now = this.#parts.clock.monotonic();
      const over = [...this.#pools.leased].some((pool) => pool.isOver(now));
      if (over || this.#returns.size > 0 || this.#doubted.size > 0) {
        this.#running = this.#call([])
          .catch(() => this.#setAway(true))
          .finally(() => {
            this.#running = null;
            if (this.#waiting.length > 0) this.#schedule();
            if (this.#urgent) setImmediate(() => void this.#beat());
          });
        await this.#running;
      }
    }
    this.#beatSoon();
  }
}

function isAwaited({ signal, reject }: Waiting): boolean {
  if (signal?.aborted) reject(signal.reason);
  return !signal?.aborted;
}
