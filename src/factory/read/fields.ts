import type { FieldType, Lang } from '../spec.ts';
import type { DraftField, List, ListItem, Token } from './draft.ts';
import type { LanguageData } from './language-data.ts';
import type { Lexicon } from './lexicon.ts';
import { fold } from './phrases.ts';
import { tagged } from './tag.ts';

const maxFields = 24;
const maxLabel = 60;

/** The fields that a prompt lists: those of the lists that say so, else the first list that is not of something else. */
export function fieldsOf(lists: readonly List[], lexicon: Lexicon): DraftField[] {
  const told = lists.filter(({ intro }) => lexicon.fields.has(intro));
  const other = lists.find(({ intro }) => !lexicon.entries.has(intro) || lexicon.data.with.includes(intro));
  const chosen = told.length > 0 ? told : other ? [other] : [];
  const fields = chosen.flatMap(({ items }) => items.flatMap((item) => fieldOf(item, lexicon) ?? []));
  const labels = fields.map(({ label }) => fold(label));
  return fields.filter((_, index) => labels.indexOf(labels[index] ?? '') === index).slice(0, maxFields);
}

/** A field from an item of a list; null where nothing is left that could be a label. */
export function fieldOf(item: ListItem, lexicon: Lexicon): DraftField | null {
  const { options, unit } = optionsOrUnit(item);
  const asked = /\?\s*$/.test(item.text) || /^¿/.test(item.text);
  const tokens = tagged(item.text.replace(/[¿?]/g, '').trim(), lexicon);
  const { left, yesNo, scaled } = withoutScale(tokens, lexicon);
  const question = questionOf(left, lexicon);
  const kept = question.whole ? left : labelTokens(question.rest, lexicon);
  if (kept.length === 0 || !(question.whole || kept.some((token) => namesSomething(token, lexicon))))
    return null;
  const words = kept.map(({ text }) => text);
  const label = capitalised(`${joinedWords(kept)}${unit ? ` (${unit})` : ''}`, lexicon)
    .slice(0, maxLabel)
    .trim();
  const type = typeFrom();
  return {
    label,
    type,
    options: type === 'select' ? distinct(options).slice(0, 16) : [],
    text: item.text,
    start: item.start,
    end: item.end,
  };

  function typeFrom(): FieldType {
    if (options.length > 1) return isYesNo(options, lexicon) ? 'checkbox' : 'select';
    if (yesNo || question.yesNo || asked) return 'checkbox';
    if (scaled) return 'rating';
    const byNoun = typeOfLabel(words, lexicon);
    if (question.type && byNoun === 'text') return question.type;
    if (unit && byNoun === 'text') return /^[€$£]/.test(unit) ? 'currency' : 'number';
    return byNoun === 'select' ? 'text' : byNoun;
  }
}

const distinct = (texts: readonly string[]) => [...new Set(texts.map((text) => text.slice(0, maxLabel)))];

const isYesNo = (options: readonly string[], { yesNo }: Lexicon) =>
  options.length === 2 &&
  yesNo.at(
    options.flatMap((word, index) => [asToken(word), ...(index === 0 ? [asToken('/')] : [])]),
    0,
  ) !== null;

const asToken = (word: string): Token => ({
  text: word,
  lower: word.toLowerCase(),
  lemma: word.toLowerCase(),
  pos: 'noun',
  start: 0,
  end: 0,
});

/** One thing in parentheses is a unit: `weight (kg)`. */
function optionsOrUnit({ options }: ListItem): {
  readonly options: readonly string[];
  readonly unit: string;
} {
  const [only = '', more] = options;
  if (more !== undefined) return { options, unit: '' };
  return { options: [], unit: only.length <= 16 ? only : '' };
}

/** Without “yes or no” and “from 1 to 5”, which say what a field holds. */
function withoutScale(tokens: readonly Token[], { yesNo }: Lexicon) {
  const at = tokens.findIndex((_, index) => yesNo.at(tokens, index) !== null);
  const unsure = at >= 0 ? tokens.slice(0, at) : tokens;
  const numbers = unsure.flatMap((token, index) => (token.pos === 'number' ? [index] : []));
  const last = numbers.at(-1) ?? -1;
  const scale =
    ['5', '10'].includes(unsure[last]?.text ?? '') && numbers.length > 0 && last === unsure.length - 1;
  const begin = numbers.length > 1 ? (numbers[0] ?? 0) : last;
  const before = scale ? unsure.slice(0, begin) : unsure;
  const end = before.findLastIndex(
    ({ pos }) => pos !== 'preposition' && pos !== 'mark' && pos !== 'determiner',
  );
  return {
    left: scale && end >= 0 ? before.slice(0, end + 1) : unsure,
    yesNo: at >= 0,
    scaled: scale && end >= 0,
  };
}

interface Question {
  readonly rest: readonly Token[];
  /** The question is the label, as nothing in it is a name for its answer. */
  readonly whole: boolean;
  readonly yesNo: boolean;
  readonly type: FieldType | null;
}

/** Fields in the form of an indirect question: who brings it, when it is due, whether it is paid. */
function questionOf(tokens: readonly Token[], { data }: Lexicon): Question {
  const plain = tokens.map(({ lower }) => lower).join(' ');
  const begins = (phrases: readonly string[]) =>
    phrases
      .filter((phrase) => plain === phrase || plain.startsWith(`${phrase} `))
      .toSorted((a, b) => b.length - a.length)[0];
  const skip = (phrase: string) => tokens.slice(phrase.split(' ').length);
  const whether = begins(data.whether);
  if (whether && tokens.length > 1)
    return { rest: skip(whether), whole: false, yesNo: true, type: 'checkbox' };
  const when = begins(data.when);
  if (when) return { rest: tokens, whole: true, yesNo: false, type: 'date' };
  const many = begins(data.many);
  if (many) {
    const [noun] = skip(many);
    const named = noun?.pos === 'noun';
    return { rest: named ? skip(many).slice(0, 1) : tokens, whole: !named, yesNo: false, type: 'number' };
  }
  if (begins(data.who)) return { rest: tokens, whole: true, yesNo: false, type: 'text' };
  return { rest: tokens, whole: false, yesNo: false, type: null };
}

const leading = new Set(['determiner', 'conjunction', 'pronoun', 'preposition', 'adverb', 'mark']);
const trailing = new Set(['determiner', 'conjunction', 'pronoun', 'mark', 'adverb']);

/** The words of a label: no article, possessive or auxiliary before it, and no clause behind it. */
function labelTokens(tokens: readonly Token[], lexicon: Lexicon): Token[] {
  const strange = (token: Token) =>
    // “last watered” is another day than “watered”.
    (leading.has(token.pos) && !lexicon.data.pointsInTime.includes(token.lower)) ||
    lexicon.data.auxiliaries.includes(token.lower) ||
    (lexicon.asking.has(token.lower) && token.pos === 'verb');
  let first = 0;
  while (first < tokens.length && strange(tokens[first] as Token)) first += 1;
  if (first === tokens.length) return [];
  const clause = tokens.findIndex(
    (token, index) =>
      index > first &&
      (token.pos === 'conjunction' ||
        token.pos === 'pronoun' ||
        (token.pos === 'verb' && lexicon.data.auxiliaries.includes(token.lower))) &&
      !lexicon.joiners.has(token.lower),
  );
  let last = clause > 0 ? clause : tokens.length;
  while (last > first && trailing.has(tokens[last - 1]?.pos ?? '') && tokens[last - 1]?.text !== '%')
    last -= 1;
  return tokens.slice(first, last);
}

/** A label names something: a noun, a name, an adjective or a participle, and no mere word of asking. */
const namesSomething = (token: Token, { asking, generic, data }: Lexicon) =>
  (token.pos === 'noun' ||
    token.pos === 'name' ||
    token.pos === 'adjective' ||
    token.pos === 'verb' ||
    token.pos === 'adverb' ||
    token.pos === 'pronoun') &&
  !(token.pos === 'verb' && asking.has(token.lower)) &&
  !(generic.has(token.lower) && !data.types.url?.includes(token.lower));

/** Tokens with the spaces that stood between them. */
function joinedWords(tokens: readonly Token[]): string {
  return tokens
    .map((token, index) =>
      index > 0 && token.start > (tokens[index - 1]?.end ?? 0) ? ` ${token.text}` : token.text,
    )
    .join('');
}

export const capitalised = (text: string, { lang }: Lexicon): string =>
  text.slice(0, 1).toLocaleUpperCase(lang) + text.slice(1);

/** Labels of several words that mean something else than their head: `date returned`, `sown on`, `last service`, `part number`. */
function typeOfPhrase(
  words: readonly string[],
  lang: Lang,
  { pointsInTime, identifiers, dayPrepositions }: LanguageData,
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
  if (pointsInTime.includes(begin) && (found === undefined || found === 'checkbox')) return 'date';
  return identifiers.includes(end) && found === 'number' ? 'text' : null;
}

/** The type of a label by the noun that heads it: the last word, in Romance languages the first; in German also its end. */
export function typeOfLabel(words: readonly string[], { lang, data }: Lexicon): FieldType {
  const lower = words.map((word) => fold(word)).filter((word) => /[\p{L}\d/]/u.test(word));
  const last = lang === 'en' || lang === 'de';
  const candidates = last
    ? lower.map((_, index) => lower.slice(index).join(' '))
    : lower.map((_, index) => lower.slice(0, lower.length - index).join(' '));
  const entries = Object.entries(data.types) as [FieldType, readonly string[]][];
  const exact = (label: string) =>
    entries.find(([, nouns]) => nouns.some((noun) => fold(noun) === label))?.[0];
  const measured = lower.find(
    (_, index) =>
      lower[index + 1] !== undefined &&
      data.notMoney.map(fold).includes(last ? (lower.at(-1) ?? '') : (lower[0] ?? '')),
  );
  const found = candidates.map(exact).find((type) => type !== undefined);
  const special = typeOfPhrase(lower, lang, data, exact(lower[0] ?? ''), found);
  if (special) return special;
  if (found && !(measured && found === 'currency')) return found;
  const other = last ? lower.slice(0, 1).map(exact)[0] : undefined;
  if (other === 'currency' || other === 'number' || other === 'date') {
    if (lower.length > 1 && /^(?:in|of|to|von|am|on|per|pro|for|für|paid|each)$/.test(lower[1] ?? ''))
      return other;
  }
  if (lang === 'de') {
    const end = lower.at(-1) ?? '';
    const compound = entries.find(([, nouns]) =>
      nouns.some((noun) => noun.length > 3 && end.endsWith(fold(noun))),
    );
    if (compound) return compound[0];
  }
  return 'text';
}
