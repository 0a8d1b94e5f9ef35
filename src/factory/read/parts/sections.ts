import type { Section } from '../../spec.ts';
import type { Draft, List, ListItem } from '../draft.ts';
import { lexiconOf } from '../lexicon.ts';
import { itemOf } from './facts.ts';
import { allLists, wholeItem } from './lists.ts';
import { says, tokensIn } from './words.ts';

/** A section that people ask for by name. */
export interface KnownSection {
  readonly type: Section['type'];
  readonly words: readonly string[];
  readonly title: string;
}

export interface SiteTexts {
  readonly sections: readonly KnownSection[];
  /** Parts of a site that are made in another way, such as contact and hours. */
  readonly elsewhere: readonly string[];
  /** The heading of a list that nothing introduces. */
  readonly list: string;
}

/** The sections of a site in the order in which the prompt speaks of them. On a site every list is shown. */
export function sectionsOf(draft: Draft, texts: SiteTexts): Section[] {
  return allLists(draft)
    .flatMap((list) => ofList(draft, list, texts))
    .filter(({ title }, at, all) => all.findIndex((other) => other.title === title) === at)
    .slice(0, 12);
}

function ofList(draft: Draft, list: List, texts: SiteTexts): Section[] {
  const prices = texts.sections.flatMap(({ type, words }) => (type === 'prices' ? words : []));
  const items = list.items.filter(
    (item) => !isContact(draft, item) && !isOf(draft, item, texts.elsewhere) && !isEmpty(draft, item, prices),
  );
  if (items.length === 0) return [];
  const priced = items.some(({ price }) => price !== null);
  const introduced = texts.sections.find(({ words }) => words.includes(list.intro));
  const title = introduced?.title ?? texts.list;
  const type = introduced?.type ?? (priced ? 'prices' : 'items');
  const whole = items.map((item) => wholeItem(draft, item)).join(', ');
  return type === 'text'
    ? [{ type, title, text: whole.slice(0, 800), items: [] }]
    : [{ type, title, items: items.slice(0, 24).map((item) => itemOf(draft, item)) }];
}

/** An item that is nothing but an address, which is shown as contact. */
const isContact = ({ facts }: Draft, { start, end }: ListItem): boolean =>
  [...facts.emails, ...facts.phones, ...facts.urls].some((fact) => fact.start <= start && fact.end >= end);

/** An item that is nothing but opening hours, which are shown as such, or says only that there are `prices`. */
function isEmpty(draft: Draft, item: ListItem, prices: readonly string[]): boolean {
  const { closed, data } = lexiconOf(draft.lang);
  const hours = draft.facts.hours.filter(({ start, end }) => start >= item.start && end <= item.end);
  const rest = tokensIn(draft, item).filter(
    ({ lower, start }) =>
      !closed.has(lower) && !hours.some((span) => start >= span.start && start < span.end),
  );
  if (hours.length > 0) return rest.every(({ lower }) => data.open.includes(lower));
  const isBare = item.price === null && item.options.length === 0;
  return isBare && prices.some((word) => says(rest, [word]) && rest.length === word.split(' ').length);
}

/** Whether an item is what one of these words says, such as `a photo gallery`. */
const isOf = (draft: Draft, item: ListItem, words: readonly string[]): boolean => {
  const tokens = tokensIn(draft, item);
  return words.some((word) => says(tokens, [word]) && tokens.length - word.split(' ').length <= 2);
};
