import type { Token } from './draft.ts';
import type { Lexicon } from './lexicon.ts';

/** What an indirect question asks for: a yes or no, a day, a number, one of several things, or anything else. */
export type ClauseSort = 'whether' | 'when' | 'many' | 'which' | 'who';

/** An indirect question: `whether it came back`, `von wem es abgeholt wurde`, `quante sedute restano`. */
export interface Clause {
  readonly sort: ClauseSort;
  /** The first token behind the question word. */
  readonly body: number;
  /** It asks for a thing, not for somebody, a place or a way: what is paid is an amount. */
  readonly thing: boolean;
}

/** So far behind the question word a modal verb makes the clause a wish: “where I can see the totals”. */
const wishReach = 3;

/**
 * The indirect question that begins at a token, with or without a preposition before the question word; null where none
 * does. Relative pronouns look the same, so that it is for the caller to ask only where a phrase begins.
 */
export function clauseAt(tokens: readonly Token[], index: number, lexicon: Lexicon): Clause | null {
  const whether = lexicon.whether.at(tokens, index);
  if (whether) return asked('whether', index + whether.length, tokens, lexicon, false);
  const at =
    tokens[index]?.pos === 'preposition' && !isQuestionWord(tokens, index, lexicon) ? index + 1 : index;
  const which = lexicon.which.at(tokens, at);
  if (which && isThing(tokens[at + which.length], lexicon))
    return asked('which', at + which.length, tokens, lexicon, true);
  if (at > index && lexicon.whether.at(tokens, at)) return null;
  const thing = lexicon.what.at(tokens, at) !== null;
  const many = lexicon.many.at(tokens, at);
  if (many) return asked('many', at + many.length, tokens, lexicon, true);
  const when = lexicon.when.at(tokens, at);
  if (when && isWritten(tokens, at, lexicon.data.when))
    return asked('when', at + when.length, tokens, lexicon, false);
  const who = lexicon.who.at(tokens, at);
  if (who && isWritten(tokens, at, lexicon.data.who))
    return asked('who', at + who.length, tokens, lexicon, thing);
  return null;
}

const isQuestionWord = (tokens: readonly Token[], index: number, { when, many, who }: Lexicon) =>
  [when, many, who].some((words) => words.at(tokens, index) !== null);

/** Without its accent the Spanish “qué” is a conjunction: only forms that the language lists begin a question. */
const isWritten = (tokens: readonly Token[], index: number, words: readonly string[]) =>
  words.some((word) => word.split(/ |(?<=')/)[0] === tokens[index]?.lower);

/** A noun that the question word stands before. */
const isThing = (token: Token | undefined, { payments, modals, closed }: Lexicon) =>
  token !== undefined &&
  (token.pos === 'noun' || token.pos === 'name' || token.pos === 'adjective') &&
  !closed.has(token.lower) &&
  !payments.has(token.lower) &&
  !modals.has(token.lower);

function asked(
  sort: ClauseSort,
  body: number,
  tokens: readonly Token[],
  lexicon: Lexicon,
  thing: boolean,
): Clause | null {
  // “Who can come” asks for people; “where I can see” asks for nothing.
  const person = sort === 'who' && tokens[body - 1]?.pos === 'pronoun';
  const wish = !person && sort !== 'which' && sort !== 'many' && isWish(tokens, body, lexicon);
  return wish ? null : { sort, body, thing };
}

/** “Where I can see the totals”, “where we write down the date”: what the app is for, not what is asked. */
const isWish = (
  tokens: readonly Token[],
  body: number,
  { modals, with: noting, data, payments }: Lexicon,
): boolean => {
  // “Si debe dinero”: with an object it is no modal.
  const owes = (index: number) => payments.at(tokens, index) !== null && tokens[index + 1]?.pos === 'noun';
  return Array.from({ length: wishReach }, (_, step) => body + step).some(
    (index) =>
      (modals.at(tokens, index) !== null && !owes(index)) ||
      (tokens[index]?.pos === 'verb' &&
        noting.at(tokens, index) !== null &&
        !data.auxiliaries.includes(tokens[index]?.lower ?? '')),
  );
};

/** A verb of paying or earning in a question for a thing or a number: `what I charged`, `quanto ho pagato`. */
export const isPaid = (tokens: readonly Token[], { sort, thing }: Clause, { payments }: Lexicon): boolean =>
  (sort === 'many' || (sort === 'who' && thing)) &&
  tokens.some((_, index) => payments.at(tokens, index) !== null);
