/** The thread of the local engines: takes one call after the other. Nothing of it is loaded before it is needed. */
import { parentPort } from 'node:worker_threads';
import { runLocally } from './engines.ts';
import type { LocalAnswer, LocalCall } from './thread.ts';

parentPort?.on('message', ({ id, feature, input }: LocalCall) => {
  parentPort?.postMessage(answerOf(id, feature, input));
});

function answerOf(id: number, feature: string, input: unknown): LocalAnswer {
  try {
    return { id, outcome: runLocally(feature, input) };
  } catch (error) {
    return { id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
