import type { Compose, Draft, List } from '../../read/draft.ts';
import { contactOf, itemOf, pricedItems } from '../../read/parts/facts.ts';
import { allLists, wholeItem } from '../../read/parts/lists.ts';
import { capitalised, shortened } from '../../read/parts/naming.ts';
import { neighbours, says } from '../../read/parts/words.ts';
import type { Section } from '../../spec.ts';

interface Content {
  readonly names: Readonly<Record<string, string>>;
  readonly tagline: string;
  readonly itemWords: readonly string[];
  readonly taxWords: readonly string[];
  readonly supposed: string;
}

/** Who it is from and to, the lines of an invoice with their prices, and the tax that is named. */
export const compose: Compose<Content> = (draft, { names, tagline, taxWords, supposed }) => {
  const variant = draft.variant || 'invoice';
  const lines = linesOf(draft);
  const tax = draft.quantities.find(
    (quantity) => quantity.unit === 'percent' && says(neighbours(draft, quantity, 3), taxWords),
  );
  const title = names[variant] ?? '';
  return {
    spec: {
      variant,
      name: title,
      tagline,
      contact: contactOf(draft),
      sections: sectionsOf(draft, title, lines),
      settings: tax && variant === 'invoice' ? { tax: tax.value } : {},
      copy: copyOf(draft),
      features: ['undo', 'print', 'dark'],
    },
    assumptions: variant === 'invoice' && lines.length === 0 ? [supposed] : [],
  };
};

/** Lists with a price among them, and prices elsewhere, are the lines of an invoice. */
const linesOf = (draft: Draft) =>
  [
    ...allLists(draft)
      .filter(isPriced)
      .flatMap(({ items }) => items.map((item) => itemOf(draft, item))),
    ...pricedItems(draft),
  ].slice(0, 24);

const isPriced = ({ items }: List): boolean => items.some(({ price }) => price !== null);

/** What is quoted and what is listed without prices is text, line by line; an invoice has its lines beside it. */
function sectionsOf(draft: Draft, title: string, lines: readonly Section['items'][number][]): Section[] {
  const { quoted, subject, lang } = draft;
  const listed = allLists(draft)
    .filter((list) => !isPriced(list))
    .flatMap(({ items }) => items.map((item) => capitalised(wholeItem(draft, item), lang)));
  const told = [...quoted.map(({ text }) => text), ...listed];
  const text = told.length > 0 ? told.join('\n') : subject ? capitalised(subject.text, lang) : '';
  return [
    ...(text === '' ? [] : [{ type: 'text' as const, title, text: shortened(text, 800), items: [] }]),
    ...(lines.length > 0 ? [{ type: 'prices' as const, title, items: [...lines] }] : []),
  ];
}

/** Whom it is for, where that stands in no list, and the day that it is dated. */
function copyOf({ facts, lists }: Draft): Record<string, string> {
  const person = facts.people.find(
    ({ start, end }) => !lists.some((list) => start >= list.start && end <= list.end),
  );
  const [date] = facts.dates;
  return {
    ...(person ? { recipient: person.text.slice(0, 200) } : {}),
    ...(date ? { date: date.value } : {}),
  };
}
