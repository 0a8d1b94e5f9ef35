import type { Compose, Draft, ListItem } from '../../read/draft.ts';
import { schedulesOf } from '../../read/parts/facts.ts';
import { listOf, sidesOf } from '../../read/parts/lists.ts';
import { capitalised, named } from '../../read/parts/naming.ts';
import { askedIn } from '../../read/parts/words.ts';
import type { Section } from '../../spec.ts';

interface Content {
  readonly name: string;
  readonly named: string;
  readonly tagline: string;
  /** The heading of questions. */
  readonly questions: string;
  readonly questionWords: readonly string[];
  /** What stands in a chapter that is still to be written. */
  readonly hint: string;
  readonly chapters: readonly string[];
  readonly supposed: string;
}

/** A chapter for everything that is listed, with what is said about it; questions stand together. */
export const compose: Compose<Content> = (draft, content) => {
  const chapters = chaptersOf(draft, content);
  const told = [...chapters, ...schedulesOf(draft, content.questions), ...addressesOf(draft)];
  const usual = content.chapters.map((title) => chapter(title, content.hint));
  return {
    spec: {
      name: named(draft, content.named, content.name),
      tagline: content.tagline,
      features: ['search', 'undo', 'dark'],
      sections: (told.length > 0 ? told : usual).slice(0, 12),
      copy: { unfold: told.some(({ type }) => type === 'faq') ? 'no' : 'yes' },
    },
    assumptions: told.length > 0 ? [] : [content.supposed],
  };
};

const chapter = (title: string, text: string): Section => ({
  type: 'text',
  title: title.slice(0, 80),
  items: [{ title: title.slice(0, 120), text: text.slice(0, 600) }],
});

/** In documentation a list is never one of fields, whatever it looks like. */
function chaptersOf(draft: Draft, { questions, questionWords, hint }: Content): Section[] {
  const { lists, quoted, lang } = draft;
  const told = (item: ListItem) => {
    const sides = sidesOf(item);
    return { title: capitalised(sides?.[0] ?? item.text, lang), text: sides?.[1] ?? '' };
  };
  const faq = listOf(draft, questionWords);
  const asked = askedIn(draft);
  return [
    ...lists.flatMap((list): Section[] => {
      const items = list.items.map(told);
      const isFaq = list === faq || items.every(({ title }) => title.endsWith('?'));
      return isFaq
        ? [
            {
              type: 'faq',
              title: questions,
              items: items.map(({ title, text }) => ({ title, text: text || hint })),
            },
          ]
        : items.map(({ title, text }) => chapter(title, text || hint));
    }),
    ...(lists.length === 0 && asked.length > 0
      ? [
          {
            type: 'faq' as const,
            title: questions,
            items: asked.map((title) => ({ title: title.slice(0, 120), text: hint })),
          },
        ]
      : []),
    ...quoted.map(({ text }) => chapter(capitalised(text, lang), hint)),
  ];
}

/** Numbers and addresses that a reader may need. */
const addressesOf = ({ facts }: Draft): Section[] =>
  [...facts.addresses, ...facts.phones, ...facts.emails, ...facts.urls]
    .sort((a, b) => a.start - b.start)
    .slice(0, 4)
    .map(({ text }) => chapter(text, text));
