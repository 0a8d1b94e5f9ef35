import { getHeapStatistics } from 'node:v8';
import { memoryOfMachine } from '../lib/memory-share.ts';

const flag = '--max-old-space-size=';
/** What the server needs to answer at all, and the part of the memory that all heaps together may have. */
const minMiB = 160;
const part = 0.45;

/** The flags of Node.js for one of several processes: its heap may have its part of the memory that there is, and no more than before. */
export function withHeapShare(
  flags: readonly string[],
  processes: number,
  memory = memoryOfMachine(),
): string[] {
  const share = Math.max(minMiB, Math.floor((memory * part) / processes / 2 ** 20));
  const given = flags.find((one) => one.startsWith(flag))?.slice(flag.length);
  const alone = Number(given ?? Math.floor(getHeapStatistics().heap_size_limit / 2 ** 20));
  return [...flags.filter((one) => !one.startsWith(flag)), `${flag}${Math.min(alone, share)}`];
}
