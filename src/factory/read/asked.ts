import type { Token } from './draft.ts';
import { type CueFound, covers, type Place } from './kind-of.ts';
import type { Lexicon } from './lexicon.ts';
import { shortened } from './parts/naming.ts';
import { type NounPhrase, nounPhraseAt } from './request.ts';

/** What is asked for, with all that is known of where it stands. */
export interface Asked extends Place {
  readonly prompt: string;
  readonly lexicon: Lexicon;
  readonly cues: readonly CueFound[];
}

type Range = Pick<NounPhrase, 'from' | 'to'>;

const maxText = 60;

/** The words of some tokens as the prompt writes them, as many as can be shown. */
export const textOf = ({ prompt, tokens }: Asked, { from, to }: Range): string =>
  shortened(prompt.slice(tokens[from]?.start, tokens[to - 1]?.end).trim(), maxText);

/** The noun phrase that asks for what a kind serves, up to a name that it is given: `kitchen timer`; else empty. */
export function askedFor(asked: Asked): string {
  const { tokens, lexicon, object, generic, cues } = asked;
  const span =
    object && !generic && cues.some((cue) => covers(cue, headOf(asked))) ? namedBy(asked, null) : null;
  if (!span) return '';
  let to = span.from;
  while (to < span.to && !lexicon.naming.at(tokens, to)) to += 1;
  while (to > span.from && lexicon.closed.has(tokens[to - 1]?.lower ?? '')) to -= 1;
  // Nothing is cut off: “D&D”, “para ir soltando”.
  const isCut =
    /^[\p{L}\p{N}&]/u.test(asked.prompt.slice(tokens[to - 1]?.end)) ||
    /[aei]ndo$/.test(tokens[to]?.lower ?? '');
  return to > span.from && !isCut ? textOf(asked, { from: span.from, to }) : '';
}

/** Where the word stands that says what is asked for: in `a reading list called "Night Reads"` that is `list`. */
export function headOf({ object, tokens, lexicon }: Asked): number {
  if (object === null) return -1;
  let head = object.head;
  while (head > object.from && lexicon.naming.at(tokens, head)) head -= 1;
  return head;
}

/** The words that say what is asked for: what a cue says with the noun that belongs to it, or the object itself. */
export function namedBy(asked: Asked, found: CueFound | null): Range | null {
  const { tokens, lexicon, object, generic } = asked;
  if (object && generic && (!found || found.from >= object.to)) return restOf(object, asked) ?? object;
  if (!found) return object && { from: object.from, to: withComplement(tokens, object.to, lexicon) };
  const inside = object !== null && found.to > object.from && found.from < object.to;
  const from = inside ? Math.min(object.from, found.from) : found.from;
  const to = inside ? Math.max(object.to, found.to) : found.to;
  const verb = found.cues.some((cue) => cue.class === 'verbs');
  const next = verb ? nounPhraseAt(tokens, to, lexicon) : null;
  return { from, to: next?.to ?? withComplement(tokens, to, lexicon) };
}

/** What is said of “an app that …”, up to the end of the sentence or as much as can be shown. */
export function restOf({ to }: NounPhrase, { tokens, lexicon, prompt }: Asked): Range | null {
  let from = to;
  while (
    from < tokens.length &&
    (tokens[from]?.pos === 'mark' || lexicon.closed.has(tokens[from]?.lower ?? ''))
  )
    from += 1;
  let end = from;
  while (
    end < tokens.length &&
    !/^[.:;!?]$/.test(tokens[end]?.text ?? '') &&
    prompt.slice(tokens[from]?.start, tokens[end]?.end).length <= maxText
  )
    end += 1;
  return end > from ? { from, to: end } : null;
}

/** The end of a noun phrase with a complement that follows at once. */
function withComplement(tokens: readonly Token[], to: number, lexicon: Lexicon): number {
  return lexicon.about.has(tokens[to]?.lower ?? '') ? (nounPhraseAt(tokens, to + 1, lexicon)?.to ?? to) : to;
}
