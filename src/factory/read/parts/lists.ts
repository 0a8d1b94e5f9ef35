import type { Draft, List, ListItem, Span } from '../draft.ts';

const within = (inner: Pick<Span, 'start' | 'end'>, outer: Pick<Span, 'start' | 'end'>) =>
  inner.start >= outer.start && inner.end <= outer.end;

/** The lists of a draft whose items were not read as fields. */
export const freeLists = ({ lists, fields }: Draft): readonly List[] =>
  lists.filter((list) => !fields.some((field) => within(field, list)));

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
        fields: draft.fields.filter((field) => !within(field, used)),
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
