import type { Token } from './draft.ts';
import { type CueFound, covers, type Place } from './kind-of.ts';
import { shortened } from './parts/naming.ts';
import { type NounPhrase, nounPhraseAt } from './request.ts';
import { nextIndex, spanFrom } from './spans.ts';

/** What is asked for, with all that is known of where it stands. */
export interface Asked extends Place {
  readonly cues: readonly CueFound[];
}

type Range = Pick<NounPhrase, 'from' | 'to'>;

const maxText = 60;

/** The words of some tokens as the prompt writes them, as many as can be shown. */
export const textOf = (asked: Asked, { from, to }: Range): string =>
  shortened(spanFrom(asked, from, to).text.trim(), maxText);

/** The noun phrase that asks for what a kind serves, up to a name that it is given: `kitchen timer`; else empty. */
export function askedFor(asked: Asked): string {
  const { tokens, lexicon, object, generic, cues } = asked;
  if (!object || generic || !cues.some((cue) => covers(cue, headOf(asked)))) return '';
  const isAbout = lexicon.about.has(tokens[object.to]?.lower ?? '');
  // With the complement that follows at once.
  const end = (isAbout && nounPhraseAt(asked, object.to + 1)?.to) || object.to;
  let to = object.from;
  while (to < end && !lexicon.naming.at(tokens, to)) to += 1;
  while (to > object.from && lexicon.closed.has(tokens[to - 1]?.lower ?? '')) to -= 1;
  // Nothing is cut off: “D&D”, “para ir soltando”.
  const isCut =
    /^[\p{L}\p{N}&]/u.test(asked.prompt.slice(tokens[to - 1]?.end)) ||
    /[aei]ndo$/.test(tokens[to]?.lower ?? '');
  return to > object.from && !isCut ? textOf(asked, { from: object.from, to }) : '';
}

/** Where the word stands that says what is asked for: in `a reading list called "Night Reads"` that is `list`. */
export function headOf({ object, tokens, lexicon }: Asked): number {
  if (object === null) return -1;
  let head = object.head;
  while (head > object.from && lexicon.naming.at(tokens, head)) head -= 1;
  return head;
}

/** What is asked for in the words of the prompt: the clause of a cue, or of the object, behind the words that only ask. */
export function namedBy({ tokens, lexicon, object, generic }: Asked, found: CueFound | null): Range | null {
  const empty = [lexicon.closed, lexicon.asking, lexicon.generic];
  const says = ({ pos, lower }: Token) => pos !== 'mark' && !empty.some((words) => words.has(lower));
  // “An app, which …” says behind it what it is.
  const behind = tokens.findIndex((token, index) => index >= (object?.to ?? 0) && says(token));
  const at = found?.from ?? (generic && behind > 0 ? behind : (object?.head ?? 0));
  let from = tokens.findLastIndex(({ pos }, index) => pos === 'mark' && index < at) + 1;
  while (from < at && !says(tokens[from] as Token)) from += 1;
  const isEnd = ({ pos }: Token, index: number) =>
    pos === 'mark' || (!generic && pos === 'preposition' && lexicon.with.at(tokens, index) !== null);
  const to = nextIndex(tokens, at, isEnd);
  return to > from ? { from, to } : null;
}
