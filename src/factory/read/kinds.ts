import { existsSync, readdirSync } from 'node:fs';
import { type Lang, type TemplateName, templateNames } from '../spec.ts';
import type { Compose } from './draft.ts';
import { languageData } from './language-data.ts';
import { pluralOf } from './numerus.ts';
import { fold, Phrases } from './phrases.ts';
import { yamlFile } from './yaml-file.ts';

/** How a cue speaks for its kind. */
export type CueClass = 'heads' | 'verbs' | 'things' | 'subjects';

export interface Cue {
  readonly kind: string;
  readonly variant: string;
  readonly class: CueClass;
  readonly phrase: string;
}

type CuesByLang = Partial<Record<Lang, Partial<Record<CueClass, readonly string[]>>>>;

interface CuesFile extends CuesByLang {
  readonly variants?: Readonly<Record<string, CuesByLang>>;
  readonly content?: Partial<Record<Lang, unknown>>;
}

interface KindModule {
  readonly compose: Compose<never>;
}

/** The kinds that prompts are read for. */
export interface Kinds {
  readonly cues: (lang: Lang) => CueTable;
  readonly compose: (kind: string) => Compose | null;
  readonly content: (kind: string, lang: Lang) => unknown;
}

/** The cues of all kinds in one language. */
export interface CueTable {
  readonly phrases: Phrases<Cue>;
  /** Their single words without accents, which typing errors are compared with. */
  readonly words: readonly string[];
  /** Single words, the longest first, that are also the ends of compounds. */
  /** Stems of infinitives, which the other forms of a verb begin with. */
  readonly stems: readonly (readonly [stem: string, cue: Cue])[];
  readonly endings: readonly (readonly [ending: string, cues: readonly Cue[]])[];
}

/**
 * The kinds in a folder: each is a folder with `cues.yaml` and `compose.ts`. A kind that is not in the contract is left
 * out unless `all` is set.
 */
export async function kindsIn(folder: URL, all = false): Promise<Kinds> {
  const names = readdirSync(folder).filter(
    (name) =>
      existsSync(new URL(`${name}/cues.yaml`, folder)) &&
      existsSync(new URL(`${name}/compose.ts`, folder)) &&
      (all || templateNames.includes(name as TemplateName)),
  );
  const files = new Map<string, CuesFile>();
  const modules = new Map<string, KindModule>();
  for (const name of names) {
    files.set(name, yamlFile(new URL(`${name}/cues.yaml`, folder)) as CuesFile);
    modules.set(name, (await import(new URL(`${name}/compose.ts`, folder).href)) as KindModule);
  }
  const tables = new Map<Lang, CueTable>();
  return {
    cues: (lang) => {
      const table = tables.get(lang) ?? cueTable(files, lang);
      tables.set(lang, table);
      return table;
    },
    compose: (kind) => (modules.get(kind)?.compose as Compose | undefined) ?? null,
    content: (kind, lang) => files.get(kind)?.content?.[lang] ?? files.get(kind)?.content?.en,
  };
}

const kindsFolder = new URL('../kinds/', import.meta.url);
/** The kinds of the factory. */
export const factoryKinds: Kinds = await kindsIn(kindsFolder);

/** At least four letters before the ending of an infinitive in one of the languages. */
const infinitive = /^(\p{L}{4,}?)(?:ieren|en|eln|are|ere|ire|ar|er|ir)$/u;

function cueTable(files: ReadonlyMap<string, CuesFile>, lang: Lang): CueTable {
  const phrases = new Phrases<Cue>([], lang);
  const byEnding = new Map<string, Cue[]>();
  const stems: [string, Cue][] = [];
  for (const cue of cuesOf(files, lang)) {
    phrases.add(cue.phrase, cue);
    const plural = pluralPhrase(cue.phrase, lang);
    if (plural !== cue.phrase) phrases.add(plural, cue);
    const stem = cue.class === 'verbs' && lang !== 'en' ? infinitive.exec(fold(cue.phrase))?.[1] : undefined;
    if (stem !== undefined) stems.push([stem, cue]);
    if (lang !== 'de' || cue.class === 'verbs' || !/^\p{L}{4,}$/u.test(cue.phrase)) continue;
    for (const form of new Set([cue.phrase, plural]))
      byEnding.set(form, [...(byEnding.get(form) ?? []), cue]);
  }
  const endings = [...byEnding].toSorted(([a], [b]) => b.length - a.length || (a < b ? -1 : 1));
  const words = [...new Set([...cuesOf(files, lang)].map(({ phrase }) => phrase))].filter(
    (phrase) => !phrase.includes(' '),
  );
  return { phrases, words: words.map(fold), stems, endings };
}

/** The head of a group of words stands last in English and German, first in the Romance languages. */
function pluralPhrase(phrase: string, lang: Lang): string {
  const words = phrase.split(' ');
  const head = lang === 'en' || lang === 'de' ? words.length - 1 : 0;
  return words.map((word, index) => (index === head ? pluralOf(word, languageData(lang)) : word)).join(' ');
}

function* cuesOf(files: ReadonlyMap<string, CuesFile>, lang: Lang): Generator<Cue> {
  for (const [kind, file] of files) {
    const groups: readonly (readonly [string, CuesByLang])[] = [
      ['', file],
      ...Object.entries(file.variants ?? {}),
    ];
    for (const [variant, byLang] of groups) {
      for (const cueClass of ['heads', 'verbs', 'things', 'subjects'] as const) {
        for (const phrase of byLang[lang]?.[cueClass] ?? []) yield { kind, variant, class: cueClass, phrase };
      }
    }
  }
}
