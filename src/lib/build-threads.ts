import { availableParallelism } from 'node:os';
import { memoryLimit } from './memory-limit.ts';

const mebibyte = 1024 * 1024;
/** What the server takes under load without builds, and what a thread takes at its work, in bytes. */
const own = 192 * mebibyte;
const each = 128 * mebibyte;

/** How many threads may work on builds: one processor is left to the server, and as many as there is memory for. */
export function buildThreads(processors = availableParallelism(), memory = memoryLimit()): number {
  return Math.max(1, Math.min(processors - 1, Math.floor((memory - own) / each)));
}

/** V8's old space of a thread, in MB: a step that needs more fails, and the thread with it, but not the server. */
export function threadHeap(memory = memoryLimit()): number {
  return Math.max(96, Math.min(256, Math.floor((memory * 3) / 8 / mebibyte)));
}
