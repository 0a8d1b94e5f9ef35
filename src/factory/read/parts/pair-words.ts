import type { Lang } from '../../spec.ts';
import { yamlFile } from '../yaml-file.ts';

/** What `pairs.yaml` knows of a language. */
export interface PairWords {
  readonly question: readonly string[];
  readonly answer: readonly string[];
  readonly right: readonly string[];
  readonly wrong: readonly string[];
  readonly means: readonly string[];
  readonly opposites: readonly (readonly string[])[];
}

const words = yamlFile(new URL('pairs.yaml', import.meta.url)) as Readonly<Record<Lang, PairWords>>;

export const pairWords = (lang: Lang): PairWords => words[lang];

/** Any of several words in a regular expression, the longest first. */
export const anyOf = (phrases: readonly string[]): string =>
  `(?:${phrases
    .toSorted((a, b) => b.length - a.length)
    .map((phrase) => phrase.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
    .join('|')})`;
