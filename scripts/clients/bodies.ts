import { operationsOf } from '../../src/contract/served/document.ts';
import { readContract } from './contract.ts';
import { type RunOptions, run } from './run.ts';
import { samplesOf } from './samples.ts';

/** What the documentation prints for an operation in a language: how the client is made, then each of its samples. */
export interface Printed {
  readonly operationId: string;
  readonly source: string;
}

/** All that is printed in a language, an entry for each operation in the order of the live tests. */
export function printedIn(language: string, comment: string): Printed[] {
  const samples = samplesOf(language);
  const start = samples.filter(({ operationId }) => operationId === 'start').map(({ source }) => source);
  const ids = [...new Set(samples.map(({ operationId }) => operationId))].filter((id) => id !== 'start');
  return ids.map((operationId) => {
    const calls = samples.filter((sample) => sample.operationId === operationId);
    const shown = calls.map(({ title, source }) => (title ? `${comment} ${title}\n${source}` : source));
    return { operationId, source: [...start, ...shown].join('\n\n') };
  });
}

/** Runs what is printed for an operation. A server without a provider says of some features that they need a model. */
export async function runPrinted(
  operationId: string,
  program: string,
  args: readonly string[],
  options: RunOptions,
): Promise<void> {
  try {
    await run(program, args, options);
  } catch (error) {
    const { message } = error as Error;
    const engines = operationsOf(readContract()).find(({ id }) => id === operationId)?.operation['x-engines'];
    const mayNeedModel = engines?.includes('model') ?? false;
    if (!mayNeedModel || !/needs a (?:language )?model/.test(message))
      throw new Error(`${operationId}: ${message}`);
  }
}
