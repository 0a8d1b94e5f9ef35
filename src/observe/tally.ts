import type { Counter } from 'prom-client';

type LabelValue = string | number;

/** What is counted under the values of the first labels, and under those of the others. */
class Branch {
  readonly below = new Map<LabelValue, Branch>();
  count = 0;
}

/**
 * What is counted for a counter of Prometheus, as plain numbers: it is handed over when somebody reads the counter. prom-client's own
 * makes a text of the labels each time; all that a chat counts took 2.5 µs of CPU time that way (prom-client 15.1.3, 2026-11-23).
 */
export class Tally<Label extends string> {
  readonly #labels: readonly Label[];
  readonly #root = new Branch();

  constructor(labels: readonly Label[]) {
    this.#labels = labels;
  }

  /** @param values of the labels, in their order */
  add(amount: number, ...values: readonly LabelValue[]): void {
    let branch = this.#root;
    for (const value of values) {
      let next = branch.below.get(value);
      if (next === undefined) {
        next = new Branch();
        branch.below.set(value, next);
      }
      branch = next;
    }
    branch.count += amount;
  }

  /** Adds to the counter what has been counted since it was read last. */
  handOver(counter: Counter<Label>): void {
    this.#handOver(counter, this.#root, {});
  }

  #handOver(counter: Counter<Label>, branch: Branch, labels: Partial<Record<Label, LabelValue>>): void {
    if (branch.count > 0) counter.inc(labels, branch.count);
    branch.count = 0;
    const label = this.#labels[Object.keys(labels).length];
    if (label === undefined) return;
    for (const [value, below] of branch.below)
      this.#handOver(counter, below, { ...labels, [label]: value } as typeof labels);
  }
}
