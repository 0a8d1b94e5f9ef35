import type { Section } from '../../spec.ts';
import type { Draft, List, ListItem } from '../draft.ts';
import { allLists, itemOf, wholeItem } from './lists.ts';
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
  const items = list.items.filter((item) => !isElsewhere(draft, item, [...texts.elsewhere, ...prices]));
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

/** What stands elsewhere on a site: an address, opening hours, or a part that is only named, such as `a photo gallery`. */
function isElsewhere(draft: Draft, item: ListItem, words: readonly string[]): boolean {
  const { emails, phones, urls, hours } = draft.facts;
  const isFact = [...emails, ...phones, ...urls, ...hours].some(
    ({ start, end }) => start < item.end && end > item.start,
  );
  const tokens = tokensIn(draft, item);
  const isNamed = words.some((word) => says(tokens, [word]) && tokens.length - word.split(' ').length <= 2);
  return isFact || (item.price === null && item.options.length === 0 && isNamed);
}
