import type { Authority, Call, Reply } from '../../src/limits/authority.ts';
import type { BucketState, Moment } from '../../src/limits/bucket-state.ts';
import { serve } from '../../src/limits/serve.ts';

/** How long a holder that is not heard of keeps what runs, in milliseconds. */
const aliveMs = 15_000;

/** An authority in the memory of this process: for tests, and for the simulation. */
export class MemoryAuthority implements Authority {
  readonly #moment: () => Moment;
  readonly #states = new Map<string, BucketState>();
  readonly #seen = new Map<string, number>();

  constructor(moment: () => Moment) {
    this.#moment = moment;
  }

  async take(call: Call): Promise<readonly Reply[]> {
    return this.takeAt(this.#moment(), call);
  }

  takeAt(moment: Moment, call: Call): readonly Reply[] {
    this.#seen.set(call.holder, moment.elapsed);
    const isAlive = (holder: string) => {
      const seen = this.#seen.get(holder);
      return seen !== undefined && moment.elapsed - seen < aliveMs;
    };
    return serve(call, this.#states, { moment, isAlive });
  }

  /** Forgets everything, as a server does that keeps it in its memory and is restarted. */
  forget(): void {
    this.#states.clear();
  }

  /** What counts of each bucket now: what has stopped counting since it was last asked for does not. */
  get used(): ReadonlyMap<string, number> {
    const { elapsed } = this.#moment();
    return new Map([...this.#states].map(([id, state]) => [id, countingIn(state, elapsed)]));
  }
}

function countingIn({ window, used, untils, amounts }: BucketState, elapsed: number): number {
  if (window !== 'minute') return used;
  const past = untils.findIndex((until) => until > elapsed);
  return past < 0 ? 0 : amounts.slice(past).reduce((sum, amount) => sum + amount, 0);
}
