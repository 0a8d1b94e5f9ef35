import type { Token } from './draft.ts';
import type { Lexicon, TaggedPrompt } from './lexicon.ts';

/** A run of tokens that form a noun phrase, without articles: from one to before the other. */
export interface NounPhrase {
  readonly from: number;
  readonly to: number;
  /** Its head: the last noun in English, else the first. */
  readonly head: number;
}

type IsHead = (index: number) => boolean;

/** A word that stays within a noun phrase. What is a noun for certain is one, whatever it looks like: `scanner`. */
const within = (token: Token | undefined, { fillers }: Lexicon, sure: boolean): boolean =>
  token !== undefined &&
  (sure || /noun|name/.test(token.pos) || (token.pos === 'adjective' && !fillers.has(token.lower)));

/** The noun phrase that begins at or behind a token, with nothing but articles and the like between. */
export function nounPhraseAt(
  text: TaggedPrompt,
  start: number,
  isHead: IsHead = () => false,
): NounPhrase | null {
  const { tokens, lexicon } = text;
  const goesOn = (index: number) => within(tokens[index], lexicon, isHead(index));
  let from = start;
  while (from < tokens.length && !goesOn(from)) {
    const { pos = 'mark', lower = '' } = tokens[from] ?? {};
    if (!/determiner|number|adverb/.test(pos) && !lexicon.fillers.has(lower)) return null;
    from += 1;
  }
  let to = from;
  const nouns: number[] = [];
  for (; goesOn(to); to += 1) if (isHead(to) || /^noun|name/.test(tokens[to]?.pos ?? '')) nouns.push(to);
  const head = lexicon.lang === 'en' ? nouns.at(-1) : nouns[0];
  return head === undefined ? null : { from, to, head };
}

/**
 * What the prompt asks for: the noun phrase that it or one of its sentences begins with, or the object of a verb of asking
 * (“build me a …”, “ich brauche eine …”). The first whose head names an app is it; else what a verb asks for; else what the
 * prompt begins with, unless somebody goes on to tell what for. Null where it only tells something.
 *
 * @param isHead whether a token heads a cue that names what an app is
 */
export function objectPhrase(text: TaggedPrompt, isHead: IsHead): NounPhrase | null {
  const { tokens, lexicon } = text;
  const first = firstPhrase(text, isHead);
  const asked = tokens.flatMap((_, index) => {
    const verb = lexicon.asking.at(tokens, index);
    return (verb && phraseBehind(text, index + verb.length, isHead)) ?? [];
  });
  if (first && isHead(first.head)) return first;
  return asked.find(({ head }) => isHead(head)) ?? asked[0] ?? first;
}

/** What a prompt begins with, before any pronoun. “Something” stands for an app as “an app” does. */
function firstPhrase(text: TaggedPrompt, isHead: IsHead): NounPhrase | null {
  const { tokens, lexicon } = text;
  for (const [index, token] of tokens.entries()) {
    if (token.pos === 'pronoun')
      return lexicon.generic.has(token.lower) ? { from: index, to: index + 1, head: index } : null;
    const verb = lexicon.asking.at(tokens, index);
    if (verb) return phraseBehind(text, index + verb.length, isHead);
    if (within(token, lexicon, isHead(index))) return nounPhraseAt(text, index, isHead);
  }
  return null;
}

/** A noun phrase behind a verb, over pronouns and particles: “make me please a simple …”. */
function phraseBehind(text: TaggedPrompt, start: number, isHead: IsHead): NounPhrase | null {
  const { tokens, lexicon } = text;
  let index = start;
  while (!isHead(index) && /pronoun|adverb|verb/.test(tokens[index]?.pos ?? '')) index += 1;
  const phrase = nounPhraseAt(text, index, isHead);
  return phrase && !lexicon.asking.has(tokens[phrase.head]?.lower ?? '') ? phrase : null;
}
