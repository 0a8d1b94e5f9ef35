import type { BuildReader } from './build-reader.ts';
import type { BuildRunner } from './runner.ts';

/** How long a build may wait beside a free seat, and run beyond its time, in milliseconds. */
export const stuckMs = 15_000;

/**
 * Whether the builds of the queue are begun and come to an end in this process. Resolves with a sentence, rejects with
 * what is wrong.
 */
export async function checkQueue(
  builds: Pick<BuildReader, 'now' | 'waitingSince'>,
  runner: Pick<BuildRunner, 'activity'>,
  graceMs = stuckMs,
): Promise<string> {
  const since = await builds.waitingSince();
  const { running, seats, overdue, idleMs } = runner.activity(graceMs);
  const count = `${running} of ${seats} builds run`;
  if (overdue > 0 && overdue === seats) {
    throw new Error(`All ${seats} builds that run are more than ${seconds(graceMs)} past their time.`);
  }
  if (since === null) return `${count}, none waits.`;
  // Another process may have begun it meanwhile, and one that was given back has waited since long ago.
  const waitedMs = Math.min(Math.max(0, builds.now() - since), idleMs);
  if (running < seats && waitedMs > graceMs) {
    throw new Error(`${count} and one waits, but none was begun for ${seconds(waitedMs)}.`);
  }
  return `${count}, the first in the queue waits.`;
}

const seconds = (milliseconds: number) => `${Math.floor(milliseconds / 1000)} s`;
