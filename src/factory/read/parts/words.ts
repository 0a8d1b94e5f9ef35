import type { Draft, Span, Stretch, Token } from '../draft.ts';
import { fold, isForm } from '../phrases.ts';
import { isWithin, nextIndex } from '../spans.ts';
import { asQuestion } from './naming.ts';

/** French and Italian write short words against the next: d’eau is two words. */
const wordsOf = (phrase: string): readonly string[] => fold(phrase).split(/(?<=')(?!s(?: |$))| /);

/** Where a word or several side by side begin in the tokens from `from` on; -1 where they do not. */
export function indexOfWords(tokens: readonly Token[], phrase: string, from = 0): number {
  const words = wordsOf(phrase);
  const last = tokens.length - words.length;
  for (let at = from; at <= last; at++)
    if (words.every((word, step) => isForm(tokens[at + step], word))) return at;
  return -1;
}

/** Whether a prompt, or a part of it, says one of the words. */
export const says = (tokens: readonly Token[], phrases: readonly string[]): boolean =>
  phrases.some((phrase) => indexOfWords(tokens, phrase) >= 0);

/** The tokens of a span. */
export const tokensIn = ({ tokens }: Draft, stretch: Stretch): readonly Token[] =>
  tokens.filter((token) => isWithin(token, [stretch]));

/** The words on both sides of a span, at most `reach` each, without those beyond a mark. */
export function neighbours({ tokens }: Draft, { start, end }: Span, reach: number): readonly Token[] {
  const isMark = ({ pos }: Token) => pos === 'mark';
  const before = tokens.filter((other) => other.end <= start).slice(-reach);
  const after = tokens.filter((other) => other.start >= end).slice(0, reach);
  return [...before.slice(before.findLastIndex(isMark) + 1), ...after.slice(0, nextIndex(after, -1, isMark))];
}

/** Which of several things with words the prompt speaks of first; the longer phrase where two begin together. */
export function firstSaid<Thing extends { readonly words: readonly string[] }>(
  tokens: readonly Token[],
  things: readonly Thing[],
): Thing | null {
  let best: { thing: Thing; at: number; length: number } | null = null;
  for (const thing of things)
    for (const phrase of thing.words) {
      const at = indexOfWords(tokens, phrase);
      if (at >= 0 && (!best || at < best.at || (at === best.at && phrase.length > best.length)))
        best = { thing, at, length: phrase.length };
    }
  return best?.thing ?? null;
}

/** The sentences that end with a question mark, as the prompt writes them, with a capital. */
export const askedIn = ({ tokens, prompt, lang }: Draft): string[] =>
  tokens.flatMap(({ text, end }, at) => {
    if (text !== '?') return [];
    const before = tokens.findLastIndex((token, index) => index < at && /^[:.!?;¿]$/.test(token.text));
    const question = prompt.slice(tokens[before + 1]?.start ?? 0, end).trim();
    return question === '?' ? [] : [asQuestion(question, lang)];
  });

/** A number with the noun that it counts. */
export interface Count {
  readonly value: number;
  readonly span: Span;
}

/** The first number that counts one of these things, within bounds; null where there is none. */
export function countOf(
  draft: Draft,
  words: readonly string[],
  min = 1,
  max = Number.POSITIVE_INFINITY,
): Count | null {
  for (const quantity of draft.quantities) {
    if (quantity.value < min || quantity.value > max) continue;
    const noun = quantity.text.toLowerCase().split(' ').at(-1) ?? '';
    if (words.includes(quantity.unit) || words.includes(noun))
      return { value: quantity.value, span: quantity };
  }
  return null;
}
