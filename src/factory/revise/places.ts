import { isDeepStrictEqual } from 'node:util';
import { valueAt } from '../../lib/json-patch.ts';
import type { AppSpec, Entity, Field, Section, SectionItem, SeedRow } from '../spec.ts';
import { folded } from './pattern.ts';
import { bare, isOne, isPointed, type Pointed, unquoted, type Words } from './words.ts';

/** A list with the element at `index` changed. */
export const withAt = <T>(list: readonly T[], index: number, element: T): T[] =>
  list.map((old, at) => (at === index ? element : old));

/** A list without the element at `index`. */
export const withoutAt = <T>(list: readonly T[], index: number): T[] => list.filter((_, at) => at !== index);

/** Something in a spec that has a name of its own. */
export type Place =
  | { readonly what: 'field'; readonly field: Field; readonly index: number }
  | { readonly what: 'option'; readonly field: Field; readonly option: string }
  | { readonly what: 'section'; readonly section: Section; readonly index: number }
  | { readonly what: 'item'; readonly item: SectionItem; readonly section: number; readonly index: number }
  | { readonly what: 'question'; readonly index: number }
  | { readonly what: 'choice'; readonly index: number }
  | { readonly what: 'mark'; readonly index: number }
  | { readonly what: 'row'; readonly index: number }
  | { readonly what: 'input'; readonly index: number }
  | { readonly what: 'result'; readonly index: number };

/** How well a name fits what somebody calls a thing: 4 is the same, 2 is a part of it, 0 is nothing alike. */
function likeness(name: string, called: string): number {
  const [a, b] = [plain(name), plain(called)];
  if (a === '' || b === '') return 0;
  if (a === b) return 4;
  if (singular(a) === singular(b)) return 3;
  return b.length >= 3 && (a.startsWith(`${b} `) || a.endsWith(` ${b}`)) ? 2 : 0;
}
const plain = (text: string) =>
  folded(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
const singular = (text: string) => text.replace(/(?:es|s|n|en|e)$/u, '');

/**
 * What in a spec is called so: the best fit, fields before options before sections before items. Null where nothing is,
 * or where a part of a name fits two.
 */
export function placeOf(spec: AppSpec, words: Words, said: string, only?: Place['what']): Place | null {
  const pointed = isPointed(words, said) ? words.pointed : undefined;
  const there = pointed && placeAt(spec, pointed.at);
  // What a command before this one has moved goes by its name.
  if (there && titleOf(spec, there) === pointed.text) return only && there.what !== only ? null : there;
  const called = pointed?.text ?? said;
  const name = unquoted(bare(words, withoutKind(words, called)));
  let best: Place | null = null;
  let most = 0;
  let several = false;
  const offer = (title: string, place: Place) => {
    if (only && place.what !== only) return;
    const fit = Math.max(likeness(title, name), likeness(title, called));
    if (fit > most && (fit > 2 || !words.strict)) [best, most, several] = [place, fit, false];
    else if (fit === 2 && most === 2) several = true;
  };
  for (const [index, field] of (spec.entity?.fields ?? []).entries())
    offer(field.label, { what: 'field', field, index });
  for (const field of spec.entity?.fields ?? [])
    for (const option of field.options ?? []) offer(option, { what: 'option', field, option });
  for (const [index, section] of spec.sections.entries())
    offer(section.title, { what: 'section', section, index });
  for (const [number, section] of spec.sections.entries())
    for (const [index, item] of section.items.entries())
      offer(item.title, { what: 'item', item, section: number, index });
  for (const [index, { prompt }] of spec.questions.entries()) offer(prompt, { what: 'question', index });
  for (const [index, choice] of spec.choices.entries()) offer(choice, { what: 'choice', index });
  for (const [index, { label }] of (spec.grid?.marks ?? []).entries()) offer(label, { what: 'mark', index });
  for (const [index, row] of (spec.grid?.rows ?? []).entries()) offer(row, { what: 'row', index });
  for (const [index, { label }] of (spec.formula?.inputs ?? []).entries())
    offer(label, { what: 'input', index });
  for (const [index, { label }] of (spec.formula?.results ?? []).entries())
    offer(label, { what: 'result', index });
  return several ? null : best;
}

/** An instruction without the place in front of it, which is empty where there is none, and the text that is there. */
export function aboutOf(
  spec: AppSpec,
  text: string,
): { readonly at: string; readonly words: string; readonly pointed?: Pointed } {
  const [, at = '', words = text] = /^at (\/\S{0,299}): *(.*)$/is.exec(text) ?? [];
  const there = at === '' ? undefined : valueAt(spec, at);
  return { at, words, ...(typeof there === 'string' && { pointed: { at, text: there } }) };
}

/** The words for the commands that follow: what was pointed at has another name since, where a list has changed there alone. */
export function stillPointed(words: Words, before: AppSpec, after: AppSpec): Words {
  const { at = '', text } = words.pointed ?? {};
  const now = valueAt(after, at);
  const [, list = '', index] = /^(.+)\/(\d+)(?:\/[^/]+)?$/.exec(at) ?? [];
  const [was, is] = [valueAt(before, list), valueAt(after, list)];
  if (typeof now !== 'string' || now === text || !Array.isArray(was) || !Array.isArray(is)) return words;
  const others = (items: readonly unknown[]) => items.map((item, n) => (n === Number(index) ? null : item));
  return isDeepStrictEqual(others(was), others(is)) ? { ...words, pointed: { at, text: now } } : words;
}

/** What has its name at a JSON Pointer (RFC 6901); null where nothing has. */
export function placeAt(spec: AppSpec, pointer: string): Place | null {
  const [index = 0, second = 0] = pointer.match(/\d+/g)?.map(Number) ?? [];
  const field = spec.entity?.fields[index];
  const section = spec.sections[index];
  switch (pointer.replaceAll(/\/\d+/g, '/*')) {
    case '/entity/fields/*/label':
      return field ? { what: 'field', field, index } : null;
    case '/entity/fields/*/options/*': {
      const option = field?.options?.[second];
      return field && option !== undefined ? { what: 'option', field, option } : null;
    }
    case '/sections/*/title':
      return section ? { what: 'section', section, index } : null;
    case '/sections/*/items/*/title': {
      const item = section?.items[second];
      return item ? { what: 'item', item, section: index, index: second } : null;
    }
    case '/questions/*/prompt':
      return { what: 'question', index };
    case '/choices/*':
      return { what: 'choice', index };
    case '/grid/marks/*/label':
      return { what: 'mark', index };
    case '/grid/rows/*':
      return { what: 'row', index };
    case '/formula/inputs/*/label':
      return { what: 'input', index };
    case '/formula/results/*/label':
      return { what: 'result', index };
    default:
      return null;
  }
}

/** “the field Author” and “the author column” are the author. */
function withoutKind(words: Words, called: string): string {
  const parts = bare(words, called).split(/\s+/u);
  if (parts.length < 2) return called;
  const isKind = (part = '') => isOne(words.file.words['thing'], part);
  if (isKind(parts[0])) return parts.slice(1).join(' ');
  return isKind(parts.at(-1)) ? parts.slice(0, -1).join(' ') : called;
}

/** What a place is called in the spec. */
export function titleOf(spec: AppSpec, place: Place): string {
  switch (place.what) {
    case 'field':
      return place.field.label;
    case 'option':
      return place.option;
    case 'section':
      return place.section.title;
    case 'item':
      return place.item.title;
    case 'question':
      return spec.questions[place.index]?.prompt ?? '';
    case 'choice':
      return spec.choices[place.index] ?? '';
    case 'mark':
      return spec.grid?.marks[place.index]?.label ?? '';
    case 'row':
      return spec.grid?.rows[place.index] ?? '';
    case 'input':
      return spec.formula?.inputs[place.index]?.label ?? '';
    case 'result':
      return spec.formula?.results[place.index]?.label ?? '';
  }
}

/** A list whose element at `from` is moved; `to` is its index afterwards. */
export function movedTo<T>(list: readonly T[], from: number, to: number): T[] {
  const rest = withoutAt(list, from);
  const moved = list.slice(from, from + 1);
  return [...rest.slice(0, to), ...moved, ...rest.slice(to)];
}

/** A spec with another entity: its entries fit the new fields, and it has no feature left that nothing is there for. */
export function withEntity(spec: AppSpec, entity: Entity): AppSpec {
  const seed = spec.seed
    .map((row) => fitting(row, entity.fields))
    .filter((row) => Object.keys(row).length > 0);
  const types = new Set(entity.fields.map(({ type }) => type));
  const counted = types.has('number') || types.has('currency');
  const features = spec.features.filter(
    (feature) => !(feature === 'due' && !types.has('date')) && !(feature === 'totals' && !counted),
  );
  return { ...spec, entity, seed, features };
}

function fitting(row: SeedRow, fields: readonly Field[]): SeedRow {
  const kept: Record<string, string | number | boolean> = {};
  for (const field of fields) {
    const value = row[field.key];
    const fit = value === undefined ? null : valueFor(field, value);
    if (fit !== null) kept[field.key] = fit;
  }
  return kept;
}

/** A value as a field holds it, or null where it cannot hold it. */
export function valueFor(field: Field, value: string | number | boolean): string | number | boolean | null {
  switch (field.type) {
    case 'number':
    case 'currency':
    case 'rating': {
      const number = typeof value === 'string' ? Number(value.replace(',', '.')) : Number(value);
      return typeof value !== 'boolean' && value !== '' && Number.isFinite(number) ? number : null;
    }
    case 'checkbox':
      return typeof value === 'boolean' ? value : null;
    case 'date':
      return typeof value === 'string' && /^(?:@[+-]?\d+|\d{4}-\d{2}-\d{2})$/.test(value) ? value : null;
    case 'time':
      return typeof value === 'string' && /^\d{1,2}:\d{2}$/.test(value) ? value : null;
    case 'select':
      return field.options?.find((option) => option === String(value)) ?? null;
    default:
      return typeof value === 'boolean' ? null : String(value).slice(0, 300);
  }
}
