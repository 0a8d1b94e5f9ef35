import { readdirSync } from 'node:fs';
import { oncePer } from '../../lib/once.ts';
import { yamlFile } from '../../lib/yaml-file.ts';
import type schema from '../language/language.schema.json';
import type { FieldType, Lang } from '../spec.ts';
import { fold } from './phrases.ts';

type Words = readonly string[];
/** An ending and what stands in its place. */
type Endings = readonly (readonly [string, string])[];
type ByWord<Value = string> = Readonly<Record<string, Value>>;

/** What is no plain list of words. */
interface Tables {
  readonly name: string;
  readonly typeNames: Readonly<Partial<Record<FieldType, Words>>>;
  readonly plurals: Endings;
  readonly makePlural: Endings;
  readonly irregular: ByWord;
  readonly months: readonly Words[];
  readonly weekdays: readonly Words[];
  readonly daily: string;
  readonly numbers: ByWord<number>;
  readonly units: ByWord<Words>;
  readonly currency: string;
  readonly currencies: ByWord;
  readonly colours: ByWord;
  readonly types: Readonly<Partial<Record<FieldType, Words>>>;
  readonly streets: { readonly before: Words; readonly after: Words };
  readonly features: ByWord<Words>;
  readonly messages: Readonly<Record<'unserved' | 'colour' | 'currency' | 'unsure', string>> & {
    /** English only: what is said of a prompt in a language that apps are not written in. */
    readonly foreign?: string;
  };
}

export type WordList = Exclude<keyof typeof schema.properties, keyof Tables>;

/** What is known of a language: `language/<lang>.yaml`, whose schema says what each member is for. */
export interface LanguageData extends Tables, Readonly<Record<WordList, Words>> {}

const folder = new URL('../language/', import.meta.url);

/** The languages that there is a file for. */
export const readLangs = readdirSync(folder)
  .filter((file) => file.endsWith('.yaml'))
  .map((file) => file.slice(0, -'.yaml'.length) as Lang);

/** What is known of a language, read from its file the first time. */
export const languageData = oncePer((lang: Lang): LanguageData => {
  const data = yamlFile(new URL(`${lang}.yaml`, folder)) as LanguageData;
  // Words of prompts are looked up in these: `constructor` is in none of them.
  for (const table of [data.irregular, data.numbers, data.currencies, data.colours])
    Object.setPrototypeOf(table, null);
  return data;
});

const minStem = 2;

/** A noun in singular and small letters, by the endings of its language; unchanged where none fits. */
export function singularOf(noun: string, { irregular, plurals }: LanguageData): string {
  const lower = noun.toLowerCase();
  return irregular[lower] ?? (lower.endsWith("'s") ? lower : withEnding(lower, plurals, minStem));
}

/** A noun in plural and small letters. */
export function pluralOf(noun: string, { irregular, makePlural }: LanguageData): string {
  const lower = noun.toLowerCase();
  const known = Object.entries(irregular).find(([, singular]) => singular === lower);
  return known?.[0] ?? withEnding(lower, makePlural, 0);
}

/** A word with the first of the endings that fits, behind so many letters, replaced. */
function withEnding(word: string, endings: Endings, least: number): string {
  const fits = endings.find(([end]) => word.endsWith(end) && word.length - end.length >= least);
  return fits ? word.slice(0, word.length - fits[0].length) + fits[1] : word;
}

/** Words that mean something else far more often: “lavori in corso”. */
const homographs = ['corso', 'corse', 'yi', 'ga'];

/** The ISO 639 code of the language that a word of another one names, with any ending: “deutscher”; null where it names none. */
export function languageNamed(word: string, lang: Lang): string | null {
  const known = namesIn(lang);
  const plain = fold(word.trim());
  const stem = plain.replace(/(?:e[nrsm]?|as?|os?)$/, '');
  return known.get(plain) ?? known.get(stem) ?? known.get(`${stem}o`) ?? null;
}

/** The name of a language in another one: `de` is “German” in English. */
export const languageName = (code: string, lang: Lang): string =>
  new Intl.DisplayNames(lang, { type: 'language' }).of(code) ?? code;

/** The names of all languages with two letters, which is cheaper than a list of our own. */
const namesIn = oncePer((lang: Lang): ReadonlyMap<string, string> => {
  const display = new Intl.DisplayNames(lang, { type: 'language', fallback: 'none' });
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  const codes = [...letters.flatMap((first) => letters.map((second) => first + second)), 'tlh', 'nds', 'gsw'];
  const named = codes.flatMap((code) => {
    const name = display.of(code);
    return name ? [[fold(name), code] as const] : [];
  });
  const names = new Map(named);
  for (const word of homographs) names.delete(word);
  return names;
});
