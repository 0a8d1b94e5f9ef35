import { getHeapStatistics } from 'node:v8';
import { memoryLimit } from './memory-limit.ts';

const min = 64 * 1024 * 1024;

/**
 * How much of its memory a process may well spend on what is in flight, in bytes: a quarter of what it or its container
 * has, and no more than half of V8's heap, where texts and parsed JSON live.
 */
export function memoryShare(): number {
  const share = Math.min(memoryLimit() / 4, getHeapStatistics().heap_size_limit / 2);
  return Math.max(min, Math.floor(share));
}
