/** Cores that each of those who take part has for itself, by the machine's `taskset`. */

import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** Numbers of cores, as `taskset` takes them. */
export interface Cores {
  readonly gateway: string;
  readonly vendor: string;
  readonly load: string;
  /** How many the load has. */
  readonly loads: number;
}

/**
 * The first cores for the gateway, the next for the vendor, the rest for the load, which shares its only one with the vendor where there
 * are no more. Throws where none is left for them.
 */
export function coresFor(gateway: number, all = availableParallelism()): Cores {
  if (gateway >= all)
    throw new Error(`--cores ${gateway} needs ${gateway + 1} cores or more; this machine has ${all}.`);
  const first = Math.min(gateway + 1, all - 1);
  return {
    gateway: `0-${gateway - 1}`,
    vendor: String(gateway),
    load: `${first}-${all - 1}`,
    loads: all - first,
  };
}

/** Starts something on these cores: what begins there stays there, and counts no others as its own. */
export async function startedOn<Result>(
  cores: string,
  others: string,
  start: () => Promise<Result>,
): Promise<Result> {
  moveTo(cores);
  try {
    return await start();
  } finally {
    moveTo(others);
  }
}

/** Puts the thread that starts processes on these cores. */
export function moveTo(cores: string): void {
  const { status, stderr, error } = spawnSync('taskset', ['-cp', cores, String(process.pid)], {
    encoding: 'utf8',
  });
  if (status !== 0)
    throw new Error(`--cores needs taskset (\`apt-get install util-linux\`): ${error?.message ?? stderr}`);
}
