import type { Contact, SectionItem } from '../../spec.ts';
import type { Draft, ListItem, Price, Time } from '../draft.ts';
import { capitalised } from './naming.ts';

/** How to reach somebody, as far as the prompt says it. */
export function contactOf({ facts }: Draft): Contact {
  const [email, phone, address] = [facts.emails[0], facts.phones[0], facts.addresses[0]];
  return {
    ...(email ? { email: email.text.slice(0, 120) } : {}),
    ...(phone ? { phone: phone.text.slice(0, 40) } : {}),
    ...(address ? { address: address.text.slice(0, 160) } : {}),
  };
}

/** The names of people that are no part of a place, an address or a date. */
export const peopleOf = ({ people, places, addresses, dates }: Draft['facts']): string[] =>
  people
    .filter(
      ({ start, end }) =>
        ![...places, ...addresses, ...dates].some((span) => start >= span.start && end <= span.end),
    )
    .map(({ text }) => text);

/** `09:00`, or `09:00–10:00`. */
export const timeOf = ({ from, to }: Pick<Time, 'from' | 'to'>): string =>
  to === '' ? from : `${from}–${to}`;

/** An item of a list with its price or time, and what stands in parentheses. */
export function itemOf(draft: Draft, { text, options, price, time }: ListItem): SectionItem {
  const unit = price ? perUnit.exec(draft.prompt.slice(price.end))?.[0].trim() : undefined;
  const year = options.length === 1 && /^(?:19|20)\d\d$/.test(options[0] ?? '') ? options[0] : undefined;
  const title = unit && text.endsWith(` ${unit}`) ? text.slice(0, -unit.length).trim() : text;
  return {
    title: capitalised(title, draft.lang).slice(0, 120),
    ...(year ? { meta: year } : {}),
    ...(options.length > 0 && !year ? { text: options.join(', ').slice(0, 600) } : {}),
    ...(price ? { price: priceShown(draft, { ...price, item: title }) } : {}),
    ...(time ? { meta: timeOf(time).slice(0, 60) } : {}),
  };
}

/** Words between a price and what it is for: `85 € a night`. */
const perUnit =
  /^\s?(?:\/\s?|(?:per|each|an?|pro|je|la|le|par|por|o|al|alla|à la|a la|la)\s|l['’]|all['’])\s?[\p{L}’']{1,20}(?=\s*(?:[,;.)]|$|(?:and|und|y|et|e)\s))/iu;

/** Words in front of a price that is only the lowest: `from €300`. */
const lowest = /(?:^|\s)(from|ab|desde|dès|à partir de|a partir de|a partire da|da)\s*$/iu;

/** A price with what it is for where that stands behind it, as in `85 € a night`, and not the item itself. */
function priceShown({ prompt }: Draft, { shown, start, end, item }: Price): string {
  const found = perUnit.exec(prompt.slice(end));
  const before = prompt.lastIndexOf(item, start);
  const least = lowest.exec(prompt.slice(Math.max(0, start - 20), start))?.[1];
  const price = least ? `${least} ${shown}` : shown;
  return found && before >= 0 && start - before - item.length <= maxApart
    ? `${price} ${found[0].trim()}`.replace(' /', '/').slice(0, 40)
    : price.slice(0, 40);
}

/** How many characters may stand between an item and its price. */
const maxApart = 16;

/** What costs what, without prices that belong to an item of a list. */
export function pricedItems(draft: Draft): SectionItem[] {
  const { facts, lists, lang } = draft;
  const listed = new Set(
    lists.flatMap(({ items }) => items.flatMap(({ price }) => (price ? [price.start] : []))),
  );
  return facts.prices
    .filter((price) => !listed.has(price.start) && price.item !== '')
    .map((price) => priced(price));

  function priced(price: Price): SectionItem {
    return { title: capitalised(price.item, lang).slice(0, 120), price: priceShown(draft, price) };
  }
}
