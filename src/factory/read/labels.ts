import type { Token } from './draft.ts';
import type { Lexicon } from './lexicon.ts';

const leading = new Set(['determiner', 'conjunction', 'pronoun', 'preposition', 'adverb', 'mark']);
const trailing = new Set(['determiner', 'conjunction', 'pronoun', 'mark', 'adverb']);

/** The words of a label: no article, possessive or auxiliary before it, and no clause behind it. */
export function labelTokens(tokens: readonly Token[], lexicon: Lexicon): Token[] {
  const strange = (token: Token) =>
    // “last watered” is another day than “watered”.
    (leading.has(token.pos) && !lexicon.data.pointsInTime.includes(token.lower)) ||
    lexicon.data.auxiliaries.includes(token.lower) ||
    (lexicon.asking.has(token.lower) && token.pos === 'verb');
  // “Out date” is no date that something is out of.
  const isParticle = (index: number) =>
    lexicon.lang === 'en' &&
    tokens[index]?.pos === 'preposition' &&
    tokens[index + 1] !== undefined &&
    isNominal(tokens[index + 1] as Token);
  let first = 0;
  while (first < tokens.length && strange(tokens[first] as Token) && !isParticle(first)) first += 1;
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
  // “Nuts in it” are nuts; “lent to” needs its preposition.
  if (tokens[clause]?.pos === 'pronoun' && tokens[last - 1]?.pos === 'preposition') last -= 1;
  // “Uscito il” is the day of it.
  const ofDay = (token: Token | undefined) =>
    clause < 0 && last - first === 2 && lexicon.data.dayPrepositions.includes(token?.lower ?? '');
  while (
    last > first &&
    trailing.has(tokens[last - 1]?.pos ?? '') &&
    tokens[last - 1]?.text !== '%' &&
    !ofDay(tokens[last - 1])
  )
    last -= 1;
  // “Day it left” is not any day.
  const day = clause === first + 1 && tokens.length - first <= maxDay && isDay(tokens[first], lexicon);
  return tokens.slice(first, day ? undefined : last);
}

const maxDay = 6;

const isDay = (token: Token | undefined, { data }: Lexicon) =>
  [...(data.types.date ?? []), ...(data.types.time ?? [])].includes(token?.lower ?? '');

/** A label names something: a noun, a name, an adjective or a participle, and no mere word of asking. */
export const namesSomething = (token: Token, { asking }: Lexicon) =>
  (token.pos === 'noun' ||
    token.pos === 'name' ||
    token.pos === 'adjective' ||
    token.pos === 'verb' ||
    token.pos === 'adverb' ||
    token.pos === 'pronoun') &&
  !(token.pos === 'verb' && asking.has(token.lower));

/** Tokens with the spaces that stood between them. */
export function joinedWords(tokens: readonly Token[]): string {
  return tokens
    .map((token, index) =>
      index > 0 && token.start > (tokens[index - 1]?.end ?? 0) ? ` ${token.text}` : token.text,
    )
    .join('');
}

export const capitalised = (text: string, { lang }: Lexicon): string =>
  text.slice(0, 1).toLocaleUpperCase(lang) + text.slice(1);

const isNominal = ({ pos }: Token) => pos === 'noun' || pos === 'name' || pos === 'adjective';
