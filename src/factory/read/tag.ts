import type { PartOfSpeech, Token } from './draft.ts';
import { singularOf } from './language-data.ts';
import type { Lexicon } from './lexicon.ts';
import { quotedIn, wordsOf } from './phrases.ts';
import { isWithin } from './spans.ts';

/** The tokens of a prompt with what they are, by the tables of its language. */
export const tagged = (prompt: string, lexicon: Lexicon): Token[] =>
  wordsOf(prompt, lexicon.lang).map((span, index, all) => {
    const lower = span.text.toLowerCase().replaceAll('’', "'");
    const pos = partOfSpeech(span.text, lower, all[index - 1]?.text ?? '', lexicon);
    const lemma = pos === 'noun' || pos === 'adjective' ? singularOf(lower, lexicon.data) : lower;
    return { ...span, lower, lemma, pos };
  });

const capital = /^\p{Lu}/u;

function partOfSpeech(text: string, lower: string, before: string, lexicon: Lexicon): PartOfSpeech {
  if (!/[\p{L}\d]/u.test(text)) return 'mark';
  if (/^\d/.test(text)) return 'number';
  // Behind these any word has a capital.
  const starts = /^[.!?:¡¿"“„«*-]?$/.test(before);
  const closed = lexicon.closed.get(lower);
  const { data } = lexicon;
  // Mia is a name, too.
  const isName = lower === 'mia' && capital.test(text) && !starts;
  if (closed && !isName) return closed;
  if (lexicon.lang === 'de' && capital.test(text)) return starts && verbal(lower, lexicon) ? 'verb' : 'noun';
  if (lexicon.asking.has(lower)) return 'verb';
  if (capital.test(text) && !starts) return 'name';
  if (ends(lower, data.nounEndings)) return 'noun';
  if (verbal(lower, lexicon)) return takesNoun(before.toLowerCase(), lexicon) ? 'noun' : 'verb';
  return lexicon.lang === 'de' || ends(lower, data.adjectiveEndings) ? 'adjective' : 'noun';
}

const ends = (lower: string, endings: readonly string[]) =>
  endings.some((ending) => lower.length > ending.length + 2 && lower.endsWith(ending));

/** Prepositions that infinitives stand behind; behind every other, and behind an article, stands a noun. */
const beforeVerb = new Set("to de di d' à a pour para pra per por sans sin senza sem zu um da".split(' '));

const takesNoun = (before: string, { closed, which }: Lexicon) =>
  closed.get(before) === 'determiner' ||
  which.has(before) ||
  (closed.get(before) === 'preposition' && !beforeVerb.has(before));

/** What ends like a verb and is no plural that the language lists. */
const verbal = (lower: string, { data }: Lexicon) =>
  data.irregular[lower] === undefined && ends(lower, data.verbEndings);

/** Which tokens stand within quotation marks. */
export function quotedTokens(prompt: string, tokens: readonly Token[]): Set<number> {
  const quotes = quotedIn(prompt);
  return new Set(tokens.flatMap((token, index) => (isWithin(token, quotes) ? [index] : [])));
}

/** A word by itself, which needs no tagging. */
export function wordToken(text: string): Token {
  const lower = text.toLowerCase();
  return { text, lower, lemma: lower, pos: 'noun', start: 0, end: text.length };
}
