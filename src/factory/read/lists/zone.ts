import type { Facts, Quantity, Token } from '../draft.ts';
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
  readonly quantities: readonly Quantity[];
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

/** Whether a full stop ends a sentence: not behind an abbreviation or before a small letter or digit. */
export function endsSentence(tokens: readonly Token[], index: number): boolean {
  const token = tokens[index];
  if (!token) return true;
  // “Can swim? (yes/no)” and “can swim? yes/no” go on.
  const goesOn = /^[,;(]$/.test(tokens[index + 1]?.text ?? '') || tokens[index + 2]?.text === '/';
  if (/^[!?…]$/.test(token.text)) return !goesOn;
  if (token.text !== '.') return false;
  const next = tokens[index + 1];
  const before = tokens[index - 1];
  const glued = next !== undefined && next.start === token.end;
  if (glued) return false;
  if (isOrdinal(tokens, index)) return false;
  return !(
    next &&
    before &&
    /^\d/.test(next.text) &&
    before.text.length <= 9 &&
    /^\p{L}/u.test(before.text) &&
    next.start - token.end < 2 &&
    /str$|^(?:av|nr|no|tel|st|rd|ca)$/i.test(before.text)
  );
}

/** “Zum 50. Geburtstag”, “am 3. Mai”: German writes ordinals with a full stop. */
const isOrdinal = (tokens: readonly Token[], index: number): boolean =>
  /^\d{1,3}$/.test(tokens[index - 1]?.text ?? '') &&
  /^(?:zum|zur|am|vom|im|beim|der|die|das|den|dem|des|unser|mein)e?[rmns]?$/.test(
    tokens[index - 2]?.lower ?? '',
  ) &&
  /^\p{Lu}/u.test(tokens[index + 1]?.text ?? '');

/** The numbers from one to before another. */
export const range = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
