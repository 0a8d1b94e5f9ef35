import type { Span, Stretch, Token } from './draft.ts';

/** Words as one alternative of a regular expression, the longest first, so that `mon` does not hide `monday`. */
export const anyOf = (words: readonly string[]): string =>
  words
    .toSorted((a, b) => b.length - a.length)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(' ', '\\s'))
    .join('|');

export const wordStart = String.raw`(?<![\p{L}\p{M}\d])`;
export const wordEnd = String.raw`(?![\p{L}\p{M}])`;

/** A match as a span of the text that it was found in. */
export const spanOf = (match: RegExpExecArray): Span => ({
  text: match[0].trim(),
  start: match.index + (match[0].length - match[0].trimStart().length),
  end: match.index + match[0].trimEnd().length,
});

/** All matches of a pattern. */
export const spansOf = (text: string, pattern: RegExp): Span[] => [...text.matchAll(pattern)].map(spanOf);

/** What the prompt says from one token to before another. */
export function spanFrom(
  { prompt, tokens }: { readonly prompt: string; readonly tokens: readonly Token[] },
  from: number,
  to: number,
): Span {
  const start = tokens[from]?.start ?? 0;
  const end = tokens[to - 1]?.end ?? start;
  return { text: prompt.slice(start, end), start, end };
}

/** Whether a stretch lies within one of others. */
export const isWithin = ({ start, end }: Stretch, others: readonly Stretch[]): boolean =>
  others.some((other) => start >= other.start && end <= other.end);

/** The first index behind another at which a token does; the number of tokens where none does. */
export function nextIndex(
  tokens: readonly Token[],
  after: number,
  does: (token: Token, index: number) => unknown,
): number {
  const next = tokens.findIndex((token, index) => index > after && does(token, index));
  return next < 0 ? tokens.length : next;
}

/** Stretches of a prompt that are already something: what one rule has read no other reads again. */
export class Claims {
  readonly #spans: Span[] = [];

  /** Those of the spans that are free, which are then taken. */
  take<Found extends Span>(found: readonly Found[]): Found[] {
    return found.filter((span) => {
      const free = this.free(span);
      if (free) this.#spans.push(span);
      return free;
    });
  }

  free({ start, end }: Stretch): boolean {
    return this.#spans.every((span) => end <= span.start || start >= span.end);
  }
}
