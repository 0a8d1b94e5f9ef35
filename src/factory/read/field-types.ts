import { oncePer } from '../../lib/once.ts';
import type { FieldType } from '../spec.ts';
import type { LanguageData } from './language-data.ts';
import type { Lexicon } from './lexicon.ts';
import { fold, type Phrases, wordsOf } from './phrases.ts';
import { wordToken } from './tag.ts';

const scale = /^\D{0,12}1\s?(?:[-–/]|\p{L}{1,5})\s?(?:5|10)\D{0,12}$/u;

const maxUnit = 16;

/** Whether a unit or a note is one of these phrases and nothing more. */
const isWholly = (text: string, phrases: Phrases<true>, { lang }: Lexicon): boolean => {
  const words = wordsOf(text, lang).map((word) => wordToken(word.text));
  return words.length > 0 && phrases.at(words, 0)?.length === words.length;
};

/** Whether two choices are only yes and no. */
export const isYesNo = (options: readonly string[], { yesNo }: Lexicon): boolean =>
  options.length === 2 && yesNo.at([options[0] ?? '', '/', options[1] ?? ''].map(wordToken), 0) !== null;

/** The nouns of the types by their forms without accents. */
const nounsOf = oncePer((data: LanguageData) => {
  const entries = Object.entries(data.types) as [FieldType, readonly string[]][];
  return new Map(
    entries
      .flatMap(([type, nouns]) => nouns.map((noun) => [fold(noun), { noun, type }] as const))
      .toReversed(),
  );
});

/** The type of a label by the noun that heads it: the last word, in Romance languages the first; in German also its end. */
export function typeOfLabel(words: readonly string[], { lang, data }: Lexicon): FieldType {
  const lower = words.map((word) => fold(word)).filter((word) => /[\p{L}\d/]/u.test(word));
  const written = words.join(' ').toLowerCase();
  const isLast = lang === 'en' || lang === 'de';
  const nouns = nounsOf(data);
  const typeOf = (label: string) => {
    const found = nouns.get(label);
    // Without its accent the participle “livré” is a book.
    return found && (!found.noun.endsWith('é') || written.includes(found.noun)) ? found.type : undefined;
  };
  const found = lower
    .map((_, index) => typeOf((isLast ? lower.slice(index) : lower.slice(0, lower.length - index)).join(' ')))
    .find((type) => type !== undefined);
  const [begin = '', second = ''] = lower;
  const end = lower.at(-1) ?? '';
  const first = second === '' ? undefined : typeOf(begin);
  // “Date returned”, “sown on”, “last service”.
  if (first === 'date' || (second !== '' && data.dayPrepositions.includes(end))) return 'date';
  // Somebody that it was lent to, and a part number, which may have letters.
  const isTo = second !== '' && data.prepositions.some((word) => fold(word) === end);
  if (isTo || (found !== 'phone' && /.(?:nummer| number)$/.test(written))) return 'text';
  const isState = found === undefined || found === 'checkbox';
  if (second !== '' && isState && data.pointsInTime.includes(begin)) return 'date';
  // “Pages read” are pages, and a “price per night” is a price.
  const isMeasured = first === 'number' || first === 'currency';
  const isPer = isState && /^(?:in|of|per|pro|for|für|paid|each)$/.test(second);
  if (isMeasured && (found === 'checkbox' || isPer)) return first;
  // A participle alone says whether it has happened.
  if (!found && second === '' && lang === 'en' && /^\p{L}{4,}ed$/u.test(end)) return 'checkbox';
  if (found || lang !== 'de') return found ?? 'text';
  const compound = [...nouns].findLast(([noun]) => noun.length > 3 && end.endsWith(noun));
  return compound?.[1].type ?? 'text';
}

/**
 * What stands in parentheses behind a field: a type that is named outright, a unit and the type that it speaks for, choices (none
 * where fewer than two things are named), and whether the field must be filled in.
 */
export function annotationsOf(texts: readonly string[], lexicon: Lexicon) {
  const kept = texts.filter((text) => !isWholly(text, lexicon.required, lexicon));
  const required = kept.length < texts.length;
  const [only = '', more] = kept;
  const isRange = kept.length === 2 && only === '1' && /^(?:5|10)$/.test(more ?? '');
  const isRated = isRange || (more === undefined && scale.test(only));
  const options = more === undefined || isRated ? [] : kept;
  const type = isRated ? 'rating' : more === undefined ? namedType(only, lexicon) : null;
  const isOpen = type === null && more === undefined;
  const measured = isOpen ? typeOfUnit(only, lexicon) : null;
  const isUnit = isOpen && only !== '' && only.length <= maxUnit && !lexicon.fields.has(only);
  return { options, type, unit: measured || isUnit ? only : '', measured, required };
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
  return isWholly(text, lexicon.measures, lexicon) ? 'number' : null;
}
