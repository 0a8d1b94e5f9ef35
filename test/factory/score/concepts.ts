import { hueNames } from './hue.ts';
import { languageWords } from './language-words.ts';
import type { PromptLang } from './prompt-set.ts';
import type { ScoredSpec, SpecView } from './spec-view.ts';
import { isMisspelled, stem, wordsOf } from './text.ts';
import { weekdayNames, weekdaysIn } from './weekdays.ts';

/**
 * Tells the words that a spec takes up by what it is and not by what it says: its kind and variant, its colour, the types
 * of its fields, its features, its language and currency, the days that its texts name or span.
 */
export function conceptsOf(
  spec: ScoredSpec,
  view: SpecView,
  texts: readonly string[],
  lang: PromptLang,
): (word: string) => boolean {
  const words = languageWords(lang);
  const days = weekdaysIn(texts, lang);
  /** Word -> its stem. */
  const taken = new Map<string, string>();
  const take = (list: Iterable<string> | undefined) => {
    for (const word of list ?? []) taken.set(word, stem(word, lang));
  };
  take(words.looks);
  take(words.kinds[spec.kind]);
  take(words.variants[spec.variant]);
  take(wordsOf(`${spec.kind} ${spec.variant}`));
  for (const name of hueNames(spec.palette.accent)) take(words.colours[name]);
  if (spec.palette.mode === 'dark') {
    take(words.dark);
    take(words.colours['black']);
  }
  for (const { type } of view.fields) take(words.types[type ?? 'number']);
  for (const feature of spec.features) take(words.features[feature]);
  take(words.languages[spec.lang]);
  take(words.currencies[spec.currency]);
  if (view.fields.some(({ required }) => required))
    take(['required', 'obligatorio', 'obligatoire', 'pflichtfeld']);
  // A calendar shows every day of its week.
  for (const [name, day] of weekdayNames(lang)) if (spec.kind === 'calendar' || days.has(day)) take([name]);
  return (word) => {
    const wanted = stem(word, lang);
    return [...taken].some(([other, stemmed]) => stemmed === wanted || isMisspelled(word, other));
  };
}
