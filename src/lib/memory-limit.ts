import { totalmem } from 'node:os';

/** How much memory there is for this process, in bytes: what its container may have, or the whole machine. */
export function memoryLimit(): number {
  // 0 or beyond all memory where nothing is constrained (https://nodejs.org/api/process.html#processconstrainedmemory).
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}
