import { bootId } from '../lib/machine.ts';

/** Where a process has its time from; tests have their own. */
export interface TimeSource {
  /** Milliseconds since the epoch as the machine has been told. It may step. */
  wall(): number;
  /** Milliseconds since some moment, the same for all processes of the machine until that is restarted. Never steps. */
  monotonic(): number;
  /** Which start of the machine that goes with. */
  readonly boot: string;
}

/** `performance.now()` allocates nothing, but begins with the process. */
const origin = originOf();

/** What `process.hrtime` is ahead: read between two of the other, as often as it takes for those to be close. */
function originOf(): number {
  let best = { width: Number.POSITIVE_INFINITY, origin: 0 };
  for (let attempt = 0; attempt < 100 && best.width > 0.01; attempt += 1) {
    const before = performance.now();
    const time = Number(process.hrtime.bigint()) / 1e6;
    const after = performance.now();
    if (after - before < best.width) best = { width: after - before, origin: time - (before + after) / 2 };
  }
  return best.origin;
}

export const machineTime: TimeSource = {
  wall: () => Date.now(),
  monotonic: () => origin + performance.now(),
  boot: bootId ?? 'unknown',
};
