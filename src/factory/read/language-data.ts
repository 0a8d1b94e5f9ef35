import { readdirSync } from 'node:fs';
import { yamlFile } from '../../lib/yaml-file.ts';
import type { FieldType, Lang } from '../spec.ts';
import { fold } from './phrases.ts';

type Words = readonly string[];
/** An ending and what stands in its place. */
type Endings = readonly (readonly [string, string])[];

/** What is known of a language: `language/<lang>.yaml`, whose schema says what each member is for. */
export interface LanguageData {
  readonly name: string;
  readonly determiners: Words;
  readonly possessives: Words;
  readonly pronouns: Words;
  readonly prepositions: Words;
  readonly conjunctions: Words;
  readonly auxiliaries: Words;
  readonly adverbs: Words;
  readonly asking: Words;
  readonly generic: Words;
  readonly fillers: Words;
  readonly and: Words;
  readonly or: Words;
  readonly with: Words;
  readonly about: Words;
  readonly fields: Words;
  readonly entries: Words;
  readonly naming: Words;
  readonly which: Words;
  readonly required: Words;
  readonly measures: Words;
  readonly typeNames: Readonly<Partial<Record<FieldType, Words>>>;
  readonly yesNo: Words;
  readonly stops: Words;
  readonly plurals: Endings;
  readonly makePlural: Endings;
  readonly irregular: Readonly<Record<string, string>>;
  readonly months: readonly Words[];
  readonly weekdays: readonly Words[];
  readonly daily: string;
  readonly closed: Words;
  readonly open: Words;
  readonly range: Words;
  readonly clock: Words;
  readonly spoken: Words;
  readonly numbers: Readonly<Record<string, number>>;
  readonly units: Readonly<Record<string, Words>>;
  readonly currency: string;
  readonly currencies: Readonly<Record<string, string>>;
  readonly colours: Readonly<Record<string, string>>;
  readonly colourWords: Words;
  readonly dark: Words;
  readonly light: Words;
  readonly types: Readonly<Partial<Record<FieldType, Words>>>;
  readonly pointsInTime: Words;
  readonly dayPrepositions: Words;
  readonly streets: { readonly before: Words; readonly after: Words };
  readonly places: Words;
  readonly features: Readonly<Record<string, Words>>;
  readonly verbEndings: Words;
  readonly adjectiveEndings: Words;
  readonly nounEndings: Words;
  readonly messages: Readonly<Record<'unserved' | 'colour' | 'currency' | 'unsure', string>> & {
    /** English only: what is said of a prompt in a language that apps are not written in. */
    readonly foreign?: string;
  };
}

const folder = new URL('../language/', import.meta.url);

/** The languages that there is a file for. */
export const readLangs = readdirSync(folder)
  .filter((file) => file.endsWith('.yaml'))
  .map((file) => file.slice(0, -'.yaml'.length) as Lang);

const known = new Map<Lang, LanguageData>();

/** What is known of a language, read from its file the first time. */
export function languageData(lang: Lang): LanguageData {
  const found = known.get(lang);
  if (found) return found;
  const data = yamlFile(new URL(`${lang}.yaml`, folder)) as LanguageData;
  // Words of prompts are looked up in these: `constructor` is in none of them.
  for (const table of [data.irregular, data.numbers, data.currencies, data.colours])
    Object.setPrototypeOf(table, null);
  known.set(lang, data);
  return data;
}

const minStem = 2;

/** A noun in singular and small letters, by the endings of its language; unchanged where none fits. */
export function singularOf(noun: string, { irregular, plurals }: LanguageData): string {
  const lower = noun.toLowerCase();
  const known = irregular[lower];
  if (known !== undefined) return known;
  if (lower.endsWith("'s")) return lower;
  for (const [ending, instead] of plurals) {
    if (lower.endsWith(ending) && lower.length - ending.length >= minStem)
      return lower.slice(0, lower.length - ending.length) + instead;
  }
  return lower;
}

/** A noun in plural and small letters. */
export function pluralOf(noun: string, { irregular, makePlural }: LanguageData): string {
  const lower = noun.toLowerCase();
  const known = Object.entries(irregular).find(([, singular]) => singular === lower);
  if (known) return known[0];
  for (const [ending, instead] of makePlural) {
    if (lower.endsWith(ending)) return lower.slice(0, lower.length - ending.length) + instead;
  }
  return lower;
}

/** Words that mean something else far more often: “lavori in corso”. */
const homographs = ['corso', 'corse', 'yi', 'ga'];
const namesOf = new Map<Lang, ReadonlyMap<string, string>>();

/** The ISO 639 code of the language that a word of another one names, with any ending: “deutscher”; null where it names none. */
export function languageNamed(word: string, lang: Lang): string | null {
  const known = namesOf.get(lang) ?? namesIn(lang);
  namesOf.set(lang, known);
  const plain = fold(word.trim());
  const stem = plain.replace(/(?:e[nrsm]?|as?|os?)$/, '');
  return known.get(plain) ?? known.get(stem) ?? known.get(`${stem}o`) ?? null;
}

/** The name of a language in another one: `de` is “German” in English. */
export const languageName = (code: string, lang: Lang): string =>
  new Intl.DisplayNames(lang, { type: 'language' }).of(code) ?? code;

/** The names of all languages with two letters, which is cheaper than a list of our own. */
function namesIn(lang: Lang): ReadonlyMap<string, string> {
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
}
