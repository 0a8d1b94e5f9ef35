import type { FieldType } from '../spec.ts';
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

interface Noun {
  readonly noun: string;
  readonly type: FieldType;
}

const tables = new WeakMap<LanguageData, ReadonlyMap<string, Noun>>();

/** The nouns of the types by their forms without accents, made once for each language. */
function nounsOf(data: LanguageData): ReadonlyMap<string, Noun> {
  const entries = Object.entries(data.types) as [FieldType, readonly string[]][];
  const made =
    tables.get(data) ??
    new Map(
      entries
        .flatMap(([type, nouns]) => nouns.map((noun) => [fold(noun), { noun, type }] as const))
        .toReversed(),
    );
  tables.set(data, made);
  return made;
}

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
