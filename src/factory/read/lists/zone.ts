import type { Facts, Token } from '../draft.ts';
import type { Lexicon } from '../lexicon.ts';

/** A stretch of tokens, from one to before the other, in which items may stand side by side. */
export interface Zone {
  readonly intro: string;
  readonly from: number;
  to: number;
}

/** What the items of a list are read with. */
export interface ListContext {
  readonly prompt: string;
  readonly tokens: readonly Token[];
  readonly lexicon: Lexicon;
  /** Tokens within quotation marks, where a comma separates nothing. */
  readonly quoted: ReadonlySet<number>;
  readonly facts: Facts;
}

export const opening = new Set(['(', '[', '{']);
export const closing = new Set([')', ']', '}']);

/** How deep in parentheses each token stands; quoted text counts as such. */
export function depthsOf({ tokens, quoted }: Pick<ListContext, 'tokens' | 'quoted'>): number[] {
  let depth = 0;
  return tokens.map(({ text }, index) => {
    if (opening.has(text)) depth += 1;
    const here = depth + (quoted.has(index) ? 1 : 0);
    if (closing.has(text)) depth = Math.max(0, depth - 1);
    return here;
  });
}

/** Whether a full stop ends a sentence: not within a word, and not behind a number, as in “zum 50. Geburtstag”. */
export function endsSentence(tokens: readonly Token[], index: number): boolean {
  const [before, token, next] = [tokens[index - 1], tokens[index], tokens[index + 1]];
  if (!token) return true;
  // “Can swim? (yes/no)” and “can swim? yes/no” go on.
  if (/^[!?…]$/.test(token.text)) return !/^[,;(]$/.test(next?.text ?? '') && tokens[index + 2]?.text !== '/';
  const isOrdinal = next !== undefined && /^\d{1,2}$/.test(before?.text ?? '');
  return token.text === '.' && next?.start !== token.end && !isOrdinal;
}

/** The numbers from one to before another. */
export const range = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
