import type { ExpectedField } from '../prompt-set.ts';
import { arithmeticKey } from './arithmetic-key.ts';
import type { PageForm } from './page-form.ts';

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
