import { bootId } from '../lib/machine.ts';

/** Where a process has its time from; tests have their own. */
export interface TimeSource {
  /** Milliseconds since the epoch as the machine has been told. It may step. */
  wall(): number;
  /** Milliseconds since some moment, the same for all processes of the machine until that is started anew. Never steps. */
  monotonic(): number;
  /** Which start of the machine that goes with. */
  readonly boot: string;
}

/** `performance.now()` costs no system call, but begins with the process. */
const origin = Number(process.hrtime.bigint()) / 1e6 - performance.now();

export const machineTime: TimeSource = {
  wall: () => Date.now(),
  monotonic: () => origin + performance.now(),
  boot: bootId ?? 'unknown',
};
