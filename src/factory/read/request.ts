import type { Token } from './draft.ts';
import type { Lexicon } from './lexicon.ts';

/** A run of tokens that form a noun phrase, without articles: from one to before the other. */
export interface NounPhrase {
  readonly from: number;
  readonly to: number;
  /** Its head: the last noun in English, else the first. */
  readonly head: number;
}

/** A word that stays within a noun phrase. What is a noun for certain is one, whatever it looks like: `scanner`. */
const within = (token: Token | undefined, { fillers }: Lexicon, sure = false): boolean =>
  token !== undefined &&
  (sure || /noun|name/.test(token.pos) || (token.pos === 'adjective' && !fillers.has(token.lower)));

/** The noun phrase that begins at or behind a token, with nothing but articles and the like between. */
export function nounPhraseAt(
  tokens: readonly Token[],
  start: number,
  lexicon: Lexicon,
  isHead: (index: number) => boolean = () => false,
): NounPhrase | null {
  let from = start;
  const goesOn = (index: number) => within(tokens[index], lexicon, isHead(index));
  while (from < tokens.length && !goesOn(from)) {
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
  while (goesOn(to)) to += 1;
  if (to === from) return null;
  const nouns = Array.from({ length: to - from }, (_, offset) => from + offset).filter(
    (index) => isHead(index) || ['noun', 'name'].includes(tokens[index]?.pos ?? ''),
  );
  if (nouns.length === 0) return null;
  const head = (lexicon.lang === 'en' ? nouns.at(-1) : nouns[0]) ?? from;
  return { from, to, head };
}

/**
 * What the prompt asks for: the noun phrase that it or one of its sentences begins with, or the object of a verb of asking
 * (“build me a …”, “ich brauche eine …”). The first whose head names an app is it; else what a verb asks for; else what the
 * prompt begins with, unless somebody goes on to tell what for. Null where it only tells something.
 *
 * @param isHead whether a token heads a cue that names what an app is
 */
export function objectPhrase(
  tokens: readonly Token[],
  lexicon: Lexicon,
  isHead: (index: number) => boolean,
): NounPhrase | null {
  const first = firstPhrase(tokens, lexicon, isHead);
  const asked: NounPhrase[] = [];
  for (let index = 0; index < tokens.length; index += 1) {
    const verb = lexicon.asking.at(tokens, index);
    const phrase = verb && phraseBehind(tokens, index + verb.length, lexicon, isHead);
    if (phrase) asked.push(phrase);
  }
  const names = (phrase: NounPhrase | null) => phrase !== null && isHead(phrase.head);
  if (names(first)) return first;
  return asked.find(names) ?? asked[0] ?? first;
}

/** What a prompt begins with, before any pronoun. */
function firstPhrase(
  tokens: readonly Token[],
  lexicon: Lexicon,
  isHead: (index: number) => boolean,
): NounPhrase | null {
  for (const [index, token] of tokens.entries()) {
    if (isSomething(token, lexicon)) return { from: index, to: index + 1, head: index };
    if (token.pos === 'pronoun') return null;
    const verb = lexicon.asking.at(tokens, index);
    if (verb) return phraseBehind(tokens, index + verb.length, lexicon, isHead);
    if (within(token, lexicon, isHead(index))) return nounPhraseAt(tokens, index, lexicon, isHead);
  }
  return null;
}

/** “Something” stands for an app as “an app” does. */
const isSomething = (token: Token, { generic }: Lexicon): boolean =>
  token.pos === 'pronoun' && generic.has(token.lower);

/** A noun phrase behind a verb, over pronouns and particles: “make me please a simple …”. */
function phraseBehind(
  tokens: readonly Token[],
  start: number,
  lexicon: Lexicon,
  isHead: (index: number) => boolean,
): NounPhrase | null {
  let index = start;
  while (!isHead(index) && ['pronoun', 'adverb', 'verb'].includes(tokens[index]?.pos ?? '')) index += 1;
  const phrase = nounPhraseAt(tokens, index, lexicon, isHead);
  return phrase && !lexicon.asking.has(tokens[phrase.head]?.lower ?? '') ? phrase : null;
}
