/**
 * A made-up world for the leases: an authority, processes that hold leases, and a network between them that delays and loses.
 * Its time is that of the fake timers of the test, and every process has clocks of its own.
 */
import { vi } from 'vitest';
import type { Authority, Bucket, Call, Need } from '../../src/limits/authority.ts';
import { LeaseHolder, type Taken, type Taking } from '../../src/limits/lease-holder.ts';
import { MemoryAuthority } from '../../src/limits/memory-authority.ts';

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

  /** Sets the clock by which a process tells how long ago something was. */
  step(index: number, milliseconds: number): void {
    this.#processOf(index).jump += milliseconds;
  }

  /**
   * A request; what it uses in the end is a part of what it asks for.
   * @param runsMs how long it runs
   */
  ask(index: number, needs: readonly Need[], runsMs: number, part: number): void {
    const { leaseHolder, cut } = this.#processOf(index);
    const apply = (taking: Taking) => {
      if (cut.off) return;
      if (!taking.granted) {
        this.refused += 1;
        return;
      }
      if (taking.at === null) this.leased += 1;
      const used = (one: Taken) => (one.unit === 'tokens' ? Math.floor(one.amount * part) : one.amount);
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
