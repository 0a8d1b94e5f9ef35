import type { Draft, Span, Token } from '../draft.ts';
import { fold } from '../phrases.ts';
import { capitalised } from './naming.ts';

const matches = ({ lower, lemma }: Token, word: string) => fold(lower) === word || fold(lemma) === word;

/** French and Italian write short words against the next: d’eau is two words. */
const wordsOf = (phrase: string): readonly string[] => fold(phrase).split(/(?<=')(?!s(?: |$))| /);

/** Where a word or several side by side begin in the tokens from `from` on; -1 where they do not. */
export function indexOfWords(tokens: readonly Token[], phrase: string, from = 0): number {
  const words = wordsOf(phrase);
  const last = tokens.length - words.length;
  for (let at = from; at <= last; at++)
    if (words.every((word, step) => matches(tokens[at + step] as Token, word))) return at;
  return -1;
}

/** Whether a prompt, or a part of it, says one of the words. */
export const says = (tokens: readonly Token[], phrases: readonly string[]): boolean =>
  phrases.some((phrase) => indexOfWords(tokens, phrase) >= 0);

/** The tokens of a span. */
export const tokensIn = ({ tokens }: Draft, { start, end }: Pick<Span, 'start' | 'end'>): readonly Token[] =>
  tokens.filter((token) => token.start >= start && token.end <= end);

/** The words on both sides of a span, at most `reach` each, without those beyond a mark. */
export function neighbours({ tokens }: Draft, { start, end }: Span, reach: number): readonly Token[] {
  const before: Token[] = [];
  for (const token of tokens.filter((other) => other.end <= start).slice(-reach)) {
    if (token.pos === 'mark') before.length = 0;
    else before.push(token);
  }
  const after = tokens.filter((other) => other.start >= end).slice(0, reach);
  const mark = after.findIndex(({ pos }) => pos === 'mark');
  return [...before, ...(mark < 0 ? after : after.slice(0, mark))];
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

const sentenceEnds: ReadonlySet<string> = new Set([':', '.', '!', '?', ';', '¿']);

/** The sentences that end with a question mark, as the prompt writes them, with a capital. */
export function askedIn({ tokens, prompt, lang }: Draft): string[] {
  const asked: string[] = [];
  for (const [at, { text, end }] of tokens.entries()) {
    if (text !== '?') continue;
    const before = tokens.slice(0, at).findLastIndex((token) => sentenceEnds.has(token.text));
    const question = prompt.slice(tokens[before + 1]?.start ?? 0, end).trim();
    if (question !== '?') asked.push(`${lang === 'es' ? '¿' : ''}${capitalised(question, lang)}`);
  }
  return asked;
}

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
