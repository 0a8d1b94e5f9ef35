import { iconWords } from '../../../generated/icons.gen.ts';
import { kindOfApp } from '../catalogue.ts';
import type { AppSpec } from '../spec.ts';

/** A text as it is compared: small letters without accents, one kind of apostrophe. */
export const fold = (text: string): string =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('’', "'");

const indexes = new Map<string, ReadonlyMap<string, string>>();

/** The longest phrase of `subjects.yaml`, in words. */
const maxPhrase = 3;
/** Longer texts are looked at up to here, in words: a subject stands near the beginning. */
const maxWords = 40;

/**
 * The picture for what a text is about: that of its first word or phrase which has one in this language.
 * @returns the name of the picture, or '' where no word has one
 */
export function iconFor(text: string, lang: string): string {
  const index = indexOf(lang);
  const words = (fold(text).match(/[\p{L}\p{N}]+(?:[-'][\p{L}\p{N}]+)*/gu) ?? []).slice(0, maxWords);
  for (let at = 0; at < words.length; at++) {
    for (let length = maxPhrase; length > 0; length--) {
      const phrase = words.slice(at, at + length).join(' ');
      const found = known(index, phrase, lang);
      if (found) return found;
    }
    const part = lang === 'de' ? inCompound(index, words[at] ?? '') : undefined;
    if (part) return part;
  }
  return '';
}

function indexOf(lang: string): ReadonlyMap<string, string> {
  const made = indexes.get(lang);
  if (made) return made;
  const index = new Map(
    Object.entries(iconWords[lang] ?? {}).flatMap(([name, words]) =>
      words.map((word) => [fold(word), name] as const),
    ),
  );
  indexes.set(lang, index);
  return index;
}

/** What the plural of a word ends in, and what stands there in the singular. */
const plurals: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  en: [
    ['ies', 'y'],
    ['ves', 'f'],
    ['es', ''],
    ['s', ''],
    ["'s", ''],
  ],
  de: [
    ['en', ''],
    ['n', ''],
    ['er', ''],
    ['e', ''],
    ['s', ''],
  ],
  es: [
    ['ces', 'z'],
    ['es', ''],
    ['s', ''],
  ],
  fr: [
    ['aux', 'al'],
    ['s', ''],
    ['x', ''],
  ],
  it: [
    ['che', 'ca'],
    ['chi', 'co'],
    ['i', 'o'],
    ['i', 'e'],
    ['e', 'a'],
    ['i', 'io'],
  ],
  pt: [
    ['oes', 'ao'],
    ['aes', 'ao'],
    ['ais', 'al'],
    ['ens', 'em'],
    ['es', ''],
    ['s', ''],
  ],
};

/** The picture of a word in the singular or in a regular plural. */
function known(index: ReadonlyMap<string, string>, word: string, lang: string): string | undefined {
  const found = index.get(word);
  if (found) return found;
  if (word.length < 4) return undefined;
  for (const [ending, instead] of plurals[lang] ?? []) {
    const singular = word.endsWith(ending) && index.get(word.slice(0, -ending.length) + instead);
    if (singular) return singular;
  }
  return undefined;
}

const minStart = 4;
const minEnd = 5;

/** The picture of a part of a German compound: that of its longest beginning, else that of its longest end. */
function inCompound(index: ReadonlyMap<string, string>, word: string): string | undefined {
  for (let end = word.length - minEnd + 1; end >= minStart; end--) {
    const found = known(index, word.slice(0, end), 'de');
    if (found) return found;
  }
  for (let start = minStart - 1; start <= word.length - minEnd; start++) {
    const found = known(index, word.slice(start), 'de');
    if (found) return found;
  }
  return undefined;
}

/** A spec with the picture that its words suggest, where it names none; '' stays where they suggest none. */
export function withIcon<Spec extends AppSpec>(spec: Spec): Spec {
  return spec.icon === '' ? { ...spec, icon: suggestedIcon(spec) } : spec;
}

/** The picture of an app: the one that its spec names, else that of its kind. */
export const iconOf = ({ icon, kind, variant }: Pick<AppSpec, 'icon' | 'kind' | 'variant'>): string =>
  icon || kindOfApp(kind, variant).icon;

/** What an app keeps or what a business is says more than a name that somebody chose for it. */
function suggestedIcon({ entity, copy, name, tagline, sections, kind, lang }: AppSpec): string {
  const texts = [
    entity?.singular ?? '',
    entity?.plural ?? '',
    copy['kicker'] ?? '',
    copy['role'] ?? '',
    name,
    tagline,
    // The parts of a site are about what it offers; those of a list are entries.
    ...(kind === 'landing' ? sections.map(({ title }) => title) : []),
  ];
  for (const text of texts) {
    const found = iconFor(text, lang);
    if (found) return found;
  }
  return '';
}
