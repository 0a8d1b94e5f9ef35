import type { Contact, Section, SectionItem } from '../../spec.ts';
import type { Appointment, Draft, ListItem, Price } from '../draft.ts';
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
export const timeOf = ({ from, to }: Pick<Appointment, 'from' | 'to'>): string =>
  to === '' ? from : `${from}–${to}`;

/** An item of a list with its price or time, and what stands in parentheses. */
export function itemOf({ lang }: Draft, { text, options, price, time }: ListItem): SectionItem {
  return {
    title: capitalised(text, lang).slice(0, 120),
    ...(options.length > 0 ? { text: options.join(', ').slice(0, 600) } : {}),
    ...(price ? { price: price.shown.slice(0, 40) } : {}),
    ...(time ? { meta: timeOf(time).slice(0, 60) } : {}),
  };
}

/** What costs what, without prices that belong to an item of a list. */
export function pricedItems({ facts, lists, lang }: Draft): SectionItem[] {
  const listed = new Set(
    lists.flatMap(({ items }) => items.flatMap(({ price }) => (price ? [price.start] : []))),
  );
  return facts.prices
    .filter((price) => !listed.has(price.start) && price.item !== '')
    .map((price) => priced(price));

  function priced({ item, shown }: Price): SectionItem {
    return { title: capitalised(item, lang).slice(0, 120), price: shown.slice(0, 40) };
  }
}

/** A schedule for each day that is named, in the order of the prompt; one without a day has the title given. */
export function schedulesOf({ facts, lang }: Draft, title: string): Section[] {
  const days = new Map<string, SectionItem[]>();
  for (const { title: what, day, from, to } of facts.appointments) {
    const items = days.get(day) ?? [];
    if (items.length === 0) days.set(day, items);
    items.push({ title: capitalised(what, lang).slice(0, 120), meta: timeOf({ from, to }) });
  }
  return [...days].map(([day, items]) => ({
    type: 'schedule',
    title: (day === '' ? title : capitalised(day, lang)).slice(0, 80),
    items: items.slice(0, 24),
  }));
}
