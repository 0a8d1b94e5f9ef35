import type { Compose, Draft } from '../../read/draft.ts';
import { contactOf, itemOf, pricedItems } from '../../read/parts/facts.ts';
import { freeLists } from '../../read/parts/lists.ts';
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
      sections: sectionsOf(draft, variant, title, lines),
      settings: tax && variant === 'invoice' ? { tax: tax.value } : {},
      copy: copyOf(draft),
      features: ['undo', 'print', 'dark'],
    },
    assumptions: variant === 'invoice' && lines.length === 0 ? [supposed] : [],
  };
};

/** What is listed and what has a price. */
const linesOf = (draft: Draft) =>
  [
    ...freeLists(draft).flatMap(({ items }) => items.map((item) => itemOf(draft, item))),
    ...pricedItems(draft),
  ].slice(0, 24);

/** The lines of an invoice stand in a section of prices; the text of the others in one of text. */
function sectionsOf(
  { quoted, subject, lang }: Draft,
  variant: string,
  title: string,
  lines: readonly Section['items'][number][],
): Section[] {
  const text = quoted.map((one) => one.text).join('\n') || (subject ? capitalised(subject.text, lang) : '');
  const said: Section[] = text === '' ? [] : [{ type: 'text', title, text: shortened(text, 800), items: [] }];
  const listed: Section[] = lines.length > 0 ? [{ type: 'prices', title, items: lines }] : [];
  return variant === 'invoice' ? listed : [...said, ...listed];
}

/** Whom it is for, and the day that it is dated. */
const copyOf = ({ facts }: Draft): Record<string, string> => ({
  ...(facts.people[0] ? { recipient: facts.people[0].text } : {}),
  ...(facts.dates[0] ? { date: facts.dates[0].value } : {}),
});
