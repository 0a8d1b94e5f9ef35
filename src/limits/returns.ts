import type { Return } from './authority.ts';

/** What is given back of a grant. */
export type GivenBack = Return;

/** What is to be given back with the next call, summed by the grant. */
export class Returns {
  #sums = new Map<string, GivenBack & { amount: number }>();

  get size(): number {
    return this.#sums.size;
  }

  add({ bucketId, window, until, holder, amount }: GivenBack): void {
    const key = window === 'running' ? `${bucketId}\n${holder ?? ''}` : `${bucketId}\n${until}`;
    const sum = this.#sums.get(key);
    if (sum) sum.amount += amount;
    else this.#sums.set(key, { bucketId, window, until, ...(holder && { holder }), amount });
  }

  addAll(returns: Iterable<GivenBack>): void {
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
