import fc from 'fast-check';
import { expect, vi } from 'vitest';
import {
  type Ask,
  type Authority,
  type Bucket,
  type Call,
  type Need,
  type Reservation,
  type ReservationResult,
  type Return,
  roundedMs,
  type Seed,
  type Window,
} from '../../src/limits/authority.ts';
import { LeaseHolder } from '../../src/limits/lease-holder.ts';
import { MemoryAuthority } from '../lib/memory-authority.ts';
import type { TestClock } from './test-database.ts';

/** The buckets that random calls are about, of two tenants. */
const kinds: readonly (readonly [name: string, window: Window])[] = [
  ['budget/all', 'ever'],
  ['requests/day', 'day'],
  ['requests/minute', 'minute'],
  ['requests/month', 'month'],
  ['running', 'running'],
  ['tokens/minute', 'minute'],
];

/** One step of a random history: time goes by, and a holder calls. What it gives back is chosen among what it was granted. */
export interface Step {
  readonly pauseMs: number;
  /** By how much the clock of who calls is behind. */
  readonly behindMs: number;
  readonly holder: string;
  readonly asks: readonly Ask[];
  readonly seeds: readonly Seed[];
  readonly back: readonly { readonly pick: number; readonly part: number }[];
}

const ask: fc.Arbitrary<Ask> = fc
  .record({
    tenant: fc.constantFrom('acme', 'bolt'),
    chosen: fc.subarray([...kinds], { minLength: 1, maxLength: 3 }),
    limit: fc.constantFrom<(number | null)[]>(null, 0, 1, 10, 100, 1_000, 20_000),
    need: fc.constantFrom(0, 1, 1, 1, 3, 40),
    more: fc.constantFrom(0, 0, 5, 50, 4_000),
  })
  .map(({ tenant, chosen, limit, need, more }) =>
    chosen
      .map(([name, window]) => ({
        bucket: { id: `${tenant}/${name}`, window, limit },
        need,
        want: need + more,
      }))
      .sort((one, other) => (one.bucket.id < other.bucket.id ? -1 : 1)),
  );

const asks: fc.Arbitrary<readonly Ask[]> = fc
  .array(fc.tuple(ask, fc.constantFrom(1, 1, 1, 12, 150)), { maxLength: 3 })
  .map((groups) => groups.flatMap(([one, count]) => Array.from({ length: count }, () => one)));

const pauses = fc.oneof(
  fc.constantFrom(0, 1, 7, 250, 275, 1_000, 60_000, 60_276, 86_400_000, 15 * 86_400_000),
  fc.nat(3_000),
);

/** Random histories, which begin at `start`. */
export function histories(start: number): fc.Arbitrary<readonly Step[]> {
  const seed = fc
    .tuple(
      fc.constantFrom('acme', 'bolt'),
      fc.constantFrom(...kinds),
      fc.array(fc.nat(70_000), { maxLength: 4 }),
    )
    .map(
      ([tenant, [name, window], ages]): Seed => ({
        bucketId: `${tenant}/${name}`,
        window,
        entries: ages.sort((one, other) => other - one).map((age) => [start - age, 1 + (age % 5)] as const),
        used: ages.length,
      }),
    );
  const step = fc.record({
    pauseMs: pauses,
    behindMs: fc.constantFrom(0, 0, 3, 90),
    holder: fc.constantFrom('one', 'two'),
    asks,
    seeds: fc.array(seed, { maxLength: 4 }).map(eachOnce),
    back: fc.array(fc.record({ pick: fc.nat(50), part: fc.integer({ min: -4, max: 8 }) }), { maxLength: 4 }),
  });
  return fc.array(step, { minLength: 1, maxLength: 40 });
}

/** What was granted and can be given back, oldest first. */
export type Granted = Omit<Return, 'amount'> & { readonly amount: number };

/** The call of a step, with a part of what was granted before. */
export function callOf({ holder, asks: wanted, seeds, back }: Step, granted: readonly Granted[]): Call {
  const returns = back.flatMap(({ pick, part }): Return[] => {
    const one = granted[granted.length - 1 - pick];
    return one ? [{ ...one, amount: Math.trunc((one.amount * part) / 4) }] : [];
  });
  return { holder, asks: wanted, seeds, returns: returns.filter(({ amount }) => amount !== 0) };
}

function eachOnce(seeds: readonly Seed[]): Seed[] {
  return [...new Map(seeds.map((one) => [one.bucketId, one])).values()];
}

/** Fills a minute with more ends than are kept to the millisecond, and expects of an authority what the algorithm answers. */
export async function expectEndsAlike(authority: Authority, clock: TestClock): Promise<void> {
  const memory = new MemoryAuthority(() => ({ elapsed: clock.time, stamp: clock.time, doubtMs: 0 }));
  const bucket = { id: 'many/ends', window: 'minute', limit: 1_000 } as const;
  const seeds = [{ bucketId: bucket.id, window: 'minute', entries: [], used: 0 }] as const;
  const call: Call = { holder: 'one', returns: [], seeds, asks: [[{ bucket, need: 1, want: 1 }]] };
  const ends: number[] = [];
  for (let count = 0; count < 100; count += 1) {
    clock.time += 37;
    const expected = await memory.take(call);
    expect(await authority.take(call)).toEqual(expected);
    for (const reply of expected) if (reply.granted) ends.push(reply.grants[0]?.until ?? 0);
  }
  const rounded = new Set(ends.filter((end) => end % roundedMs === 0));
  expect(rounded.size).toBeGreaterThan(1);
}

/**
 * A made-up world for the leases: an authority, processes that hold leases, and a network between them that delays and loses.
 * Its time is that of the fake timers of the test, and every process has clocks of its own.
 */

export const start = Date.parse('2026-05-05T05:05:05Z');

export interface Network {
  /** How long calls and answers take, in turn, in milliseconds. */
  readonly delays: readonly number[];
  /** Every so many calls, one gets lost; and one answer. 0: none. */
  readonly losesCall: number;
  readonly losesAnswer: number;
}

export interface Clocks {
  readonly offset: number;
  /** Of its monotonic clock. */
  readonly rate: number;
}

interface Process {
  readonly life: number;
  leaseHolder: LeaseHolder;
  /** Whether it has ended. */
  readonly cut: { off: boolean };
  jump: number;
}

/** A request that was admitted. */
export interface AdmittedRequest {
  readonly at: number;
  readonly amounts: ReadonlyMap<string, number>;
}

export class LeaseWorld {
  readonly authority = new MemoryAuthority(() => ({ elapsed: Date.now(), stamp: Date.now(), doubtMs: 0 }));
  readonly admitted: AdmittedRequest[] = [];
  calls = 0;
  /** Those that no call was made for. */
  leased = 0;
  refused = 0;
  failed = 0;
  readonly #network: Network;
  readonly #clocks: readonly Clocks[];
  readonly #processes: Process[] = [];

  constructor(network: Network, clocks: readonly Clocks[]) {
    this.#network = network;
    this.#clocks = clocks;
    for (const index of clocks.keys()) this.#start(index, 0);
  }

  /** Ends a process, with all that it holds and knows, and starts it again. */
  crash(index: number): void {
    const process = this.#processOf(index);
    process.cut.off = true;
    this.#start(index, process.life + 1);
  }

  /** Sets the clock by which a process measures how long ago something was. */
  step(index: number, milliseconds: number): void {
    this.#processOf(index).jump += milliseconds;
  }

  /**
   * A request; what it uses in the end is a part of what it asks for.
   * @param runsMs how long it runs
   */
  ask(index: number, needs: readonly Need[], runsMs: number, part: number): void {
    const { leaseHolder, cut } = this.#processOf(index);
    const apply = (taking: ReservationResult) => {
      if (cut.off) return;
      if (!taking.granted) {
        this.refused += 1;
        return;
      }
      if (taking.at === null) this.leased += 1;
      const used = (one: Reservation) => (one.unit === 'tokens' ? Math.floor(one.amount * part) : one.amount);
      this.admitted.push({
        at: taking.at ?? Date.now(),
        amounts: new Map(taking.taken.map((one) => [one.bucketId, used(one)])),
      });
      setTimeout(() => {
        if (cut.off) return;
        leaseHolder.giveBack(
          taking.taken
            .filter(({ unit }) => unit === 'tokens' || unit === 'running')
            .map((one) => (one.unit === 'tokens' ? { ...one, amount: one.amount - used(one) } : one)),
        );
      }, runsMs);
    };
    const taking = leaseHolder.take(needs);
    if (!(taking instanceof Promise)) apply(taking);
    else
      taking.then(apply, () => {
        this.failed += 1;
      });
  }

  pass(milliseconds: number): Promise<unknown> {
    return vi.advanceTimersByTimeAsync(milliseconds);
  }

  /** The most that was used of a bucket in any 60 seconds. */
  mostInAMinute({ id }: Bucket): number {
    const uses = this.admitted
      .filter(({ amounts }) => amounts.has(id))
      .map(({ at, amounts }) => ({ at, amount: amounts.get(id) as number }))
      .sort((one, other) => one.at - other.at);
    let most = 0;
    let sum = 0;
    let first = 0;
    for (const { at, amount } of uses) {
      sum += amount;
      for (let next = uses[first]; next && next.at <= at - 60_000; next = uses[first]) {
        sum -= next.amount;
        first += 1;
      }
      most = Math.max(most, sum);
    }
    return most;
  }

  /** All that was used of a bucket. */
  total({ id }: Bucket): number {
    return this.admitted.reduce((sum, { amounts }) => sum + (amounts.get(id) ?? 0), 0);
  }

  #processOf(index: number): Process {
    return this.#processes[index] as Process;
  }

  #start(index: number, life: number): void {
    const { offset, rate } = this.#clocks[index] as Clocks;
    const cut = { off: false };
    const process: Process = { life, cut, jump: 0, leaseHolder: null as unknown as LeaseHolder };
    process.leaseHolder = new LeaseHolder({
      authority: this.#over(cut),
      holder: `${index}.${life}`,
      clock: {
        monotonic: () => offset + (Date.now() - start) * rate,
        elapsed: () => Date.now() + process.jump,
      },
      // Nothing was used before.
      seedsOf: async (needs) =>
        needs.map(({ bucket: { id, window } }) => ({ bucketId: id, window, entries: [], used: 0 })),
      mayBeDone: () => true,
    });
    this.#processes[index] = process;
  }

  /** The authority by the network, which a process that has ended does not reach. */
  #over(cut: { readonly off: boolean }): Authority {
    return {
      take: (call: Call) =>
        new Promise((resolve, reject) => {
          this.calls += 1;
          const { losesCall, losesAnswer } = this.#network;
          const number = this.calls;
          setTimeout(() => {
            if (cut.off) return;
            if (losesCall > 0 && number % losesCall === 0) {
              reject(new Error('the call was lost'));
              return;
            }
            void this.authority.take(call).then((replies) => {
              setTimeout(
                () => {
                  if (losesAnswer > 0 && number % losesAnswer === 0) reject(new Error('the answer was lost'));
                  else resolve(replies);
                },
                this.#delay(number + 1),
              );
            });
          }, this.#delay(number));
        }),
    };
  }

  #delay(number: number): number {
    const { delays } = this.#network;
    return delays[number % delays.length] ?? 0;
  }
}

/** How limits of each kind may stand. */
export const minute = {
  name: 'minute',
  limit: 10,
  remaining: 3,
  resetMs: 59_001,
  windowSeconds: 60,
} as const;
export const month = {
  name: 'month',
  limit: 1_000,
  remaining: 0,
  resetMs: 90_061_000,
  windowSeconds: 2_592_000,
} as const;
export const tokens = { name: 'tokens', limit: 500, remaining: 20, resetMs: 100, windowSeconds: 60 } as const;
export const concurrency = {
  name: 'concurrency',
  limit: 4,
  remaining: 1,
  resetMs: null,
  windowSeconds: null,
} as const;
