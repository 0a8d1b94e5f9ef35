import type { Span } from '../draft.ts';

/** Words as one alternative of a regular expression, the longest first, so that `mon` does not hide `monday`. */
export const anyOf = (words: readonly string[]): string =>
  words
    .toSorted((a, b) => b.length - a.length)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(' ', '\\s'))
    .join('|');

export const wordStart = String.raw`(?<![\p{L}\p{M}\d])`;
export const wordEnd = String.raw`(?![\p{L}\p{M}])`;

/** A match as a span of the text that it was found in. */
export const spanOf = (match: RegExpMatchArray): Span => ({
  text: match[0].trim(),
  start: (match.index ?? 0) + (match[0].length - match[0].trimStart().length),
  end: (match.index ?? 0) + match[0].trimEnd().length,
});

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

  free({ start, end }: Pick<Span, 'start' | 'end'>): boolean {
    return this.#spans.every((span) => end <= span.start || start >= span.end);
  }
}
