import type { Token } from './draft.ts';
import type { Lexicon } from './lexicon.ts';

/** A run of tokens that form a noun phrase, without articles: from one to before the other. */
export interface NounPhrase {
  readonly from: number;
  readonly to: number;
  /** Its head: the last noun in English, else the first. */
  readonly head: number;
}

/** A word that stays within a noun phrase. */
function within(token: Token | undefined, { asking, fillers, lang }: Lexicon): boolean {
  if (!token) return false;
  if (token.pos === 'noun' || token.pos === 'name') return true;
  if (token.pos === 'adjective') return !fillers.has(token.lower);
  return lang === 'en' && token.pos === 'verb' && /(?:ing|ed)$/.test(token.lower) && !asking.has(token.lower);
}

/** The noun phrase that begins at or behind a token, with nothing but articles and the like between. */
export function nounPhraseAt(tokens: readonly Token[], start: number, lexicon: Lexicon): NounPhrase | null {
  let from = start;
  while (from < tokens.length && !within(tokens[from], lexicon)) {
    const token = tokens[from];
    const skipped =
      token?.pos === 'determiner' ||
      lexicon.fillers.has(token?.lower ?? '') ||
      token?.pos === 'number' ||
      token?.pos === 'adverb';
    if (!skipped) return null;
    from += 1;
  }
  let to = from;
  while (within(tokens[to], lexicon)) to += 1;
  if (to === from) return null;
  const nouns = Array.from({ length: to - from }, (_, offset) => from + offset).filter((index) =>
    ['noun', 'name'].includes(tokens[index]?.pos ?? ''),
  );
  if (nouns.length === 0) return null;
  const head = (lexicon.lang === 'en' ? nouns.at(-1) : nouns[0]) ?? from;
  return { from, to, head };
}

/**
 * What the prompt asks for: the noun phrase that it begins with, or the object of its first verb of asking (“build me
 * a …”, “ich brauche eine …”), which goes first where a kind is named by it. Null where the prompt only tells something.
 *
 * @param namesKind whether the token is a cue that names a kind
 */
export function objectPhrase(
  tokens: readonly Token[],
  lexicon: Lexicon,
  namesKind: (index: number) => boolean,
): NounPhrase | null {
  let first: NounPhrase | null = null;
  let asked: NounPhrase | null = null;
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index];
    const verb = lexicon.asking.at(tokens, index);
    if (verb) {
      const phrase = phraseBehind(tokens, index + verb.length, lexicon);
      if (phrase && (!first || namesKind(phrase.head)))
        return first && namesKind(first.head) ? first : phrase;
      asked ??= phrase;
    } else if (first === null && token?.pos === 'pronoun') break;
    else if (first === null && within(token, lexicon)) first = nounPhraseAt(tokens, index, lexicon);
  }
  return first ?? asked ?? askedLater(tokens, lexicon);
}

/** The object of a verb of asking behind a clause that tells who asks: “we are a club and need …”. */
function askedLater(tokens: readonly Token[], lexicon: Lexicon): NounPhrase | null {
  for (let index = 0; index < tokens.length; index += 1) {
    const verb = lexicon.asking.at(tokens, index);
    const phrase = verb && phraseBehind(tokens, index + verb.length, lexicon);
    if (phrase) return phrase;
  }
  return null;
}

/** A noun phrase behind a verb, over pronouns and particles: “make me please a simple …”. */
function phraseBehind(tokens: readonly Token[], start: number, lexicon: Lexicon): NounPhrase | null {
  let index = start;
  while (tokens[index] && ['pronoun', 'adverb', 'verb'].includes(tokens[index]?.pos ?? '')) index += 1;
  const phrase = nounPhraseAt(tokens, index, lexicon);
  return phrase && !lexicon.asking.has(tokens[phrase.head]?.lower ?? '') ? phrase : null;
}
