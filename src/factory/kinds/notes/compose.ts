import type { Compose } from '../../read/draft.ts';
import { allLists, wholeItem } from '../../read/parts/lists.ts';
import { capitalised, named } from '../../read/parts/naming.ts';

interface Content {
  readonly names: Readonly<Record<string, string>>;
  readonly named: Readonly<Record<string, string>>;
  readonly tagline: string;
  readonly welcome: { readonly title: string; readonly text: string };
}

/** A note for each thing that the prompt lists; otherwise one that tells how notes work. A journal begins empty. */
export const compose: Compose<Content> = (draft, { names, named: patterns, tagline, welcome }) => {
  const variant = draft.variant || 'notes';
  const listed = allLists(draft)
    .flatMap(({ items }) => items)
    .slice(0, 24)
    .map((item) => ({ title: capitalised(wholeItem(draft, item), draft.lang).slice(0, 120) }));
  const begun = variant === 'journal' ? [] : [welcome];
  return {
    spec: {
      variant,
      name: named(draft, patterns[variant] ?? '', names[variant] ?? ''),
      tagline,
      features: ['search', 'undo', 'print', 'dark'],
      sections: [{ type: 'items', title: '–', items: listed.length > 0 ? listed : begun }],
    },
    assumptions: [],
  };
};
