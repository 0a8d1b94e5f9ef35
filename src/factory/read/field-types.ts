import type { FieldType, Lang } from '../spec.ts';
import type { LanguageData } from './language-data.ts';
import type { Lexicon } from './lexicon.ts';
import { fold } from './phrases.ts';

/** Labels of several words that mean something else than their head: `date returned`, `sown on`, `last service`, `part number`. */
function typeOfPhrase(
  words: readonly string[],
  lang: Lang,
  { pointsInTime, identifiers, dayPrepositions, prepositions }: LanguageData,
  first: FieldType | undefined,
  found: FieldType | undefined,
): FieldType | null {
  const [begin = '', ...rest] = words;
  const end = words.at(-1) ?? '';
  if (rest.length === 0) {
    if (identifiers.some((word) => end.length > word.length && end.endsWith(word)))
      return found === 'phone' ? null : 'text';
    // A participle alone says whether it has happened.
    return found === undefined && lang === 'en' && /^\p{L}{4,}ed$/u.test(end) ? 'checkbox' : null;
  }
  if (first === 'date' || dayPrepositions.includes(end)) return 'date';
  // Somebody that it was lent to.
  if (prepositions.some((word) => fold(word) === end)) return 'text';
  if (pointsInTime.includes(begin) && (found === undefined || found === 'checkbox')) return 'date';
  return identifiers.includes(end) && found === 'number' ? 'text' : null;
}

interface FoldedNoun {
  readonly noun: string;
  readonly folded: string;
}

const tables = new WeakMap<LanguageData, readonly (readonly [FieldType, readonly FoldedNoun[]])[]>();

/** The nouns of the types without accents, made once for each language. */
function foldedTypes(data: LanguageData) {
  const known = tables.get(data);
  if (known) return known;
  const made = (Object.entries(data.types) as [FieldType, readonly string[]][]).map(
    ([type, nouns]) => [type, nouns.map((noun) => ({ noun, folded: fold(noun) }))] as const,
  );
  tables.set(data, made);
  return made;
}

/** The type of a label by the noun that heads it: the last word, in Romance languages the first; in German also its end. */
export function typeOfLabel(words: readonly string[], { lang, data, measures }: Lexicon): FieldType {
  const lower = words.map((word) => fold(word)).filter((word) => /[\p{L}\d/]/u.test(word));
  const written = words.join(' ').toLowerCase();
  const last = lang === 'en' || lang === 'de';
  const candidates = last
    ? lower.map((_, index) => lower.slice(index).join(' '))
    : lower.map((_, index) => lower.slice(0, lower.length - index).join(' '));
  const entries = foldedTypes(data);
  // Without its accent the participle “livré” is a book.
  const exact = (label: string) =>
    entries.find(([, nouns]) =>
      nouns.some(({ noun, folded }) => folded === label && (!noun.endsWith('é') || written.includes(noun))),
    )?.[0];
  const measured = lower.find(
    (_, index) =>
      lower[index + 1] !== undefined &&
      data.notMoney.map(fold).includes(last ? (lower.at(-1) ?? '') : (lower[0] ?? '')),
  );
  const found = candidates.map(exact).find((type) => type !== undefined);
  // “Km at start”, “kg gesamt”.
  if (last && lower.length > 1 && (lower[0] ?? '').length <= 3 && measures.has(lower[0] ?? ''))
    return 'number';
  const special = typeOfPhrase(lower, lang, data, exact(lower[0] ?? ''), found);
  if (special) return special;
  // “Pages read” are pages.
  // “Reine vue”, “clave devuelta”: the participle behind a noun.
  if (!last && lower.length === 2 && found === undefined && exact(lower[1] ?? '') === 'checkbox')
    return 'checkbox';
  const noun = lower.length > 1 ? exact(lower[0] ?? '') : undefined;
  if (found === 'checkbox' && (noun === 'number' || noun === 'currency')) return noun;
  if (found && !(measured && found === 'currency')) return found;
  const other = last ? lower.slice(0, 1).map(exact)[0] : undefined;
  if (other === 'currency' || other === 'number' || other === 'date') {
    if (lower.length > 1 && /^(?:in|of|to|von|am|on|per|pro|for|für|paid|each)$/.test(lower[1] ?? ''))
      return other;
  }
  if (lang === 'de') {
    const end = lower.at(-1) ?? '';
    const compound = entries.find(([, nouns]) =>
      nouns.some(({ noun, folded }) => noun.length > 3 && end.endsWith(folded)),
    );
    if (compound) return compound[0];
  }
  return 'text';
}
