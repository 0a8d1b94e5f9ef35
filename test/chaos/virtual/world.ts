import type { Authority, Call, Reply } from '../../../src/limits/authority.ts';
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

/** A call that has got no answer. It may have been carried out. */
export class Lost extends Error {
  override readonly name = 'Lost';
}

/** When a server gives a call up, in milliseconds. */
const patienceMs = 2_000;

/** The way from a server to the authority and back: it takes time, at times a lot of it, and loses some. */
export class Link implements Authority {
  readonly #authority: Authority;
  readonly #time: VirtualTime;
  readonly #random: Random;
  /** Until when nothing comes through. */
  cutUntil = 0;
  calls = 0;
  asks = 0;

  constructor(authority: Authority, time: VirtualTime, random: Random) {
    this.#authority = authority;
    this.#time = time;
    this.#random = random;
  }

  take(call: Call): Promise<readonly Reply[]> {
    this.calls += 1;
    this.asks += call.asks.length;
    const { promise, resolve, reject } = Promise.withResolvers<readonly Reply[]>();
    const patience = this.#time.after(patienceMs, () => reject(new Lost('no answer came in time')));
    this.#over(async () => {
      const replies = await this.#authority.take(call);
      this.#over(() => {
        patience.cancelled = true;
        resolve(replies);
      });
    });
    return promise;
  }

  /** Lets something come out at the other end, if it does. */
  #over(arrive: () => void): void {
    if (this.#time.now < this.cutUntil || this.#random.chance(0.0005)) return;
    this.#time.after(this.#delayMs(), arrive);
  }

  /** Half a millisecond and an exponential tail; one in a thousand takes up to 400 ms more. */
  #delayMs(): number {
    const usual = 0.3 - 0.3 * Math.log(1 - this.#random.next());
    return this.#random.chance(0.001) ? usual + this.#random.int(20, 400) : usual;
  }
}

const minuteMs = 60_000;

/** What was admitted when, by tenant: the simulation's ledger, and what the limits are judged by. */
export class AdmissionsLog {
  readonly #times = new Map<number, number[]>();

  add(tenant: number, at: number): void {
    const times = this.#times.get(tenant);
    if (times === undefined) {
      this.#times.set(tenant, [at]);
      return;
    }
    // Nearly in order: a decision of the authority takes a moment to arrive.
    let place = times.length;
    while (place > 0 && (times[place - 1] as number) > at) place -= 1;
    times.splice(place, 0, at);
  }

  /** The times in a window, its beginning not included, oldest first. */
  within(tenant: number, from: number, to: number): readonly number[] {
    const times = this.#times.get(tenant) ?? [];
    return times.slice(countUpTo(times, from), countUpTo(times, to));
  }

  total(tenant: number): number {
    return this.#times.get(tenant)?.length ?? 0;
  }

  get tenants(): Iterable<number> {
    return this.#times.keys();
  }

  /** The most that was admitted in any 60 seconds. */
  worstMinute(tenant: number): number {
    const times = this.#times.get(tenant) ?? [];
    let worst = 0;
    let from = 0;
    for (let to = 0; to < times.length; to += 1) {
      while ((times[to] as number) - (times[from] as number) >= minuteMs) from += 1;
      worst = Math.max(worst, to - from + 1);
    }
    return worst;
  }
}

/** How many of these are at a time or before it. */
function countUpTo(times: readonly number[], time: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] as number) <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Time that goes by as fast as what happens in it can be reckoned. The timers of the process are replaced by it, so that the
 * product's own code lives in it too: for a process of its own.
 */

interface Event {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
  cancelled: boolean;
}

const realSetImmediate = globalThis.setImmediate;

export class VirtualTime {
  /** Milliseconds since the start. */
  now = 0;
  readonly #heap: Event[] = [];
  #count = 0;

  /** Lets something happen so many milliseconds from now. */
  after(milliseconds: number, run: () => void): Event {
    const event = { at: this.now + Math.max(0, milliseconds), order: ++this.#count, run, cancelled: false };
    this.#push(event);
    return event;
  }

  /** Resolves so many milliseconds from now. */
  pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => void this.after(milliseconds, resolve));
  }

  /** Lets happen what does until then, one thing after the other, each with all that follows from it at once. */
  async runUntil(end: number): Promise<void> {
    for (let event = this.#heap[0]; event && event.at <= end; event = this.#heap[0]) {
      this.#pop();
      if (event.cancelled) continue;
      this.now = event.at;
      event.run();
      await new Promise((resolve) => realSetImmediate(resolve));
    }
    this.now = end;
  }

  /** Replaces the timers of this process. */
  install(): void {
    const setVirtual = (run: () => void, milliseconds = 0) => {
      const event = this.after(milliseconds, run);
      return { event, unref() {}, ref() {} };
    };
    const clear = (timer?: { readonly event: Event }) => {
      if (timer) timer.event.cancelled = true;
    };
    Object.assign(globalThis, {
      setTimeout: setVirtual,
      setImmediate: (run: () => void) => setVirtual(run),
      clearTimeout: clear,
      clearImmediate: clear,
    });
  }

  #push(event: Event): void {
    const heap = this.#heap;
    let place = heap.push(event) - 1;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      const above = heap[parent] as Event;
      if (!isBefore(event, above)) break;
      heap[place] = above;
      place = parent;
    }
    heap[place] = event;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      const [left, right] = [heap[child], heap[child + 1]];
      if (left === undefined) break;
      if (right !== undefined && isBefore(right, left)) child += 1;
      const lesser = heap[child] as Event;
      if (!isBefore(lesser, last)) break;
      heap[place] = lesser;
      place = child;
    }
    heap[place] = last;
  }
}

function isBefore(a: Event, b: Event): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}
