import type { AppSpec } from '../../../../src/factory/spec.ts';
import { namesOf } from '../../../../src/pages/assets/json-pointer.js';
import { type PromptEntry, spellingsOf } from '../prompt-set.ts';
import { sameText } from '../text.ts';
import { FactPlaces } from './fact-places.ts';
import { placeField } from './field-places.ts';
import { hexOf } from './hex.ts';
import { placeList } from './list-places.ts';
import { PageForm } from './page-form.ts';
import { placeTogether } from './thing-places.ts';
import type { Wish } from './wish.ts';

/** A change that somebody asks for, and what they could not ask for with it. */
export interface Asked<T> {
  /** Null where there is nothing that they could say. */
  readonly change: T | null;
  readonly left: readonly Wish[];
}

/** What has to be settled before the form shows the rest. */
const first: readonly Wish['sort'][] = ['kind', 'variant', 'language', 'no field', 'no text'];

/** Fills the form in for everything that is wished, once, and says what would be sent. */
export function askByForm(spec: AppSpec, wishes: readonly Wish[], entry: PromptEntry): Asked<unknown> {
  const form = new PageForm(spec);
  const facts = new FactPlaces(form, entry);
  const place = (of: Wish) => first.indexOf(of.sort);
  const ordered = wishes.toSorted(
    (one, other) => (place(one) === -1 ? 9 : place(one)) - (place(other) === -1 ? 9 : place(other)),
  );
  const left = ordered.filter((wish) => !placed(form, facts, wish, entry));
  const late = facts.place();
  const change = form.patch;
  if (change !== undefined || !wishes.some(({ sort }) => sort === 'served'))
    return { change: change ?? null, left: [...left, ...late] };
  // The page offers to build what comes nearest, under the message that nothing serves it.
  return { change: { kind: spec.kind }, left: [...left, ...late] };
}

/** Whether the form has a control for a wish, which is used then. */
function placed(form: PageForm, facts: FactPlaces, wish: Wish, entry: PromptEntry): boolean {
  switch (wish.sort) {
    case 'kind':
      return wish.kinds.some((kind) => form.choose('/kind', kind)) && withVariant(form, entry);
    case 'variant':
      return wish.variants.some((variant) => form.choose('/variant', variant));
    case 'language':
      return form.choose('/lang', wish.lang);
    case 'mode':
      return form.choose('/palette/mode', wish.mode);
    case 'currency':
      return form.type('/currency', wish.currency);
    case 'accent':
      return wish.hues.some((hue) => form.type('/palette/accent', hexOf(hue)));
    case 'name':
      return form.type('/name', wish.name);
    case 'name part':
      return form.type('/name', nameWith(form.text('/name'), wish.part, entry));
    case 'feature':
      return form.include('/features', wish.feature);
    case 'field':
      return placeField(form, wish.wanted, wish.label);
    case 'no field':
      return withoutField(form, wish.label, entry);
    case 'no total':
      return withoutTotal(form, wish.label, entry);
    case 'fact':
      facts.take(wish.fact);
      return true;
    case 'item':
      return placeTogether(form, wish.facts, entry);
    case 'list':
      return placeList(form, wish.entries, entry);
    case 'no text':
      return withoutText(form, wish.text);
    case 'served':
      return true;
    // The form changes what is there. It answers no question.
    case 'told':
      return false;
  }
}

/** Somebody who chooses the kind sees which ones of it there are. */
const withVariant = (form: PageForm, { expect }: PromptEntry) => {
  for (const variant of expect.variant ?? []) if (form.choose('/variant', variant)) break;
  return true;
};

/** A name of all the parts that it is to have, in the order in which they are wished. */
function nameWith(name: string, part: string, { expect, lang }: PromptEntry): string {
  const parts = expect.name_contains ?? [part];
  const has = (one: string) => ` ${name.toLowerCase()} `.includes(one.toLowerCase());
  const joined = parts.every((one) => one === part || !has(one)) ? part : `${name} ${part}`;
  return joined.replace(/^\p{Ll}/u, (letter) => letter.toLocaleUpperCase(lang));
}

function fieldsCalled(form: PageForm, label: string, { lang }: PromptEntry): readonly string[] {
  return ['/entity/fields', '/formula/inputs'].flatMap((list) =>
    form.list(list).flatMap((_, index) => {
      const at = `${list}/${index}`;
      return sameText(form.text(`${at}/label`), label, lang) ? [at] : [];
    }),
  );
}

function withoutField(form: PageForm, label: string, entry: PromptEntry): boolean {
  return fieldsCalled(form, label, entry)
    .toReversed()
    .every((place) => removed(form, place));
}

const withoutTotal = (form: PageForm, label: string, entry: PromptEntry) =>
  fieldsCalled(form, label, entry).every((place) => form.choose(`${place}/total`, 'none'));

function removed(form: PageForm, place: string): boolean {
  const cut = place.lastIndexOf('/');
  return form.remove(place.slice(0, cut), Number(place.slice(cut + 1)));
}

/** Takes a text out wherever it stands: empties what may be empty, and removes the item of what may not. */
function withoutText(form: PageForm, text: string): boolean {
  const places = form.places.filter(
    (place) => !/[+-]$/.test(place) && form.text(place).includes(text) && namesOf(place).length > 0,
  );
  return places.toReversed().every((place) => {
    if (/\/(?:price|meta|text|unit)$|^\/(?:contact|copy|seed)\//.test(place)) return form.type(place, '');
    const item = /^(.*\/\d+)\/[^/]+$/.exec(place)?.[1];
    if (item !== undefined && removed(form, item)) return true;
    return form.type(place, form.text(place).replaceAll(text, '').trim() || 'App');
  });
}

/** One spelling of what is wished: the first. */
export const spellingOf = (fact: Parameters<typeof spellingsOf>[0]): string => spellingsOf(fact)[0] ?? '';
