import type { Token } from './draft.ts';
import type { Lexicon } from './lexicon.ts';

const leading = new Set(['determiner', 'conjunction', 'pronoun', 'preposition', 'adverb', 'mark']);
const trailing = new Set(['determiner', 'conjunction', 'pronoun', 'mark', 'adverb']);

/** The words of a label: no article, possessive or auxiliary before it, and no clause behind it. */
export function labelTokens(tokens: readonly Token[], { data, asking, joiners }: Lexicon): Token[] {
  const isAuxiliary = ({ lower }: Token) => data.auxiliaries.includes(lower);
  const first = tokens.findIndex(
    (token) =>
      // “last watered” is another day than “watered”.
      !((leading.has(token.pos) && !data.pointsInTime.includes(token.lower)) || isAuxiliary(token)) &&
      !(asking.has(token.lower) && token.pos === 'verb'),
  );
  const clause = tokens.findIndex(
    (token, index) =>
      index > first &&
      (token.pos === 'conjunction' ||
        token.pos === 'pronoun' ||
        (token.pos === 'verb' && isAuxiliary(token))) &&
      !joiners.has(token.lower),
  );
  const kept = first < 0 ? [] : tokens.slice(first, clause > 0 ? clause : undefined);
  return kept.slice(0, kept.findLastIndex(({ pos, text }) => !trailing.has(pos) || text === '%') + 1);
}

/** A label names something: a noun, a name, an adjective or a participle, and no mere word of asking. */
export const namesSomething = (token: Token, { asking }: Lexicon) =>
  /noun|name|adjective|verb/.test(token.pos) && !(token.pos === 'verb' && asking.has(token.lower));
