import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism, getPriority, setPriority, totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';

/** The memory for this process, in bytes: its container's limit, or the whole machine's. */
export function memoryLimit(): number {
  // 0 or beyond all memory where nothing is constrained (https://nodejs.org/api/process.html#processconstrainedmemory).
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}

const minShare = 64 * 1024 * 1024;

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
  return Math.max(minShare, Math.floor(share));
}

const flag = '--max-old-space-size=';
const mebibyte = 1024 * 1024;
/** Memory outside V8's heap, such as buffers, code and threads, needs the rest. */
const heapShare = 0.4;
/** With less the server hardly starts. */
const minHeap = 96 * mebibyte;

/**
 * Node's arguments with V8's old space bounded so that it fits into the memory there is: a heap that believes in more collects
 * its garbage too late, and the process is killed. A smaller bound stays as it is.
 * @param args of Node.js, without the script and what follows it
 * @param heap bound of the heap that holds without a flag, in bytes
 * @param memory what there is for the process, in bytes
 */
export function withHeapBound(args: readonly string[], heap: number, memory: number): readonly string[] {
  const isBound = (arg: string) => arg.replaceAll('_', '-').startsWith(flag);
  const given = args.findLast(isBound)?.slice(flag.length);
  const bound = given === undefined ? heap : Number(given) * mebibyte;
  const most = Math.max(minHeap, memory * heapShare);
  if (bound <= most) return args;
  return [...args.filter((arg) => !isBound(arg)), `${flag}${Math.floor(most / mebibyte)}`];
}

/** The memory of the server under load without builds, and of a thread at work, in bytes. */
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

/** Maximum number of processes of one start. */
const most = 64;

export const expectedProcessCount = `auto, or a whole number from 1 to ${most}`;

/** How many processes a text asks for, `auto` being one for each core that there is; null for one that says nothing of the sort. */
export function processCount(text: string): number | null {
  if (text === 'auto') return Math.min(most, availableParallelism());
  const count = Number(text);
  return /^\d+$/.test(text) && count >= 1 && count <= most ? count : null;
}

/** On a core that is fully used, a thread that is nicer by this much gets a tenth of the time. */
const nicer = 10;
/** Linux has no thread that is nicer. */
const nicest = 19;

/**
 * Has V8's helper threads, which collect garbage and compile, yield to the event loop where they share a core. Without it each of the
 * four gets as much of the core as the event loop. Pinned to one core, at 1,600 answers a second, the longest delay was 40 to 90 ms
 * instead of 40 to 440 in six runs each, and 120 to 390 instead of 230 to 660 in three on a busier machine (2026-11-28). Only on Linux,
 * where each thread has a priority.
 */
export function lowerHelperPriority(): void {
  if (process.platform !== 'linux') return;
  const niceness = Math.min(nicest, getPriority() + nicer);
  for (const id of readdirSync('/proc/self/task')) {
    try {
      const name = readFileSync(`/proc/self/task/${id}/comm`, 'utf8');
      if (name.includes('V8Worker')) setPriority(Number(id), niceness);
    } catch {
      // Another thread that has just ended, or a sandbox without priorities: the server runs as well.
    }
  }
}
