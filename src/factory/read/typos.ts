import type { CueTable } from './cues.ts';
import type { Token } from './draft.ts';
import type { Lexicon } from './lexicon.ts';
import { fold } from './phrases.ts';

export interface Corrected {
  readonly tokens: readonly Token[];
  /** `expence → expense`, in the order of the prompt. */
  readonly corrections: readonly string[];
}

/** A shorter word has too many neighbours. */
const minLength = 6;
const maxCorrections = 5;

/**
 * Words that are one edit from a cue and are no word of the language, as far as is known. Only their base form changes:
 * the prompt stays as it is written.
 */
export function corrected(
  tokens: readonly Token[],
  table: CueTable,
  lexicon: Lexicon,
  quoted: ReadonlySet<number>,
): Corrected {
  const cues = table.words.filter((word) => word.length >= minLength);
  const corrections: string[] = [];
  const mended = tokens.map((token, index) => {
    const word = fold(token.lower);
    const unknown =
      token.pos !== 'mark' && token.pos !== 'number' && token.pos !== 'name' && !quoted.has(index);
    if (
      !unknown ||
      word.length < minLength ||
      corrections.length >= maxCorrections ||
      isKnown(token, table, lexicon)
    )
      return token;
    const meant = cues.find((cue) => cue[0] === word[0] && isOneEdit(word, cue));
    if (meant === undefined) return token;
    corrections.push(`${token.text} → ${meant}`);
    return { ...token, lemma: meant };
  });
  return { tokens: mended, corrections };
}

function isKnown(
  token: Token,
  { phrases, words }: CueTable,
  { closed, asking, generic, fieldWords, data }: Lexicon,
): boolean {
  const { lower, lemma } = token;
  const [form, base] = [fold(lower), fold(lemma)];
  return (
    [lower, lemma].some(
      (one) =>
        closed.has(one) ||
        asking.has(one) ||
        generic.has(one) ||
        fieldWords.has(fold(one)) ||
        phrases.has(one),
    ) ||
    data.irregular[lower] !== undefined ||
    Object.values(data.acts).some((acts) => acts.includes(lower)) ||
    words.some(
      (word) =>
        form === word ||
        base === word ||
        (word.length > 3 && (form.startsWith(word) || form.endsWith(word) || word.startsWith(form))),
    )
  );
}

/** Whether one letter added, left out, exchanged, or swapped with its neighbour turns one word into the other. */
export function isOneEdit(a: string, b: string): boolean {
  if (a === b || Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const [left, right] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  if (left.length <= 1 && right.length <= 1) return true;
  return left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0];
}
