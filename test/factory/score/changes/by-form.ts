import type { AppSpec } from '../../../../src/factory/spec.ts';
import { namesOf } from '../../../../src/pages/assets/json-pointer.ts';
import type { Wish } from '../checks.ts';
import { type PromptEntry, type Spellings, spellingsOf } from '../prompt-set.ts';
import { hasFactIn } from '../quantities.ts';
import { sameText } from '../text.ts';
import { FactPlaces, factSort, typedAs } from './fact-places.ts';
import { PageForm } from './page-form.ts';
import { newSection, placeField, placeList, withMark } from './places.ts';

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

/** A colour of each name, as somebody picks it. */
const hexes: Readonly<Record<string, string>> = {
  red: '#c62828',
  orange: '#d9721e',
  yellow: '#d9b51e',
  green: '#2f7d4f',
  teal: '#0f8a8a',
  blue: '#1f6fd9',
  purple: '#7c3aa0',
  pink: '#d6368b',
  brown: '#7a4a21',
  grey: '#6b7075',
  black: '#111111',
};

/** Throws a `RangeError` for a name that no colour has. */
export function hexOf(hue: string): string {
  const hex = hexes[hue];
  if (hex === undefined) throw new RangeError(`there is no colour ${hue}`);
  return hex;
}

/**
 * Puts facts that belong together into one thing of the app: the one that has the first of them, else a new one.
 * @returns false where the form has no place for such things
 */
export function placeTogether(form: PageForm, group: readonly Spellings[], entry: PromptEntry): boolean {
  const facts = group.map((fact) => typedAs(fact, entry.prompt));
  if (form.offers('/questions+')) return question(form, facts, entry);
  if (form.offers('/formula/inputs+')) return input(form, facts, entry);
  if (form.offers('/seed+')) return example(form, facts, entry);
  if (form.offers('/sections+')) return item(form, facts, entry);
  const together = facts.join(' ');
  if (form.offers('/grid/rows')) {
    if (form.text('/variant') === 'month') return withMark(form, together);
    return form.type('/grid/rows', [...others(form, '/grid/rows', facts, entry), together]);
  }
  return (
    form.offers('/choices') && form.type('/choices', [...others(form, '/choices', facts, entry), together])
  );
}

/** The lines of a box without the one that says the first of the facts already. */
const others = (form: PageForm, path: string, [first = '']: readonly string[], { lang }: PromptEntry) =>
  form
    .list(path)
    .map(String)
    .filter((line) => !hasFactIn({ texts: [line], numbers: [] }, first, lang));

/** The item of a list that has a fact among its own texts, by its place. */
function itemWith(form: PageForm, list: string, fact: string, { lang }: PromptEntry): string | null {
  const index = form.list(list).findIndex((one) => {
    const texts = Object.values(one as object).filter((value) => typeof value === 'string');
    return hasFactIn({ texts, numbers: [] }, fact, lang);
  });
  return index < 0 ? null : `${list}/${index}`;
}

function question(form: PageForm, facts: readonly string[], entry: PromptEntry): boolean {
  const [prompt = '', answer = '', ...wrong] = facts;
  const at = itemWith(form, '/questions', prompt, entry) ?? form.add('/questions');
  if (at === null) return false;
  if (form.text(`${at}/prompt`) === '' && !form.type(`${at}/prompt`, prompt)) return false;
  return form.type(`${at}/answer`, answer) && (wrong.length === 0 || form.type(`${at}/wrong`, wrong));
}

/** An input with what it begins with and what it is counted in. */
function input(form: PageForm, facts: readonly string[], entry: PromptEntry): boolean {
  const label = facts.find((fact) => factSort(fact) === 'text');
  if (label === undefined) return false;
  const known = itemWith(form, '/formula/inputs', label, entry);
  if (known === null && !placeField(form, { label: [label], type: ['number'] }, null)) return false;
  const at = known ?? `/formula/inputs/${form.list('/formula/inputs').length - 1}`;
  const rest = facts.filter((fact) => fact !== label);
  return rest.every((fact) =>
    factSort(fact) === 'number'
      ? form.type(`${at}/value`, fact.replace(',', '.'))
      : form.type(`${at}/unit`, fact),
  );
}

/** An entry, its facts in the fields that can hold them. */
function example(form: PageForm, facts: readonly string[], entry: PromptEntry): boolean {
  const row = itemWith(form, '/seed', facts[0] ?? '', entry) ?? form.add('/seed');
  if (row === null) return false;
  const free = form
    .list('/entity/fields')
    .map((field) => field as { key: string; type: string; options?: string[] });
  return facts.every((fact) => {
    if (
      hasFactIn(
        { texts: Object.values(form.value(row) as object).map(String), numbers: [] },
        fact,
        entry.lang,
      )
    )
      return true;
    const sort = factSort(fact);
    const at = free.findIndex(({ type, options = [] }) => holds(type, options, sort, fact));
    const [field] = at < 0 ? [] : free.splice(at, 1);
    if (!field) return false;
    const place = `${row}/${field.key}`;
    return field.type === 'select'
      ? form.choose(place, optionFor(field.options ?? [], fact))
      : form.type(place, fact);
  });
}

const optionFor = (options: readonly string[], fact: string) =>
  options.find((option) => option.toLowerCase() === fact.toLowerCase()) ?? fact;

function holds(type: string, options: readonly string[], sort: string, fact: string): boolean {
  if (type === 'select') return options.some((option) => option.toLowerCase() === fact.toLowerCase());
  if (type === 'number' || type === 'currency' || type === 'rating') return sort === 'number';
  if (type === 'date' || type === 'time') return sort === type;
  return ['text', 'longtext', 'email', 'phone', 'url'].includes(type) && sort !== 'date' && sort !== 'time';
}

/** An item of a section: its first words are its title, a time or a number stands beside it. */
function item(form: PageForm, facts: readonly string[], entry: PromptEntry): boolean {
  const title = facts.find((fact) => factSort(fact) === 'text') ?? facts[0] ?? '';
  const sections = form.list('/sections').map((_, index) => `/sections/${index}`);
  const sorts = facts.map(factSort);
  const type = sorts.includes('time') ? 'schedule' : sorts.includes('number') ? 'prices' : 'items';
  const known = sections.flatMap((section) => itemWith(form, `${section}/items`, title, entry) ?? [])[0];
  const home =
    sections.find((section) => form.text(`${section}/type`) === type) ?? newSection(form, entry, type);
  const at = known ?? (home === null ? null : form.add(`${home}/items`));
  if (at === null || (known === undefined && !form.type(`${at}/title`, title))) return false;
  return facts.every((fact) => fact === title || beside(form, at, fact));
}

function beside(form: PageForm, at: string, fact: string): boolean {
  const sort = factSort(fact);
  const places =
    sort === 'number' ? ['price', 'meta', 'text'] : sort === 'text' ? ['text'] : ['meta', 'text'];
  return places.some((place) => {
    const path = `${at}/${place}`;
    if (sort === 'text') return form.type(path, [form.text(path), fact].filter(Boolean).join(' · '));
    return (form.text(path) === '' || sort === 'number') && form.type(path, fact);
  });
}
