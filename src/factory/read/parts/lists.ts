import type { Contact, SectionItem } from '../../spec.ts';
import type { Draft, List, ListItem } from '../draft.ts';
import { timeOf } from '../facts/times.ts';
import { isWithin } from '../spans.ts';
import { capitalised } from './naming.ts';

/** The lists of a draft whose items were not read as fields. */
export const freeLists = ({ lists, fields }: Draft): readonly List[] =>
  lists.filter((list) => !fields.some((field) => isWithin(field, [list])));

/** All lists, be their items read as fields or not, without the name of the app among them. */
export const allLists = ({ lists, name }: Draft): readonly List[] =>
  lists
    .map((list) => ({ ...list, items: list.items.filter(({ text }) => text !== name) }))
    .filter(({ items }, index) => items.length > 1 || items.length === lists[index]?.items.length);

/** The first list that one of these words introduces, be its items fields or not. */
export const listOf = ({ lists }: Draft, words: readonly string[]): List | null =>
  lists.find(({ intro }) => words.includes(intro)) ?? null;

/** A draft without a list that has been used, and without the fields that were read from it. */
export const without = (draft: Draft, used: List | null): Draft =>
  used === null
    ? draft
    : {
        ...draft,
        lists: draft.lists.filter(({ start, end }) => start !== used.start || end !== used.end),
        fields: draft.fields.filter((field) => !isWithin(field, [used])),
      };

const separators = [' = ', '=', ' → ', ' -> ', ' – ', ' — ', ' - '] as const;

/** Both sides of `dog = Hund`, `dog – Hund` or `dog: Hund`; null where an item has one side only. */
export function sidesOf({ text, options }: ListItem): readonly [string, string] | null {
  if (options.length > 0) return [text, options.join(', ')];
  for (const separator of separators) {
    const at = text.indexOf(separator);
    if (at <= 0) continue;
    const sides = [text.slice(0, at).trim(), text.slice(at + separator.length).trim()] as const;
    if (sides[0] !== '' && sides[1] !== '') return sides;
  }
  return null;
}

/** The item with everything that it says, for entries of which only the text is kept: `milk (2 l)`. */
export const wholeItem = ({ prompt }: Draft, { start, end, text, options, price, time }: ListItem): string =>
  options.length === 0 && !price && !time ? text : prompt.slice(start, end).trim() || text;

/** How to reach somebody, as far as the prompt says it. */
export function contactOf({ facts }: Draft): Contact {
  const [email, phone, address] = [facts.emails[0], facts.phones[0], facts.addresses[0]];
  return {
    ...(email ? { email: email.text.slice(0, 120) } : {}),
    ...(phone ? { phone: phone.text.slice(0, 40) } : {}),
    ...(address ? { address: address.text.slice(0, 160) } : {}),
  };
}

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
