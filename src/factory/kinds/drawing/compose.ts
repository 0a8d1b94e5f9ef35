import type { Compose, Token } from '../../read/draft.ts';
import { named } from '../../read/parts/naming.ts';

interface Content {
  readonly name: string;
  readonly named: string;
  readonly pixels: string;
  readonly tagline: string;
}

/** A sheet to draw on: it has a name, and pixel art as many squares on a side as are said. */
export const compose: Compose<Content> = (draft, { name, named: pattern, pixels, tagline }) => {
  const variant = draft.variant || 'pad';
  const size = variant === 'pixels' ? sideIn(draft.tokens) : null;
  return {
    spec: {
      variant,
      name: variant === 'pixels' ? named(draft, `${pixels}: {subject}`, pixels) : named(draft, pattern, name),
      tagline,
      settings: size === null ? {} : { size },
      features: ['undo', 'print', 'dark'],
    },
    assumptions: [],
  };
};

/** `16x16`, `32 × 32`: as many squares as can be had. */
function sideIn(tokens: readonly Token[]): number | null {
  for (const [at, { lower }] of tokens.entries()) {
    const near = `${tokens[at - 1]?.lower ?? ''}${lower}${tokens[at + 1]?.lower ?? ''}`;
    for (const text of [lower, near]) {
      const [, first, second] = /^(\d{1,2})[x×](\d{1,2})$/.exec(text) ?? [];
      const side = Number(first);
      if (first !== undefined && first === second && side >= 8 && side <= 48) return side;
    }
  }
  return null;
}
