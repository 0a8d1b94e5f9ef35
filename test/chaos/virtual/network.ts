import type { Authority, Call, Reply } from '../../../src/limits/authority.ts';
import type { Random } from '../random.ts';
import type { VirtualTime } from './virtual-time.ts';

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
