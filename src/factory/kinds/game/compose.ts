import type { Compose } from '../../read/draft.ts';

interface Content {
  readonly names: Readonly<Record<string, string>>;
  readonly tagline: string;
  readonly pairs: readonly string[];
}

/** The numbers of pairs that fill a rectangle. */
const boards = [6, 8, 10, 12, 18] as const;

/** The game that is named; how many pairs where it is memory. */
export const compose: Compose<Content> = ({ variant: said, quantities }, { names, tagline, pairs }) => {
  const variant = said || 'snake';
  const wanted = variant === 'memory' ? quantities.find(({ unit }) => pairs.includes(unit)) : undefined;
  return {
    spec: {
      variant,
      name: names[variant] ?? '',
      tagline,
      settings: wanted ? { pairs: boards.find((size) => size >= wanted.value) ?? 18 } : {},
    },
    assumptions: [],
  };
};
