import type { Facts, Span, Token } from './draft.ts';
import type { CueFound } from './kind-of.ts';
import type { Lexicon } from './lexicon.ts';
import { endsSentence } from './lists/zone.ts';
import { fold } from './phrases.ts';
import type { NounPhrase } from './request.ts';

/** A longer one is a sentence rather than a title. */
const maxWords = 8;
const maxTitle = 60;

/**
 * The words by which a prompt calls what it asks for, without articles and words of politeness: `Gerätebuch Freiwillige
 * Feuerwehr`, `sign-up for Summer Camp`. They go from the noun phrase that is asked for to the first mark, verb, date or list.
 * Null where nothing is asked for in so few words.
 *
 * @param cues those of the kind: what names none of them is what somebody tells of himself
 */
export function titleOf(
  prompt: string,
  tokens: readonly Token[],
  object: NounPhrase | null,
  cues: readonly CueFound[],
  facts: Facts,
  lexicon: Lexicon,
): Span | null {
  if (!object) return null;
  let from = object.from;
  while (from < object.to && isEmpty(tokens[from], lexicon)) from += 1;
  // “Page for the 50th birthday” is called by what it is for.
  while (from > object.from && isLink(tokens[from])) from += 1;
  let to = from;
  const told = [...facts.dates, ...facts.times, ...facts.prices];
  const days = lexicon.data.weekdays.flat();
  // A weekday before a date belongs to it.
  const isFact = ({ start, end, lower }: Token) =>
    told.some((fact) => start >= fact.start && end <= fact.end) ||
    (days.includes(lower) && facts.dates.some((date) => date.start >= end && date.start - end <= 2));
  while (to < tokens.length && !ends(tokens, to, from, lexicon) && !isFact(tokens[to] as Token)) to += 1;
  while (to > from && isLoose(tokens[to - 1], lexicon)) to -= 1;
  const [first, last] = [tokens[from], tokens[to - 1]];
  if (!first || !last || to <= from || to - from > maxWords || last.end - first.start > maxTitle) return null;
  if (first.pos === 'preposition' || !cues.some((cue) => cue.from >= object.from && cue.from < to))
    return null;
  return { text: prompt.slice(first.start, last.end), start: first.start, end: last.end };
}

function ends(tokens: readonly Token[], index: number, from: number, lexicon: Lexicon): boolean {
  const token = tokens[index];
  if (!token || endsSentence(tokens, index)) return true;
  const glued = token.start === tokens[index - 1]?.end && tokens[index + 1]?.start === token.end;
  const ordinal = token.text === '.' && tokens[index - 1]?.pos === 'number';
  if (token.pos === 'mark') return !(glued || ordinal || /^[&+º°%']$/.test(token.text));
  if (
    lexicon.colours.has(token.lower) ||
    (lexicon.data.colourWords.includes(token.lower) && tokens[index - 1]?.pos === 'preposition')
  )
    return true;
  if (token.pos === 'pronoun' || (token.pos === 'conjunction' && !lexicon.and.has(token.lower))) return true;
  if (token.pos === 'verb' && (lexicon.closed.has(token.lower) || lexicon.asking.has(token.lower)))
    return true;
  return (
    index > from &&
    [lexicon.with, lexicon.stops, lexicon.naming, lexicon.fields].some(
      (words) => words.at(tokens, index) !== null,
    ) &&
    !lexicon.about.has(token.lower)
  );
}

const isEmpty = (token: Token | undefined, { fillers, generic }: Lexicon) =>
  token?.pos === 'determiner' || fillers.has(token?.lower ?? '') || generic.has(token?.lower ?? '');

const isLink = (token: Token | undefined) => token?.pos === 'preposition' || token?.pos === 'determiner';

const isLoose = (token: Token | undefined, { fillers }: Lexicon) =>
  ['determiner', 'preposition', 'conjunction', 'adverb', 'mark', 'pronoun'].includes(token?.pos ?? '') ||
  fillers.has(token?.lower ?? '');

/** Whether a text holds all that a title says: its nouns, names, adjectives and numbers, in any form. */
export function saysAll(text: string, title: Span, tokens: readonly Token[], lexicon: Lexicon): boolean {
  const folded = fold(text);
  return tokens
    .filter(({ start, end }) => start >= title.start && end <= title.end)
    .filter(
      (token) => ['noun', 'name', 'adjective', 'number'].includes(token.pos) && !isEmpty(token, lexicon),
    )
    .every(({ lower, lemma }) => [lower, lemma].some((form) => folded.includes(fold(form))));
}
