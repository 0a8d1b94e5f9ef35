import type { Section } from '../../spec.ts';
import type { Draft, List, ListItem } from '../draft.ts';
import { itemOf, pricedItems, schedulesOf } from './facts.ts';
import { allLists, isTimed, wholeItem } from './lists.ts';
import { capitalised } from './naming.ts';
import { indexOfWords, says, tokensIn } from './words.ts';

/** A section that people ask for by name. */
export interface KnownSection {
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
  const placed: Placed[] = allLists(draft)
    .filter((list) => !isTimed(draft, list))
    .flatMap((list) => ofList(draft, list, texts));
  const priced = pricedItems(draft);
  if (priced.length > 0)
    placed.push({
      at: draft.facts.prices[0]?.start ?? 0,
      section: { type: 'prices', title: texts.prices, items: priced },
    });
  for (const section of schedulesOf(draft, texts.list))
    placed.push({ at: draft.facts.appointments[0]?.start ?? 0, section });
  placed.push(...mentioned(draft, texts, placed));
  return placed
    .sort((a, b) => a.at - b.at)
    .map(({ section }) => section)
    .filter(({ title }, at, all) => all.findIndex((other) => other.title === title) === at)
    .slice(0, 12);
}

/** A list names sections, or it is one. */
function ofList(draft: Draft, list: List, texts: SiteTexts): Placed[] {
  const items = list.items.filter((item) => !isOf(draft, item, texts.elsewhere));
  if (items.length === 0) return [];
  const known = items.map((item) => texts.sections.find(({ words }) => isOf(draft, item, words)) ?? null);
  const bare = items.every(hasBareNumber);
  const priced = bare || items.some(({ price }) => price !== null);
  if (!priced && known.some((section) => section !== null))
    return items.flatMap((item, index): Placed[] => {
      const section = known[index] ?? {
        type: 'text' as const,
        words: [],
        title: capitalised(item.text, draft.lang),
      };
      const inside = item.options.map((title) => ({ title: capitalised(title, draft.lang).slice(0, 120) }));
      return [{ at: item.start, section: filled(section, inside) }];
    });
  const introduced = texts.sections.find(({ words }) => words.includes(list.intro));
  const title = introduced?.title ?? texts.list;
  const type = introduced?.type ?? (priced ? 'prices' : 'items');
  const section: Section =
    type === 'text'
      ? {
          type,
          title,
          text: items
            .map((item) => wholeItem(draft, item))
            .join(', ')
            .slice(0, 800),
          items: [],
        }
      : {
          type,
          title,
          items: items.slice(0, 24).map((item) => (bare ? barePrice(draft, item) : itemOf(draft, item))),
        };
  return [{ at: list.start, section }];
}

/** In `haircut 18, beard 12` every item ends with its price, without a currency. */
const hasBareNumber = ({ text, quantity, price }: ListItem): boolean =>
  price === null && quantity?.unit === '' && text.endsWith(` ${quantity.text}`);

function barePrice(draft: Draft, item: ListItem): Section['items'][number] {
  const number = item.quantity?.text ?? '';
  const text = item.text.slice(0, item.text.length - number.length).trim();
  return { ...itemOf(draft, { ...item, text }), price: number };
}

const filled = ({ type, title, hint }: KnownSection, items: Section['items']): Section =>
  items.length > 0 && type !== 'text'
    ? { type, title: title.slice(0, 80), items }
    : {
        type: 'text',
        title: title.slice(0, 80),
        text:
          items.length > 0
            ? items
                .map((item) => item.title)
                .join(', ')
                .slice(0, 800)
            : (hint ?? ''),
        items: [],
      };

/** Whether an item is what one of these words says, such as `a photo gallery`. */
const isOf = (draft: Draft, item: ListItem, words: readonly string[]): boolean => {
  const tokens = tokensIn(draft, item);
  return words.some((word) => says(tokens, [word]) && tokens.length - word.split(' ').length <= 2);
};

/** Sections that are spoken of outside of lists, with a text that says what belongs there. */
function mentioned(
  { tokens, lists, subject }: Draft,
  { sections }: SiteTexts,
  placed: readonly Placed[],
): Placed[] {
  const outside = tokens.filter(
    ({ start, end, pos }) =>
      pos !== 'preposition' &&
      ![...lists, ...(subject ? [subject] : [])].some((span) => start >= span.start && end <= span.end),
  );
  return sections.flatMap((section): Placed[] => {
    if (!section.hint || placed.some((other) => other.section.title === section.title)) return [];
    const found = section.words.map((word) => indexOfWords(outside, word)).filter((at) => at >= 0);
    const first = outside[Math.min(...found)];
    return found.length > 0 && first ? [{ at: first.start, section: filled(section, []) }] : [];
  });
}
