import { oncePer } from '../../lib/once.ts';
import type { Lang } from '../spec.ts';
import type { PartOfSpeech, Token } from './draft.ts';
import { type LanguageData, languageData, type WordList } from './language-data.ts';
import { fold, type Phrases, phraseSet } from './phrases.ts';

type Looked = Exclude<WordList, 'about' | 'and' | 'closed'>;

/** The words of a language, ready to be looked up. */
export interface Lexicon extends Readonly<Record<Looked, Phrases<true>>> {
  readonly lang: Lang;
  readonly data: LanguageData;
  /** Closed classes: what each function word is. */
  readonly closed: ReadonlyMap<string, PartOfSpeech>;
  /** How each feature is asked for. */
  readonly features: ReadonlyMap<string, Phrases<true>>;
  readonly about: ReadonlySet<string>;
  readonly and: ReadonlySet<string>;
  readonly joiners: ReadonlySet<string>;
  /** Single words that fields are called by, months, days, units and colours, without accents. */
  readonly fieldWords: ReadonlySet<string>;
}

/** A prompt with its tokens and the words of its language. */
export interface TaggedPrompt {
  readonly prompt: string;
  readonly tokens: readonly Token[];
  readonly lexicon: Lexicon;
}

/** Signs of units that all languages write alike, in small letters. */
const symbols =
  'kg g gr mg t l cl dl ml m cm mm km km/h m² m2 m³ m3 ha ° °c °f kwh kw w v bar psi h min s sec sek seg std % bpm mmhg kcal mg/dl rpm ppm ph mb gb cv hp'.split(
    ' ',
  );

export const lexiconOf = oncePer((lang: Lang): Lexicon => {
  const data = languageData(lang);
  const classes: readonly (readonly [readonly string[], PartOfSpeech])[] = [
    [data.adverbs, 'adverb'],
    [data.fillers, 'adjective'],
    [data.auxiliaries, 'verb'],
    [data.pronouns, 'pronoun'],
    [data.conjunctions, 'conjunction'],
    [data.determiners, 'determiner'],
    [data.possessives, 'determiner'],
    [data.prepositions, 'preposition'],
    [[...data.and, ...data.or], 'conjunction'],
    [Object.keys(data.numbers).filter((word) => data.numbers[word] !== 1), 'number'],
  ];
  const looked = Object.entries<unknown>({ ...data, measures: [...data.measures, ...symbols] }).flatMap(
    ([name, words]) => (isWords(words) ? [[name, phraseSet(words, lang)]] : []),
  );
  return {
    ...(Object.fromEntries(looked) as Record<Looked, Phrases<true>>),
    lang,
    data,
    closed: new Map(classes.flatMap(([words, pos]) => words.map((word) => [word, pos] as const))),
    features: new Map(
      Object.entries(data.features).map(([feature, phrases]) => [feature, phraseSet(phrases, lang)]),
    ),
    about: new Set(data.about),
    and: new Set(data.and),
    joiners: new Set([...data.and, ...data.or]),
    fieldWords: new Set(
      [data.types, data.months, data.weekdays, data.units, [Object.keys(data.colours)]]
        .flatMap((words) => Object.values<readonly string[]>(words).flat())
        .filter((word) => word.length > 2)
        .map(fold),
    ),
  };
});

const isWords = (words: unknown): words is readonly string[] =>
  Array.isArray(words) && words.every((word) => typeof word === 'string');
