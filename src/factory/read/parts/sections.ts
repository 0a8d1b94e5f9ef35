import type { Section } from '../../spec.ts';
import type { Draft, List, ListItem } from '../draft.ts';
import { itemOf, pricedItems } from './facts.ts';
import { allLists, wholeItem } from './lists.ts';
import { capitalised } from './naming.ts';
import { says, tokensIn } from './words.ts';

/** A section that people ask for by name. */
export interface KnownSection {
  readonly id?: string;
  readonly type: Section['type'];
  readonly words: readonly string[];
  readonly title: string;
  /** What stands there until it is filled; without it an empty section is left out. */
  readonly hint?: string;
}

export interface SiteTexts {
  readonly sections: readonly KnownSection[];
  /** Parts of a site that are made in another way, such as contact and hours. */
  readonly elsewhere: readonly string[];
  /** What the line below the name is called. */
  readonly slogan: readonly string[];
  /** The heading of a list that nothing introduces. */
  readonly list: string;
  /** The heading of prices that stand in no list. */
  readonly prices: string;
}

interface Placed {
  readonly at: number;
  readonly section: Section;
}

/** The sections of a site in the order in which the prompt speaks of them. On a site every list is shown. */
export function sectionsOf(draft: Draft, texts: SiteTexts): Section[] {
  const placed = allLists(draft).flatMap((list) => ofList(draft, list, texts));
  const priced = pricedItems(draft).filter(
    ({ title }) => !placed.some(({ section }) => section.items.some((item) => item.title === title)),
  );
  if (priced.length > 0)
    placed.push({
      at: draft.facts.prices[0]?.start ?? 0,
      section: { type: 'prices', title: texts.prices, items: priced },
    });
  return placed
    .sort((a, b) => a.at - b.at)
    .map(({ section }) => section)
    .filter(({ title }, at, all) => all.findIndex((other) => other.title === title) === at)
    .slice(0, 12);
}

/** A list names sections, or it is one. */
function ofList(draft: Draft, list: List, texts: SiteTexts): Placed[] {
  const items = list.items.filter(
    (item) =>
      !isContact(draft, item) &&
      !isOf(draft, item, texts.elsewhere) &&
      !says(tokensIn(draft, item).slice(0, 2), texts.slogan),
  );
  if (items.length === 0) return [];
  const known = items.map((item) => texts.sections.find(({ words }) => isOf(draft, item, words)) ?? null);
  const priced = items.some(({ price }) => price !== null);
  if (!priced && known.some((section) => section !== null))
    return items.map((item, index) => {
      const { title, hint = '' } = known[index] ?? { title: capitalised(item.text, draft.lang) };
      const text = item.options.length > 0 ? item.options.join(', ').slice(0, 800) : hint;
      return { at: item.start, section: { type: 'text', title: title.slice(0, 80), text, items: [] } };
    });
  const introduced = texts.sections.find(({ words }) => words.includes(list.intro));
  const title = introduced?.title ?? texts.list;
  const type = introduced?.type ?? (priced ? 'prices' : 'items');
  const whole = items.map((item) => wholeItem(draft, item)).join(', ');
  const section: Section =
    type === 'text'
      ? { type, title, text: whole.slice(0, 800), items: [] }
      : { type, title, items: items.slice(0, 24).map((item) => itemOf(draft, item)) };
  return [{ at: list.start, section }];
}

/** An item that is nothing but an address, which is shown as contact. */
const isContact = ({ facts }: Draft, { start, end }: ListItem): boolean =>
  [...facts.emails, ...facts.phones, ...facts.urls].some((fact) => fact.start <= start && fact.end >= end);

/** Whether an item is what one of these words says, such as `a photo gallery`. */
const isOf = (draft: Draft, item: ListItem, words: readonly string[]): boolean => {
  const tokens = tokensIn(draft, item);
  return words.some((word) => says(tokens, [word]) && tokens.length - word.split(' ').length <= 2);
};
