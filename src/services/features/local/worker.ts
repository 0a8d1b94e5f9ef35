/** The thread of the local engines: takes one call after the other. Nothing of it is loaded before it is needed. */
import { parentPort } from 'node:worker_threads';
import { compare } from './compare.ts';
import { keywords } from './keywords.ts';
import { detectLanguage, languageName } from './language.ts';
import type { LocalOutcome } from './outcome.ts';
import { sentiment } from './sentiment.ts';
import { summarize } from './summarize.ts';
import type { LocalAnswer, LocalCall } from './thread.ts';

/** What is done on this server, by the feature's id. The input has been checked and its defaults filled in. */
const engines: Readonly<Record<string, (input: never) => LocalOutcome>> = {
  compare,
  keywords,
  sentiment,
  summarize,
  'detect-language': ({ text }: { readonly text: string }) => {
    const { language, reliable, candidates } = detectLanguage(text);
    const name = language === null ? null : languageName(language);
    return { output: { language, name, reliable, candidates } };
  },
};

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

export function runLocally(feature: string, input: unknown): LocalOutcome {
  const engine = engines[feature];
  if (!engine) throw new Error(`there is no local engine for ${feature}`);
  return engine(input as never);
}
