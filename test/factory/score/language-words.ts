import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as stopword from 'stopword';
import { parse } from 'yaml';
import type { PromptLang } from './prompt-set.ts';
import { wordsOf } from './text.ts';

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

/** The words of a language, from `words/<lang>.yaml`. */
export function languageWords(lang: PromptLang): LanguageWords {
  const known = loaded.get(lang);
  if (known) return known;
  const file = parse(readFileSync(path.join(import.meta.dirname, 'words', `${lang}.yaml`), 'utf8')) as Record<
    keyof LanguageWords | 'verbs',
    string & Record<string, string>
  >;
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
