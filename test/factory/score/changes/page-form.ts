import type { AppSpec } from '../../../../src/factory/spec.ts';
import { planForms } from '../../../../src/pages/asset-files.ts';
import { listAt, patchBetween, valueAt, withValueAt } from '../../../../src/pages/assets/json-pointer.ts';
import {
  type Draft,
  planToSend,
  typedValue,
  withItem,
  withKind,
  withoutItem,
  withType,
  withVariant,
} from '../../../../src/pages/assets/plan-edits.ts';
import { planFormParts } from '../../../../src/pages/assets/plan-form-parts.ts';
import { type Element, elementsIn } from '../../../helpers/elements.ts';

const forms = planForms();

/**
 * The form under “Change it”, as the page draws it and with what the page does at each input. Whoever holds it can use
 * its controls and nothing else: each method says false where there is no such control.
 */
export class PageForm {
  readonly #base: Draft;
  #draft: Draft;
  #controls: ReadonlyMap<string, Element> | null = null;
  /** Lists that the page began by itself, with one item that nobody has looked at yet. */
  readonly #begun = new Set<string>();

  constructor(spec: AppSpec) {
    this.#base = { ...spec };
    this.#draft = this.#base;
  }

  /** What the button “Build the changes” sends; undefined where nothing was changed. */
  get patch(): unknown {
    return patchBetween(planToSend(this.#base, forms), planToSend(this.#draft, forms));
  }

  value(path: string): unknown {
    return valueAt(this.#draft, path);
  }

  text(path: string): string {
    const value = this.value(path);
    return typeof value === 'string' ? value : '';
  }

  list(path: string): readonly unknown[] {
    return listAt(this.#draft, path);
  }

  /** The places that have a control or, for lists, a button for one more, as `path` and `path+`. */
  get places(): readonly string[] {
    return [...this.#shown().keys()];
  }

  offers(path: string): boolean {
    return this.#shown().has(path);
  }

  /** The values that can be chosen at a place. */
  options(path: string): readonly string[] {
    const options = this.#shown().get(path)?.children ?? [];
    return options.flatMap((option) =>
      typeof option === 'string' ? [] : (option.attributes['value'] ?? []),
    );
  }

  /** What stands beside a control to explain it. */
  label(path: string): string {
    return `${path.slice(path.lastIndexOf('/') + 1)} ${this.#hint(path)}`;
  }

  type(path: string, typed: string | readonly string[]): boolean {
    const { attributes } = this.#shown().get(path) ?? {};
    if (!attributes) return false;
    const text = typeof typed === 'string' ? typed : typed.join('\n');
    const longest = Number(attributes['maxlength'] ?? Number.POSITIVE_INFINITY);
    if (text.length > longest) return false;
    const sort = attributes['data-sort'];
    const how = sort === 'number' || sort === 'lines' ? sort : 'text';
    const needed = !/\/(?:text|price|meta|unit|value|min|max)$|^\/(?:settings|copy|contact)\//.test(path);
    return this.#set(path, typedValue(text, how, needed));
  }

  tick(path: string, on: boolean): boolean {
    return this.offers(path) && this.#set(path, on);
  }

  /** Ticks a box of several, such as one of the features. */
  include(list: string, value: string): boolean {
    if (!this.offers(`${list}=${value}`)) return false;
    return this.#set(list, [...this.list(list).filter((one) => one !== value), value]);
  }

  choose(path: string, value: string): boolean {
    if (!this.options(path).includes(value)) return false;
    if (path === '/kind') return this.#become(withKind(this.#draft, value, forms));
    if (path === '/variant') return this.#become(withVariant(this.#draft, value, forms));
    if (path.endsWith('/type') && path.startsWith('/entity/'))
      return this.#become(withType(this.#draft, path.replace(/\/type$/, ''), value));
    return this.#set(path, value);
  }

  /** Adds an item at the end of a list. @returns its place, or null where there is no button for it */
  add(list: string): string | null {
    if (!this.offers(`${list}+`)) return null;
    this.#become(withItem(this.#draft, list, forms));
    return `${list}/${this.list(list).length - 1}`;
  }

  remove(list: string, index: number): boolean {
    return this.offers(`${list}/${index}-`) && this.#become(withoutItem(this.#draft, list, index));
  }

  /** The item that the page began a list with, once: nobody leaves it as it is and adds another. */
  began(list: string): string | null {
    const own = list.slice(0, list.lastIndexOf('/'));
    const isNew = valueAt(this.#base, own) === null && this.list(list).length > 0 && !this.#begun.has(list);
    this.#begun.add(list);
    return isNew ? `${list}/0` : null;
  }

  #set(path: string, value: unknown): true {
    return this.#become(withValueAt(this.#draft, path, value));
  }

  #become(draft: Draft): true {
    this.#draft = draft;
    this.#controls = null;
    return true;
  }

  #elements(): readonly Element[] {
    return elementsIn(planFormParts({ forms, draft: this.#draft, problems: new Map(), prefix: 'p' }));
  }

  #shown(): ReadonlyMap<string, Element> {
    this.#controls ??= new Map(
      this.#elements().flatMap((control): [string, Element][] => {
        const { attributes } = control;
        const { 'data-path': path, 'data-list': list, 'data-do': act, 'data-at': at = '' } = attributes;
        if (path !== undefined) return [[path, control]];
        if (list !== undefined) return [[`${list}=${attributes['value']}`, control]];
        if (attributes['disabled'] !== undefined) return [];
        if (act === 'add') return [[`${at}+`, control]];
        return act === 'remove' ? [[`${at}-`, control]] : [];
      }),
    );
    return this.#controls;
  }

  #hint(path: string): string {
    const ids = this.#shown().get(path)?.attributes['aria-describedby']?.split(' ') ?? [];
    return this.#elements()
      .filter(({ attributes }) => ids.includes(attributes['id'] ?? ''))
      .flatMap(({ children }) => children.filter((child) => typeof child === 'string'))
      .join(' ');
  }
}

/** A key for the input or result of a formula, made of its label, that nothing else in the formula has. */
export function arithmeticKey(form: PageForm, at: string): string {
  const plain = form
    .text(`${at}/label`)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+|_+$/g, '')
    .slice(0, 18);
  const taken = new Set(
    ['/formula/inputs', '/formula/results'].flatMap((list) =>
      form.list(list).flatMap((_, index) => {
        const place = `${list}/${index}`;
        return place === at ? [] : [form.text(`${place}/key`)];
      }),
    ),
  );
  const base = plain || 'value';
  for (let n = 1; ; n++) {
    const key = n === 1 ? base : `${base}_${n}`;
    if (!taken.has(key)) return key;
  }
}

/** An expression of the first input, as what a formula reckons is not asserted anywhere. */
export const someExpression = (form: PageForm): string => form.text('/formula/inputs/0/key');
