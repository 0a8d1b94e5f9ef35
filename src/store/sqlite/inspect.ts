import { stat } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { moduleUrl } from '../../lib/module-url.ts';
import type { InspectionReply, InspectionTask } from './inspect-thread.ts';

/** Time between two lines about a check that goes on, in milliseconds. */
const patienceMs = 10_000;

/**
 * Looks through every page of a database, in a thread, as it takes longer than reading the file. Returns what is damaged,
 * nothing for a sound one. Tells of its beginning, its end, and every ten seconds that it goes on.
 */
export async function inspect(
  path: string,
  why: string,
  tell: (line: string) => void,
): Promise<readonly string[]> {
  const started = performance.now();
  const seconds = () => `${((performance.now() - started) / 1000).toFixed(1)} s`;
  const megabytes = Math.ceil((await stat(path)).size / 1_000_000);
  tell(`${path} ${why}; its ${megabytes} MB are checked before it is used.`);
  const pulse = setInterval(() => tell(`The check of ${path} goes on since ${seconds()}.`), patienceMs);
  try {
    const problems = await run({ path });
    if (problems.length === 0) tell(`${path} is sound; the check took ${seconds()}.`);
    return problems;
  } finally {
    clearInterval(pulse);
  }
}

function run(task: InspectionTask): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(moduleUrl('inspect-thread', import.meta.url), { workerData: task });
    worker.once('message', (reply: InspectionReply) => {
      if ('problems' in reply) resolve(reply.problems);
      else reject(Object.assign(new Error(reply.message), { errcode: reply.errcode }));
    });
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`the thread ended with ${code}`)));
  });
}
