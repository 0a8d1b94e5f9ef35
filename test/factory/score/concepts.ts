import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as stopword from 'stopword';
import { parse } from 'yaml';
import type { PromptLang } from './prompt-set.ts';
import type { ScoredSpec, SpecView } from './spec-view.ts';
import { isMisspelled, stem, weekdayNames, weekdaysIn, wordsOf } from './text.ts';

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

type WordsBy = Readonly<Record<string, ReadonlySet<string>>>;

/** What the words of a language may stand for, all folded. */
export interface LanguageWords {
  /** Function words, common verbs and words of asking: a prompt says them, and nothing needs to come of them. */
  readonly talk: ReadonlySet<string>;
  readonly possessives: ReadonlySet<string>;
  readonly kinds: WordsBy;
  readonly variants: WordsBy;
  readonly colours: WordsBy;
  readonly looks: ReadonlySet<string>;
  readonly dark: ReadonlySet<string>;
  readonly types: WordsBy;
  readonly features: WordsBy;
  readonly languages: WordsBy;
  readonly currencies: WordsBy;
}

const functionWordLists = { en: 'eng', de: 'deu', es: 'spa', fr: 'fra', it: 'ita', pt: 'por' } as const;
const functionWords: Readonly<Record<string, readonly string[] | undefined>> = stopword;
const loaded = new Map<PromptLang, LanguageWords>();

type WordsFile = Readonly<
  Record<PromptLang, Record<keyof LanguageWords | 'verbs', string & Record<string, string>>>
>;
const wordsFile = path.join(import.meta.dirname, 'words.yaml');
let written: WordsFile | undefined;

/** The words of a language, from `words.yaml`. */
export function languageWords(lang: PromptLang): LanguageWords {
  const known = loaded.get(lang);
  if (known) return known;
  written ??= parse(readFileSync(wordsFile, 'utf8')) as WordsFile;
  const file = written[lang];
  const words: LanguageWords = {
    talk: new Set([
      ...(functionWords[functionWordLists[lang]] ?? []).flatMap(wordsOf),
      ...wordsOf(file.talk),
      ...wordsOf(file.verbs),
    ]),
    possessives: new Set(wordsOf(file.possessives)),
    kinds: wordsBy(file.kinds),
    variants: wordsBy(file.variants),
    colours: wordsBy(file.colours),
    looks: new Set(wordsOf(file.looks)),
    dark: new Set(wordsOf(file.dark)),
    types: wordsBy(file.types),
    features: wordsBy(file.features),
    languages: wordsBy(file.languages),
    currencies: wordsBy(file.currencies),
  };
  loaded.set(lang, words);
  return words;
}

const wordsBy = (lists: Record<string, string>): WordsBy =>
  Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, new Set(wordsOf(list))]));

/** Spans of the colour wheel in degrees, which overlap where people differ. */
const spans: Readonly<Record<string, readonly (readonly [number, number])[]>> = {
  red: [
    [0, 16],
    [340, 360],
  ],
  orange: [[14, 44]],
  yellow: [[38, 70]],
  green: [[70, 172]],
  teal: [[158, 202]],
  blue: [[186, 255]],
  purple: [[244, 318]],
  pink: [[296, 352]],
};

/** The names by which people call a colour, given as `#rrggbb`: none, one or several. */
export function hueNames(hex: string): string[] {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(
    (at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255,
  );
  const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)];
  const lightness = (most + least) / 2;
  const spread = most - least;
  const saturation = spread === 0 ? 0 : spread / (1 - Math.abs(2 * lightness - 1));
  const names: string[] = [];
  if (lightness < 0.18) names.push('black');
  if (saturation < 0.18) return [...names, 'grey'];
  const hue = hueOf(red, green, blue, most, spread);
  for (const [name, parts] of Object.entries(spans))
    if (parts.some(([from, to]) => hue >= from && hue <= to)) names.push(name);
  if (hue >= 8 && hue <= 46 && lightness < 0.48) names.push('brown');
  if ((hue <= 12 || hue >= 318) && lightness > 0.66) names.push('pink');
  return names;
}

function hueOf(red: number, green: number, blue: number, most: number, spread: number): number {
  const sixths =
    most === red
      ? (green - blue) / spread
      : most === green
        ? 2 + (blue - red) / spread
        : 4 + (red - green) / spread;
  return (sixths * 60 + 360) % 360;
}
