import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';

/** How much memory there is for this process, in bytes: what its container may have, or the whole machine. */
export function memoryLimit(): number {
  // 0 or beyond all memory where nothing is constrained (https://nodejs.org/api/process.html#processconstrainedmemory).
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}

const min = 64 * 1024 * 1024;

/**
 * How much of its memory a process may well spend on what is in flight, in bytes: its part of what all have together, by
 * default a quarter of what there is and no more than half of V8's heap, where texts and parsed JSON live.
 * @param processes how many share the memory
 * @param together what they may spend, in bytes; null: as described
 */
export function memoryShare(processes = 1, together: number | null = null): number {
  const share =
    together === null
      ? Math.min(memoryLimit() / 4 / processes, getHeapStatistics().heap_size_limit / 2)
      : together / processes;
  return Math.max(min, Math.floor(share));
}
