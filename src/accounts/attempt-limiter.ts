import type { Clock } from '../lib/clock.ts';

/** Most clients that are remembered; the ones that failed longest ago are forgotten first. */
const mostClients = 10_000;

/**
 * Lets each client fail only so often, in this process. In memory, so that failed attempts, which anyone can make,
 * write nothing.
 */
export class AttemptLimiter {
  readonly #clock: Clock;
  readonly #most: number;
  readonly #windowMs: number;
  readonly #failures = new Map<string, number[]>();

  /** @param most failures that a client may have in any `windowMs` milliseconds. */
  constructor(clock: Clock, most: number, windowMs: number) {
    this.#clock = clock;
    this.#most = most;
    this.#windowMs = windowMs;
  }

  /** Milliseconds until the client may try again; 0: now. */
  waitMs(client: string): number {
    const times = this.#recent(client);
    const oldest = times[times.length - this.#most];
    return oldest === undefined ? 0 : oldest + this.#windowMs - this.#clock.now();
  }

  failed(client: string): void {
    const times = this.#recent(client);
    times.push(this.#clock.now());
    this.#failures.delete(client);
    this.#failures.set(client, times);
    if (this.#failures.size > mostClients)
      this.#failures.delete(this.#failures.keys().next().value as string);
  }

  succeeded(client: string): void {
    this.#failures.delete(client);
  }

  #recent(client: string): number[] {
    const horizon = this.#clock.now() - this.#windowMs;
    return (this.#failures.get(client) ?? []).filter((time) => time > horizon);
  }
}
