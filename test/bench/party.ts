/** Whoever is measured: the floor, Switchyard in some arrangement, a peer. */

import type { Dialect } from './scenarios.ts';

/** A party that runs. Each is restarted for every round. */
export interface Running {
  /** Where it listens; of several processes, each of them. */
  readonly origins: readonly string[];
  readonly model: string;
  /** The headers of its clients, which take turns. */
  readonly clients: readonly Readonly<Record<string, string>>[];
  /** The processes whose processor time is counted, and those of the stores behind them. */
  readonly servers: readonly number[];
  readonly stores: readonly number[];
  /** From the start to the first right answer, in milliseconds. */
  readonly coldStartMs: number;
  stop(): Promise<void>;
}

export interface Party {
  readonly name: string;
  readonly dialect: Dialect;
  /**
   * @param vendor origin of the mock vendor
   * @param keys with how many keys clients come
   */
  start(vendor: string, keys: number): Promise<Running>;
}
