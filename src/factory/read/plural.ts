import type { LanguageData } from './language-data.ts';

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
