/** The thread of `inspect.ts`. */
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { problemsOf } from './sound.ts';

export interface InspectionTask {
  readonly path: string;
}

/** The damage, or why it could not be determined. */
export type InspectionReply =
  | { readonly problems: readonly string[] }
  | { readonly message: string; readonly errcode: number | null };

parentPort?.postMessage(reply(workerData as InspectionTask));

function reply({ path }: InspectionTask): InspectionReply {
  try {
    const database = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
    try {
      return { problems: problemsOf(database) };
    } finally {
      database.close();
    }
  } catch (error) {
    const { message, errcode = null } = error as { message: string; errcode?: number };
    return { message, errcode };
  }
}
