import { type Clock, systemClock } from '../../lib/clock.ts';
import type { Pool } from './pool.ts';

/**
 * The time of the database server. Several machines share the limits that the database keeps, and the time between
 * two admissions must not depend on whose clock is ahead.
 */
export class ServerClock implements Clock {
  readonly #pool: Pool;
  readonly #local: Clock;
  /** How far the server is ahead, in milliseconds. */
  #ahead = 0;

  /** @param local a clock other than the system's is a test's: it is taken for the server's. */
  constructor(pool: Pool, local: Clock) {
    this.#pool = pool;
    this.#local = local;
  }

  now(): number {
    return this.#local.now() + this.#ahead;
  }

  /** Measures the difference. It is off by at most half a round trip. */
  async synchronise(): Promise<void> {
    if (this.#local !== systemClock) return;
    const sent = this.#local.now();
    const text = 'select (extract(epoch from clock_timestamp()) * 1000)::bigint as now';
    const [row] = await this.#pool.query<{ now: number }>({ text });
    const received = this.#local.now();
    const ahead = Math.round((row?.now ?? received) - (sent + received) / 2);
    // Smaller differences are noise, and following it would make the time jump about.
    if (Math.abs(ahead - this.#ahead) > Math.max(2, received - sent)) this.#ahead = ahead;
  }
}
