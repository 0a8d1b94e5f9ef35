/**
 * Latencies by how many ask at a time. Processor time does not show who waits for what: a stream that ends 40 ms late costs nothing.
 * Each slot has connections of its own, as which of a server's sockets one comes by is chance.
 */

import { load } from './load/wrk.ts';
import type { Running } from './party.ts';
import type { Dialogue } from './scenarios.ts';

/** What so many connections found. Times in milliseconds. */
export interface Crowd {
  readonly connections: number;
  readonly failed: number;
  /** Medians of the slots. */
  readonly p50: number;
  readonly p99: number;
  /** Answers a second: the median of the slots, and the slowest of them. */
  readonly rate: number;
  readonly lowestRate: number;
}

/** @param slots of a second each */
export async function crowd(
  running: Running,
  dialogue: Dialogue,
  connections: number,
  slots: number,
): Promise<Crowd> {
  const all = [];
  for (let slot = 0; slot < slots; slot += 1) all.push(await load(running, dialogue, connections, 1));
  const middle = (values: readonly number[]) =>
    values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
  const rates = all.map(({ answered, seconds }) => answered / seconds);
  return {
    connections,
    failed: all.reduce((sum, { failed }) => sum + failed, 0),
    p50: middle(all.map(({ p50 }) => p50)),
    p99: middle(all.map(({ p99 }) => p99)),
    rate: middle(rates),
    lowestRate: Math.min(...rates),
  };
}
