/** By what a process on the database is known to live, and to have ended. `Presence` judges by it. */
import type { StoreClock } from '../../lib/clock.ts';
import { bootId, processNamespace, processStatus } from '../../lib/machine.ts';
import { aliveMs } from '../../store/life.ts';
import type { InstanceRow } from '../../store/schema.ts';

export const leaseMs = aliveMs;

/** Leases that end later than this are good. A lease lasts so long, however far the time has stepped meanwhile. */
export function livingUntil(clock: StoreClock): number {
  return clock.ago(leaseMs) + leaseMs;
}

/**
 * Where a process runs, so that another one there can tell for certain that it has ended, before its lease does: the
 * start of the machine, what its number means there, and when it was started. A host's name says nothing of the kind:
 * machines share it. Where this cannot be told, or belongs to another machine or container, the lease alone decides.
 * It is no host's name either, so version 1.0, which goes by that, leaves the row to its lease as well.
 */
export function hostOfProcess(pid: number): string {
  const startedAt = processStatus(pid)?.startedAt;
  if (bootId === null || processNamespace === null || startedAt === undefined) return 'unknown:';
  return `${here}${startedAt}`;
}

const here = `boot:${bootId} ${processNamespace} started:`;

/** Whether a process that ran here has certainly ended. */
export function hasEnded({ host, pid }: Pick<InstanceRow, 'host' | 'pid'>): boolean {
  if (bootId === null || processNamespace === null || !host.startsWith(here)) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return true;
  }
  const found = processStatus(pid);
  // Unreadable (a system may hide the processes of others), it may well live.
  return found !== null && (found.ended || found.startedAt !== host.slice(here.length));
}
