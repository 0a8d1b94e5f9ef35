import type { Lang } from '../spec.ts';
import type { PartOfSpeech } from './draft.ts';
import { type LanguageData, languageData } from './language-data.ts';
import { fold, type Phrases, phraseSet } from './phrases.ts';

/** The words of a language, ready to be looked up. */
export interface Lexicon {
  readonly lang: Lang;
  readonly data: LanguageData;
  /** Closed classes: what each function word is. */
  readonly closed: ReadonlyMap<string, PartOfSpeech>;
  /** What only says that something is asked for, and how kindly. */
  readonly asking: Phrases<true>;
  readonly generic: Phrases<true>;
  readonly fillers: Phrases<true>;
  readonly naming: Phrases<true>;
  readonly with: Phrases<true>;
  readonly fields: Phrases<true>;
  readonly entries: Phrases<true>;
  readonly yesNo: Phrases<true>;
  readonly stops: Phrases<true>;
  /** What stands before the noun that is asked for. */
  readonly which: Phrases<true>;
  readonly required: Phrases<true>;
  readonly measures: Phrases<true>;
  /** How each feature is asked for. */
  readonly features: ReadonlyMap<string, Phrases<true>>;
  readonly about: ReadonlySet<string>;
  readonly and: ReadonlySet<string>;
  readonly joiners: ReadonlySet<string>;
  /** Single words that fields are called by, months, days, units and colours, without accents. */
  readonly fieldWords: ReadonlySet<string>;
}

/** Signs of units that all languages write alike, in small letters. */
const symbols =
  'kg g gr mg t l cl dl ml m cm mm km km/h m² m2 m³ m3 ha ° °c °f kwh kw w v bar psi h min s sec sek seg std % bpm mmhg kcal mg/dl rpm ppm ph mb gb cv hp'.split(
    ' ',
  );

const made = new Map<Lang, Lexicon>();

export function lexiconOf(lang: Lang): Lexicon {
  const found = made.get(lang);
  if (found) return found;
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
  const lexicon: Lexicon = {
    lang,
    data,
    closed: new Map(classes.flatMap(([words, pos]) => words.map((word) => [word, pos] as const))),
    asking: phraseSet(data.asking, lang),
    generic: phraseSet(data.generic, lang),
    fillers: phraseSet(data.fillers, lang),
    naming: phraseSet(data.naming, lang),
    with: phraseSet(data.with, lang),
    fields: phraseSet(data.fields, lang),
    entries: phraseSet(data.entries, lang),
    yesNo: phraseSet(data.yesNo, lang),
    stops: phraseSet(data.stops, lang),
    which: phraseSet(data.which, lang),
    required: phraseSet(data.required, lang),
    measures: phraseSet([...data.measures, ...symbols], lang),
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
  made.set(lang, lexicon);
  return lexicon;
}
