import type { Contact, SectionItem } from '../../spec.ts';
import type { Draft, ListItem, Time } from '../draft.ts';
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

/** `09:00`, or `09:00–10:00`. */
export const timeOf = ({ from, to }: Pick<Time, 'from' | 'to'>): string =>
  to === '' ? from : `${from}–${to}`;

/** An item of a list with its price or time, and what stands in parentheses. */
export function itemOf({ lang }: Draft, { text, options, price, time }: ListItem): SectionItem {
  const year = options.length === 1 && /^(?:19|20)\d\d$/.test(options[0] ?? '') ? options[0] : undefined;
  return {
    title: capitalised(text, lang).slice(0, 120),
    ...(year ? { meta: year } : {}),
    ...(options.length > 0 && !year ? { text: options.join(', ').slice(0, 600) } : {}),
    ...(price ? { price: price.shown.slice(0, 40) } : {}),
    ...(time ? { meta: timeOf(time).slice(0, 60) } : {}),
  };
}
