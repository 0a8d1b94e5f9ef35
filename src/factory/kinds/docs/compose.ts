import type { Compose, Draft, ListItem } from '../../read/draft.ts';
import { listOf, sidesOf, wholeItem } from '../../read/parts/lists.ts';
import { capitalised, named } from '../../read/parts/naming.ts';
import { answeredIn } from '../../read/parts/pairs.ts';
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
  const stated = [...chapters, ...addressesOf(draft)];
  const usual = content.chapters.map((title) => chapter(title, content.hint));
  return {
    spec: {
      name: [named(draft, content.named, content.name), ownNameIn(draft)?.text ?? '']
        .filter(Boolean)
        .join(' '),
      tagline: content.tagline,
      features: ['search', 'undo', 'dark'],
      sections: (stated.length > 0 ? stated : usual).slice(0, 12),
      copy: { unfold: stated.some(({ type }) => type === 'faq') ? 'no' : 'yes' },
    },
    assumptions: stated.length > 0 ? [] : [content.supposed],
  };
};

/** What is quoted in front of everything that is listed is what the documentation is of. */
const ownNameIn = ({ quoted: [first], lists }: Draft) =>
  first && lists.every(({ start }) => start >= first.end) && first.text.length <= 30 ? first : undefined;

const chapter = (title: string, text: string): Section => ({
  type: 'text',
  title: title.slice(0, 80),
  items: [{ title: title.slice(0, 120), text: text.slice(0, 600) }],
});

/** In documentation a list is never one of fields, whatever it looks like. */
function chaptersOf(draft: Draft, { questions, questionWords, hint }: Content): Section[] {
  const { lists, quoted, lang } = draft;
  const stated = (item: ListItem) => {
    const sides = sidesOf(item);
    return { title: capitalised(sides?.[0] ?? wholeItem(draft, item), lang), text: sides?.[1] ?? '' };
  };
  const faq = listOf(draft, questionWords);
  const answered = answeredIn(draft);
  const asked = answered.length > 0 ? [] : askedIn(draft);
  const free = lists.filter(
    ({ start, end }) => !answered.some((stated) => stated.start < end && start < stated.end),
  );
  return [
    ...(answered.length > 0
      ? [
          {
            type: 'faq' as const,
            title: questions,
            items: answered
              .slice(0, 24)
              .map(({ title, text }) => ({ title: title.slice(0, 120), text: text.slice(0, 600) })),
          },
        ]
      : []),
    ...free.flatMap((list): Section[] => {
      const items = list.items.map(stated);
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
    ...(free.length === 0 && asked.length > 0
      ? [
          {
            type: 'faq' as const,
            title: questions,
            items: asked.map((title) => ({ title: title.slice(0, 120), text: hint })),
          },
        ]
      : []),
    ...quoted
      .filter((quote) => quote !== ownNameIn(draft))
      .map(({ text }) => chapter(capitalised(text, lang), hint)),
  ];
}

/** Numbers and addresses that a reader may need. */
const addressesOf = ({ facts }: Draft): Section[] =>
  [...facts.addresses, ...facts.phones, ...facts.emails, ...facts.urls]
    .sort((a, b) => a.start - b.start)
    .slice(0, 4)
    .map(({ text }) => chapter(text, text));
