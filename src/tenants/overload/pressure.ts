/**
 * Whether the process has more to do than it can do well, and how many requests may run in it then.
 *
 * It judges the process itself: the delay of its event loop, and its memory. Latencies of
 * requests, by which Netflix's concurrency-limits go (https://github.com/Netflix/concurrency-limits), and rates of success,
 * by which Envoy's admission control does, are those of vendors here and say nothing of it. Beyond its thresholds
 * @fastify/under-pressure refuses everybody at once; here the number of requests that may run is lowered at each look, as
 * TCP lowers its window, and grows again by a smaller factor, so that who has the most running is the first to wait and to
 * be refused. Running requests continue.
 *
 * There are two thresholds for each signal and times that they have to hold for, so that the state does not flap.
 */

/** A measured signal: one threshold beyond which it is too much, and one below which it is fine again. */
export interface Threshold {
  readonly high: number;
  readonly low: number;
}

export type Signals<Name extends string> = Readonly<Record<Name, number>>;

export type LoadState = 'normal' | 'shedding';

/** How long pressure has to last until requests are shed, in milliseconds. */
const sheddingAfterMs = 1_000;
/** How long all has to be calm until none is shed any more, in milliseconds. */
const normalAfterMs = 5_000;
/** By what the number of requests that may run is multiplied at each look: the further a signal is beyond its threshold, the less. */
const lowerBy = { least: 0.5, most: 0.8 };
const raiseBy = 1.25;

export interface PressureSettings<Name extends string> {
  readonly thresholds: Readonly<Record<Name, Threshold>>;
  /** Requests that may run while all is well. */
  readonly maxRunning: number;
  /** Requests that may run however bad it is. */
  readonly minRunning: number;
}

export class Pressure<Name extends string> {
  readonly #settings: PressureSettings<Name>;
  readonly #names: readonly Name[];
  state: LoadState = 'normal';
  /** How many requests may run. */
  limit: number;
  /** The signal that was furthest beyond its threshold when it last was too much; null: none ever was. */
  worst: Name | null = null;
  #highMs = 0;
  #calmMs = 0;

  constructor(settings: PressureSettings<Name>) {
    this.#settings = settings;
    this.#names = Object.keys(settings.thresholds) as Name[];
    this.limit = settings.maxRunning;
  }

  /**
   * Takes what was measured.
   * @param passedMs since the measurement before, whose time this one stands for
   * @param running requests that run
   */
  take(signals: Signals<Name>, passedMs: number, running: number): void {
    const { thresholds, maxRunning, minRunning } = this.#settings;
    const { worst, ratio } = this.#worstOf(signals);
    const calm = this.#names.every((name) => signals[name] <= thresholds[name].low);
    this.#highMs = worst === null ? 0 : this.#highMs + passedMs;
    this.#calmMs = calm ? this.#calmMs + passedMs : 0;
    if (worst !== null) this.worst = worst;
    if (this.state === 'normal' && this.#highMs >= sheddingAfterMs) this.state = 'shedding';
    else if (this.state === 'shedding' && this.#calmMs >= normalAfterMs) this.state = 'normal';
    // The requests that run are too many, not those that might.
    if (this.state === 'shedding' && worst !== null)
      this.limit = Math.max(minRunning, Math.floor(Math.min(this.limit, running) * loweredBy(ratio)));
    else if (calm) this.limit = Math.min(maxRunning, Math.ceil(this.limit * raiseBy));
  }

  #worstOf(signals: Signals<Name>): { readonly worst: Name | null; readonly ratio: number } {
    let worst: Name | null = null;
    let most = 1;
    for (const name of this.#names) {
      const ratio = signals[name] / this.#settings.thresholds[name].high;
      if (ratio > most) [worst, most] = [name, ratio];
    }
    return { worst, ratio: most };
  }
}

function loweredBy(ratio: number): number {
  return Math.min(lowerBy.most, Math.max(lowerBy.least, 1 / ratio));
}
