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
