import { oncePer } from '../../lib/once.ts';
import { yamlFile } from '../../lib/yaml-file.ts';
import type { Lang, TemplateName } from '../spec.ts';
import { languageData, pluralOf } from './language-data.ts';
import { fold, Phrases } from './phrases.ts';

/** How a cue speaks for its kind; `traits` and `parts` are of what no kind does. */
export const cueClasses = ['heads', 'verbs', 'things', 'subjects', 'traits', 'parts'] as const;
export type CueClass = (typeof cueClasses)[number];

export interface Cue {
  readonly kind: string;
  readonly variant: string;
  readonly class: CueClass;
  readonly phrase: string;
  /** It speaks for what no kind does; null where it speaks for a kind. */
  readonly never: Impossible | null;
}

/** A field of what people ask for and no kind does. */
export interface Impossible {
  readonly id: string;
  /** The kinds to offer instead, the best first; a trait of this field makes theirs something that no kind does. */
  readonly nearest: readonly TemplateName[];
  /** One may also keep notes of it: a weather log has a field for the weather. */
  readonly kept?: true;
}

/** Cues in one language, ready to be looked up. */
export interface CueTable {
  readonly phrases: Phrases<Cue>;
  /** Single words without accents that are also the ends of compounds. */
  readonly endings: ReadonlyMap<string, readonly Cue[]>;
}

/** A table of cues, which are also found in the plural of their head. */
export function cueTable(cues: readonly Cue[], lang: Lang): CueTable {
  const phrases = new Phrases<Cue>(lang);
  const endings = new Map<string, Cue[]>();
  for (const cue of cues) {
    phrases.add(cue.phrase, cue);
    // “Password-protected” is one word.
    if (cue.never !== null && cue.phrase.includes(' ')) phrases.add(cue.phrase.replaceAll(' ', '-'), cue);
    const plural = pluralPhrase(cue.phrase, lang);
    if (plural !== cue.phrase) phrases.add(plural, cue);
    if (lang !== 'de' || cue.class === 'verbs' || !/^\p{L}{4,}$/u.test(cue.phrase)) continue;
    for (const form of new Set([fold(cue.phrase), fold(plural)]))
      endings.set(form, [...(endings.get(form) ?? []), cue]);
  }
  return { phrases, endings };
}

/** The longest cue that a compound ends with, behind a front of at least so many letters; null where none does. */
export function endOf(
  word: string,
  { endings }: CueTable,
  minFront: number,
): { readonly length: number; readonly cues: readonly Cue[] } | null {
  const folded = fold(word);
  for (let start = minFront; start < folded.length; start += 1) {
    const cues = endings.get(folded.slice(start));
    if (cues) return { length: folded.length - start, cues };
  }
  return null;
}

/** The head of a group of words stands last in English and German, first in the Romance languages. */
function pluralPhrase(phrase: string, lang: Lang): string {
  const words = phrase.split(' ');
  const head = lang === 'en' || lang === 'de' ? words.length - 1 : 0;
  return words.map((word, index) => (index === head ? pluralOf(word, languageData(lang)) : word)).join(' ');
}

/** Phrases by what they are to a kind. */
export type Phrasing = Partial<Record<CueClass, readonly string[]>>;

/** The cues of what they speak for. */
export const cuesOf = (phrasing: Phrasing | undefined, of: Pick<Cue, 'kind' | 'variant' | 'never'>): Cue[] =>
  cueClasses.flatMap((name) => (phrasing?.[name] ?? []).map((phrase) => ({ ...of, class: name, phrase })));

type Entry = Impossible & Readonly<Record<Lang, Phrasing>>;
const entries = yamlFile(new URL('impossible.yaml', import.meta.url)) as readonly Entry[];

/** The cues in one language for what no kind does. */
export const impossibleCues = oncePer((lang: Lang) =>
  cueTable(
    entries.flatMap((never) => cuesOf(never[lang], { kind: '', variant: '', never })),
    lang,
  ),
);
