import { compare } from './compare.ts';
import { keywords } from './keywords.ts';
import { detectLanguage, languageName } from './language.ts';
import type { LocalOutcome } from './outcome.ts';
import { sentiment } from './sentiment.ts';
import { summarize } from './summarize.ts';

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

export function runLocally(feature: string, input: unknown): LocalOutcome {
  const engine = engines[feature];
  if (!engine) throw new Error(`there is no local engine for ${feature}`);
  return engine(input as never);
}
