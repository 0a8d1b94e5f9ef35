import type { ExpectedField, PromptEntry } from '../prompt-set.ts';
import { sameText } from '../text.ts';
import { arithmeticKey, type PageForm } from './page-form.ts';

/**
 * Makes a list of the app what it should be: the one that has some of the entries already, else the one that the form
 * shows for it. @returns false where the form has no such list
 */
export function placeList(form: PageForm, entries: readonly string[], entry: PromptEntry): boolean {
  const options = optionsWith(form, entries, entry);
  if (options !== null) return form.type(options, entries);
  if (form.offers('/choices')) return form.type('/choices', entries);
  if (form.offers('/grid/rows')) return gridList(form, entries, entry);
  if (form.offers('/sections+')) return sectionOf(form, entries, entry);
  if (form.offers('/seed+')) return seeded(form, entries);
  return false;
}

/** Adds entries to what an app lists. */
export function addEntries(form: PageForm, entries: readonly string[], entry: PromptEntry): boolean {
  const added = (path: string) => form.type(path, [...form.list(path).map(String), ...entries]);
  if (form.offers('/choices')) return added('/choices');
  if (form.offers('/grid/rows'))
    return added(form.text('/variant') === 'month' ? '/grid/marks' : '/grid/rows');
  if (form.offers('/sections+')) {
    const section = listedIn(form, entries, entry) ?? newSection(form, entry);
    return section !== null && entries.every((title) => itemTitled(form, section, title));
  }
  return form.offers('/seed+') && seeded(form, entries);
}

/** The options that are such a list: those that share an entry with it, those of a board or a poll, else none. */
function optionsWith(form: PageForm, entries: readonly string[], { lang }: PromptEntry): string | null {
  const all = form.list('/entity/fields').map((_, index) => `/entity/fields/${index}/options`);
  const offered = all.filter((path) => form.offers(path));
  const shares = offered.find((path) =>
    form.list(path).some((option) => entries.some((wanted) => sameText(String(option), wanted, lang))),
  );
  const isOfKind = form.text('/kind') === 'board' || form.text('/variant') === 'poll';
  return shares ?? (isOfKind ? (offered[0] ?? null) : null);
}

/** A month is marked; a week has rows. */
function gridList(form: PageForm, entries: readonly string[], { lang }: PromptEntry): boolean {
  const rows = form.list('/grid/rows').map(String);
  const isRows = rows.some((row) => entries.some((wanted) => sameText(row, wanted, lang)));
  if (isRows || (form.text('/variant') !== 'month' && rows.length === 0))
    return form.type('/grid/rows', entries);
  return clear(form, '/grid/marks') && entries.every((label) => withMark(form, label));
}

export function withMark(form: PageForm, label: string): boolean {
  const mark = form.add('/grid/marks');
  return mark !== null && form.type(`${mark}/label`, label);
}

function clear(form: PageForm, list: string): boolean {
  for (let left = form.list(list).length; left > 0; left--) if (!form.remove(list, left - 1)) return false;
  return true;
}

function sectionOf(form: PageForm, entries: readonly string[], entry: PromptEntry): boolean {
  const section = listedIn(form, entries, entry) ?? newSection(form, entry);
  if (section === null) return false;
  const items = `${section}/items`;
  const isWanted = (index: number) =>
    entries.some((wanted) => sameText(form.text(`${items}/${index}/title`), wanted, entry.lang));
  if (!form.list(items).every((_, index) => isWanted(index)) || form.list(items).length > 0)
    clear(form, items);
  return entries.every((title) => itemTitled(form, section, title));
}

/** The section that has such items, or the only one that there is. */
function listedIn(form: PageForm, entries: readonly string[], { lang }: PromptEntry): string | null {
  const sections = form.list('/sections').map((_, index) => `/sections/${index}`);
  const shares = sections.find((section) =>
    form
      .list(`${section}/items`)
      .some((_, index) =>
        entries.some((wanted) => sameText(form.text(`${section}/items/${index}/title`), wanted, lang)),
      ),
  );
  return shares ?? (sections.length === 1 ? (sections[0] ?? null) : null);
}

/** A section to be filled: it is called after the app, as nobody has said how. */
export function newSection(form: PageForm, { lang }: PromptEntry, type = 'items'): string | null {
  const section = form.add('/sections');
  if (section === null) return null;
  const name = form.text('/name') || lang;
  return form.choose(`${section}/type`, type) && form.type(`${section}/title`, name) ? section : null;
}

function itemTitled(form: PageForm, section: string, title: string): boolean {
  const item = form.add(`${section}/items`);
  return item !== null && form.type(`${item}/title`, title);
}

/** The entries that an app begins with, each called by its first field. */
function seeded(form: PageForm, entries: readonly string[]): boolean {
  const key = form.text('/entity/fields/0/key');
  return (
    clear(form, '/seed') &&
    entries.every((text) => {
      const row = form.add('/seed');
      return row !== null && form.type(`${row}/${key}`, text);
    })
  );
}

/** Types under which the page offers what an expectation calls a number. */
const listOf = (form: PageForm) =>
  form.offers('/entity/fields+')
    ? '/entity/fields'
    : form.offers('/formula/inputs+')
      ? '/formula/inputs'
      : null;

/**
 * Adds a field, or mends the one with a label. The field that the page begins with, where there was none, is used first.
 * @returns false where the form has no place for fields, or none for its type
 */
export function placeField(form: PageForm, wanted: ExpectedField, label: string | null): boolean {
  const list = listOf(form);
  if (list === null) return false;
  const at = label === null ? blankIn(form, list) : placeOf(form, label);
  if (at === null) return false;
  if (label === null && !form.type(`${at}/label`, wanted.label[0] ?? '')) return false;
  if (at.startsWith('/formula/')) return wanted.type.includes('number') && keyed(form, at);
  return typed(form, at, wanted) && (!wanted.required || form.tick(`${at}/required`, true));
}

/** Gives an input a key like its label, and the results the key in place of the old one. */
function keyed(form: PageForm, at: string): boolean {
  const old = form.text(`${at}/key`);
  const key = arithmeticKey(form, at);
  for (const [index] of form.list('/formula/results').entries()) {
    const place = `/formula/results/${index}/expression`;
    if (form.text(place) === old) form.type(place, key);
  }
  return form.type(`${at}/key`, key);
}

function typed(form: PageForm, at: string, { type, options }: ExpectedField): boolean {
  const now = form.text(`${at}/type`);
  const next = type.includes(now) ? now : (type.find((one) => one !== 'select' || options) ?? type[0] ?? now);
  if (next !== now && !form.choose(`${at}/type`, next)) return false;
  return next !== 'select' || !options || form.type(`${at}/options`, options);
}

/** The place of an item that is called so. */
const placeOf = (form: PageForm, label: string): string | null =>
  ['/entity/fields', '/formula/inputs'].flatMap((list) => {
    const at = form.list(list).findIndex((_, index) => form.text(`${list}/${index}/label`) === label);
    return at < 0 ? [] : [`${list}/${at}`];
  })[0] ?? null;

/** A field to fill in: that which the form began with by itself, or a new one. */
function blankIn(form: PageForm, list: string): string | null {
  const begun = form.began(list);
  return begun ?? form.add(list);
}
