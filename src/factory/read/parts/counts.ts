import type { Draft, Quantity, Span } from '../draft.ts';

/** A number with the noun that it counts. */
export interface Count {
  readonly value: number;
  readonly span: Span;
}

/** How far behind a number its noun may stand: `20 very hard questions`. */
const maxBetween = 3;

/**
 * The first number that counts one of these things, within bounds; null where there is none. No mark stands between a
 * number and what it counts.
 */
export function countOf(
  draft: Draft,
  words: readonly string[],
  min = 1,
  max = Number.POSITIVE_INFINITY,
): Count | null {
  for (const quantity of draft.quantities) {
    if (quantity.value < min || quantity.value > max) continue;
    const end = words.includes(quantity.unit) ? quantity.end : nounBehind(draft, quantity, words);
    if (end !== null)
      return {
        value: quantity.value,
        span: { start: quantity.start, end, text: draft.prompt.slice(quantity.start, end) },
      };
  }
  return null;
}

/** The word itself, or with an ending of plurals: what is tagged as no noun has no base form. */
const isPlural = (form: string, word: string): boolean =>
  form.startsWith(word) && /^(?:|s|es|e|n|en)$/.test(form.slice(word.length));

function nounBehind({ tokens }: Draft, { start }: Quantity, words: readonly string[]): number | null {
  const first = tokens.findIndex((token) => token.start >= start) + 1;
  for (const token of tokens.slice(first, first + maxBetween)) {
    if (token.pos === 'mark' && token.text !== '-') return null;
    if (words.includes(token.lemma) || words.some((word) => isPlural(token.lower, word))) return token.end;
    if (token.pos === 'number') return null;
  }
  return null;
}
