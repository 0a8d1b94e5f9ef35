import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import type { PromptLang } from '../prompt-set.ts';

type Words = Readonly<Record<string, string>>;

/** How people of a language ask for changes. */
export interface Phrases {
  readonly says: Readonly<Record<string, readonly string[]>>;
  /** How an answer of the product says that no app can do what was asked for. */
  readonly refuses: readonly string[];
  readonly and: string;
  readonly kinds: Words;
  readonly variants: Words;
  readonly types: Words;
  readonly features: Words;
  readonly colours: Words;
  readonly languages: Words;
  readonly currencies: Words;
}

const loaded = new Map<PromptLang, Phrases>();

/** The phrases of a language, from `phrases/<lang>.yaml`. */
export function phrasesOf(lang: PromptLang): Phrases {
  const known = loaded.get(lang);
  if (known) return known;
  const file = path.join(import.meta.dirname, 'phrases', `${lang}.yaml`);
  const phrases = parse(readFileSync(file, 'utf8')) as Phrases;
  loaded.set(lang, phrases);
  return phrases;
}
