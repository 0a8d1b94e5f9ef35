import type { Compose, Draft } from '../../read/draft.ts';
import { allLists, wholeItem } from '../../read/parts/lists.ts';
import { capitalised, named } from '../../read/parts/naming.ts';

interface Content {
  readonly name: string;
  readonly named: string;
  readonly tagline: string;
  readonly ready: readonly string[];
  readonly supposed: string;
}

/** The habits that the prompt lists, or a few that many people have. */
export const compose: Compose<Content> = (draft, { name, named: pattern, tagline, ready, supposed }) => {
  const own = habitsOf(draft);
  const habits = own.length > 0 ? own : ready;
  return {
    spec: {
      name: named(draft, pattern, name),
      tagline,
      features: ['csv', 'undo', 'print', 'dark'],
      sections: [{ type: 'items', title: '–', items: habits.map((title) => ({ title })) }],
    },
    assumptions: own.length > 0 ? [] : [supposed],
  };
};

/** Habits are often written in words that look like fields, so that every list counts. */
function habitsOf(draft: Draft): string[] {
  const listed = allLists(draft).flatMap(({ items }) => items.map((item) => wholeItem(draft, item)));
  const texts = listed.length > 0 ? listed : draft.fields.map(({ label }) => label);
  return [...new Set(texts.map((text) => capitalised(text, draft.lang).slice(0, 120)))].slice(0, 24);
}
