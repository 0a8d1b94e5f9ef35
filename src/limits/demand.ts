import { leaseMs } from './authority.ts';

const slotMs = 100;
/** This slot and the one before it; a gap of one; and those further back. */
const recentSlots = 2;
const olderFrom = 3;
const slots = 7;

/**
 * How many requests come for one bucket, by which the size of its leases is foretold. Only what lasts counts: the rate is
 * the lesser of that of the last 100 to 200 ms and that of 400 ms before, with a gap between them. However many come at
 * once, within 100 ms, are not in both, so a burst leases nothing that nobody will ask for after it.
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
