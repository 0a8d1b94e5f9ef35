import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import type { Lang, TemplateName } from '../spec.ts';

type Texts = Readonly<Record<string, string>>;

const folder = path.join(import.meta.dirname, '../kinds');
const cache = new Map<string, Texts>();

/** The texts of the interface that the apps of a kind are written with, its own and those of all kinds. */
export function textsOf(kind: TemplateName, lang: Lang): Texts {
  return { ...sharedTexts(lang), ...textsIn(kind, lang) };
}

/** The texts that all kinds share. */
export const sharedTexts = (lang: Lang): Texts => textsIn('shared', lang);

/** Read and parsed once. A kind without texts has none of its own. */
function textsIn(home: string, lang: Lang): Texts {
  const name = path.join(folder, home, 'texts', `${lang}.yaml`);
  const known = cache.get(name);
  if (known) return known;
  const texts = existsSync(name) ? (parse(readFileSync(name, 'utf8')) as Texts) : {};
  cache.set(name, texts);
  return texts;
}

/** Of all texts those that these sources mention; plural forms come with their key. */
export function mentioned(texts: Texts, sources: readonly string[]): Texts {
  const words = new Set(
    sources.flatMap((source) => source.match(/(?<=['`])[a-zA-Z][a-zA-Z0-9_]*(?=['`$])/g) ?? []),
  );
  const wanted = (key: string) =>
    words.has(key) || words.has(key.replace(/_(one|other)$/, '')) || words.has(beginningOf(key));
  return Object.fromEntries(Object.entries(texts).filter(([key]) => wanted(key)));
}

/** What stands in the source where a key is put together at run time: t(`unit_${unit}`), t(`mood${mood}`). */
const beginningOf = (key: string) => /^[a-z]+(?=\d$)|^[a-z]+_/.exec(key)?.[0] ?? key;
