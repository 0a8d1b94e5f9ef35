import type { Admitted } from '../store/ledger.ts';

/** Milliseconds in which a limit per minute holds. */
export const windowMs = 60_000;

/**
 * The admissions of a tenant in the last 60 seconds, by their millisecond. It drops from the front what has left the
 * window and counts as it goes, so both adding and asking take constant time, on average, however high the limit; and
 * it never holds more than one entry for each millisecond of the window.
 */
export class AdmissionWindow {
  #times: number[] = [];
  #counts: number[] = [];
  /** Index of the oldest entry that counts. */
  #head = 0;
  #total = 0;

  /** Admissions in the 60 seconds that end at `now`: those at `now - 60000` and before are out of it. */
  used(now: number): number {
    while (this.#head < this.#times.length && (this.#times[this.#head] ?? 0) <= now - windowMs) {
      this.#total -= this.#counts[this.#head] ?? 0;
      this.#head += 1;
    }
    if (this.#head > 1024 && this.#head * 2 > this.#times.length) this.#compact();
    return this.#total;
  }

  /** @param at not before the last one. */
  add(at: number, count: number): void {
    if (this.latest === at) {
      this.#counts[this.#counts.length - 1] = (this.#counts.at(-1) ?? 0) + count;
    } else {
      this.#times.push(at);
      this.#counts.push(count);
    }
    this.#total += count;
  }

  /** The last admission; null when there is none. */
  get latest(): number | null {
    return this.#times.length > this.#head ? (this.#times.at(-1) ?? null) : null;
  }

  /** When so many of the admissions will have left the window; `count` from 1 to the number used. */
  freedAt(count: number): number {
    let left = count;
    for (let index = this.#head; index < this.#times.length; index += 1) {
      left -= this.#counts[index] ?? 0;
      if (left <= 0) return (this.#times[index] ?? 0) + windowMs;
    }
    return (this.#times.at(-1) ?? 0) + windowMs;
  }

  /** Replaces all that is known from the time of the first of these on. */
  replaceFrom(since: number, admitted: readonly Admitted[]): void {
    while (this.#times.length > this.#head && (this.#times.at(-1) ?? 0) >= since) {
      this.#times.pop();
      this.#total -= this.#counts.pop() ?? 0;
    }
    for (const { at, count } of admitted) this.add(at, count);
  }

  #compact(): void {
    this.#times = this.#times.slice(this.#head);
    this.#counts = this.#counts.slice(this.#head);
    this.#head = 0;
  }
}
