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
