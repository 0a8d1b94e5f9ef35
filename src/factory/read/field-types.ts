import type { FieldType, Lang } from '../spec.ts';
import type { Token } from './draft.ts';
import type { LanguageData } from './language-data.ts';
import type { Lexicon } from './lexicon.ts';
import { fold, spansOf } from './phrases.ts';

const scale = /^\D{0,12}1\s?(?:[-–/]|\p{L}{1,5})\s?(?:5|10)\D{0,12}$/u;

const maxUnit = 16;

const isRequired = (text: string, lexicon: Lexicon) => {
  const words = plainTokens(text, lexicon);
  return lexicon.required.at(words, 0)?.length === words.length && words.length > 0;
};

/** Whether two choices are only yes and no. */
export const isYesNo = (options: readonly string[], { yesNo }: Lexicon): boolean =>
  options.length === 2 &&
  yesNo.at(
    options.flatMap((word, index) => [asToken(word), ...(index === 0 ? [asToken('/')] : [])]),
    0,
  ) !== null;

/** The words of a unit or a note, which need no tagging. */
const plainTokens = (text: string, { lang }: Lexicon): Token[] =>
  spansOf(text, lang).map((span) => ({ ...asToken(span.text), ...span }));

const asToken = (word: string): Token => ({
  text: word,
  lower: word.toLowerCase(),
  lemma: word.toLowerCase(),
  pos: 'noun',
  start: 0,
  end: 0,
});

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
  if (found) return found;
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

/** What stands in parentheses behind a field. */
interface Annotations {
  /** What may be chosen; empty where fewer than two things are named. */
  readonly options: readonly string[];
  /** The type that is named outright: `(number)`, `(1–5)`. */
  readonly type: FieldType | null;
  /** The unit: `kg`, `€`. */
  readonly unit: string;
  /** The type that the unit speaks for. */
  readonly measured: FieldType | null;
  readonly required: boolean;
}

/** Reads what stands in parentheses: a type, a unit, choices, and whether the field must be filled in. */
export function annotationsOf(texts: readonly string[], lexicon: Lexicon): Annotations {
  const kept = texts.filter((text) => !isRequired(text, lexicon));
  const required = kept.length < texts.length;
  const none = { options: [], type: null, unit: '', measured: null, required };
  const [only = '', more] = kept;
  if (more !== undefined) {
    if (kept.length === 2 && kept[0] === '1' && /^(?:5|10)$/.test(more)) return { ...none, type: 'rating' };
    return { ...none, options: kept };
  }
  if (scale.test(only)) return { ...none, type: 'rating' };
  const type = namedType(only, lexicon);
  if (type) return { ...none, type };
  const measured = typeOfUnit(only, lexicon);
  if (measured || (only !== '' && only.length <= maxUnit && !lexicon.fields.has(only)))
    return { ...none, unit: only, measured };
  return none;
}

function namedType(text: string, { data }: Lexicon): FieldType | null {
  const plain = fold(text.trim());
  const named = Object.entries(data.typeNames) as [FieldType, readonly string[]][];
  return named.find(([, words]) => words.some((word) => fold(word) === plain))?.[0] ?? null;
}

/** Whether a text is the sign or the word of a unit or of a currency; null where it is neither. */
export function typeOfUnit(text: string, lexicon: Lexicon): FieldType | null {
  const plain = text.trim().toLowerCase();
  if (/^(?:[€$£¥]|r\$|chf|eur|usd|gbp|brl)$/.test(plain) || lexicon.data.currencies[plain]) return 'currency';
  const words = plainTokens(text, lexicon);
  return words.length > 0 && lexicon.measures.at(words, 0)?.length === words.length ? 'number' : null;
}
