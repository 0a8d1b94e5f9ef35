import { isObject, listAt, valueAt } from './json-pointer.ts';
import type { Draft } from './plan-edits.ts';
import { labelOf, spaced, valueName } from './plan-labels.ts';
import { type NamedValue, type PlanForms, type SchemaNode, schemaAt } from './plan-schema.ts';
import { element, type Part, type Tree, treesOf } from './tree.ts';

/** A picture that an app can have. */
export interface IconChoice {
  readonly name: string;
  /** Its shapes, on a grid of 24 by 24. */
  readonly drawing: readonly (readonly [tag: string, attributes: Readonly<Record<string, string>>])[];
  /** By which people look for it. */
  readonly words: string;
}

/** What the picker of pictures shows. They are loaded when it is opened first, as few people open it. */
export interface IconsShown {
  /** Null until they are loaded. */
  readonly choices: readonly IconChoice[] | null;
  readonly search: string;
  /** Why they could not be loaded. */
  readonly problem: string;
}

/** What a form is drawn from. */
export interface FormState {
  readonly forms: PlanForms;
  readonly draft: Draft;
  /** What is wrong, by the place of the control that shows it. */
  readonly problems: ReadonlyMap<string, string>;
  /** Of the ids of its controls. */
  readonly prefix: string;
  readonly icons?: IconsShown;
}

/** Texts that may be longer than this get a box of several lines. */
const longText = 160;

export function idOf({ prefix }: Pick<FormState, 'prefix'>, pointer: string) {
  return `${prefix}${pointer.replaceAll('/', '-')}`;
}

/**
 * A label with its control, chosen by the schema. The caller fills in the values.
 * @param own what the schema does not know
 */
export function control(
  form: FormState,
  pointer: string,
  own: {
    name?: string;
    hint?: string;
    byDefault?: string;
    placeholder?: string;
    options?: readonly (readonly [value: string, text: string])[];
  } = {},
): Tree {
  const node = schemaAt(form.forms.schema, pointer);
  const label = labelOf(pointer);
  const { name = label.name, hint = label.hint ?? '' } = own;
  const options = own.options ?? node.options.map((value) => [value, valueName(value)] as const);
  const id = idOf(form, pointer);
  const problem = form.problems.get(pointer) ?? '';
  const shared = {
    id,
    'data-path': pointer,
    'data-default': own.byDefault ?? null,
    placeholder: (options.length === 0 && own.placeholder) || null,
    'aria-invalid': problem === '' ? null : 'true',
    'aria-describedby':
      [hint !== '' && `${id}-hint`, problem !== '' && `${id}-problem`].filter(Boolean).join(' ') || null,
  };
  const notes = treesOf([
    hint !== '' && element('p', { class: 'field-hint', id: `${id}-hint` }, hint),
    problem !== '' && element('p', { class: 'field-problem', id: `${id}-problem` }, problem),
  ]);
  if (node.type === 'boolean') {
    const box = element('input', { ...shared, type: 'checkbox', 'data-sort': 'boolean' });
    return element('div', { class: 'field tick' }, element('label', { for: id }, box, ` ${name}`), ...notes);
  }
  return element(
    'div',
    { class: 'field' },
    element('label', { for: id }, name),
    options.length > 0 ? select(shared, options) : box(shared, node),
    ...notes,
  );
}

function select(
  shared: Readonly<Record<string, string | null>>,
  options: readonly (readonly [value: string, text: string])[],
) {
  const choices = options.map(([value, text]) => element('option', { value }, text));
  return element('select', { ...shared, 'data-sort': 'text' }, ...choices);
}

function box(shared: Readonly<Record<string, string | null>>, { type, maxLength, maxItems }: SchemaNode) {
  if (type === 'array') {
    const rows = String(Math.min(maxItems, 4));
    return element('textarea', { ...shared, 'data-sort': 'lines', rows, spellcheck: 'true' });
  }
  if (type === 'number' || type === 'integer') {
    return element('input', {
      ...shared,
      'data-sort': 'number',
      type: 'text',
      inputmode: 'decimal',
      autocomplete: 'off',
    });
  }
  const bounded = { ...shared, 'data-sort': 'text', maxlength: maxLength > 0 ? String(maxLength) : null };
  if (maxLength > longText) return element('textarea', { ...bounded, rows: '2', spellcheck: 'true' });
  return element('input', { ...bounded, type: 'text', autocomplete: 'off' });
}

const colours: readonly (readonly [colour: string, name: string])[] = [
  ['#0f8a8a', 'Teal'],
  ['#1f8a5b', 'Green'],
  ['#2563eb', 'Blue'],
  ['#1e3a6e', 'Navy'],
  ['#7c3aed', 'Purple'],
  ['#d6368b', 'Pink'],
  ['#c8372d', 'Red'],
  ['#d9631e', 'Orange'],
  ['#f2b705', 'Yellow'],
  ['#4b5563', 'Grey'],
];

/** The colour: one of a few, or any. */
export function colourControl(form: FormState): Tree {
  const pointer = '/palette/accent';
  const chosen = valueAt(form.draft, pointer);
  const isOther = typeof chosen === 'string' && !colours.some(([colour]) => colour === chosen);
  const id = idOf(form, pointer);
  const problem = form.problems.get(pointer) ?? '';
  return element(
    'fieldset',
    { class: 'field colours', 'aria-describedby': `${id}-hint` },
    element('legend', {}, labelOf(pointer).name),
    element(
      'div',
      { class: 'swatches' },
      ...colours.map(([colour, name]) =>
        element(
          'button',
          {
            type: 'button',
            class: 'swatch',
            'data-set': pointer,
            'data-value': colour,
            'aria-pressed': String(colour === chosen),
            'aria-label': name,
            title: name,
          },
          dot(colour),
        ),
      ),
      element(
        'label',
        { class: 'any-colour', 'data-chosen': isOther },
        element('span', {}, 'Another'),
        element('input', { id, type: 'color', 'data-path': pointer, 'data-sort': 'text' }),
      ),
    ),
    element('p', { class: 'field-hint', id: `${id}-hint` }, labelOf(pointer).hint ?? ''),
    problem !== '' && element('p', { class: 'field-problem' }, problem),
  );
}

function dot(colour: string) {
  const circle = element('circle', { cx: '5', cy: '5', r: '5', fill: colour });
  return element('svg', { viewBox: '0 0 10 10', 'aria-hidden': 'true' }, circle);
}

/** What can be switched on, out of what the kind offers. */
export function ticks(form: FormState, pointer: string, offered: readonly string[]): Tree {
  const chosen = listAt(form.draft, pointer).map(String);
  const all = [...offered, ...chosen.filter((value) => !offered.includes(value))];
  const problem = form.problems.get(pointer) ?? '';
  return element(
    'fieldset',
    { class: 'field', id: idOf(form, pointer), tabindex: '-1' },
    element('legend', { class: 'hidden' }, labelOf(pointer).name),
    element(
      'div',
      { class: 'ticks' },
      ...all.map((value) =>
        element(
          'label',
          { class: 'check' },
          element('input', { type: 'checkbox', 'data-list': pointer, value }),
          ` ${spaced(valueName(value))}`,
        ),
      ),
    ),
    problem !== '' && element('p', { class: 'field-problem' }, problem),
  );
}

/** The members of an object whose names the kind gives: its numbers, its texts. */
export function namedControls(
  form: FormState,
  pointer: '/settings' | '/copy',
  known: readonly NamedValue[],
): readonly Tree[] {
  const there = valueAt(form.draft, pointer);
  const others = Object.keys(isObject(there) ? there : {}).filter(
    (name) => !known.some((one) => one.name === name),
  );
  const all = [...known, ...others.map((name) => ({ name, description: '', value: '', options: [] }))];
  return all.map(({ name, description, value, options }) =>
    control(form, `${pointer}/${name}`, {
      name: spaced(name),
      hint: description,
      ...(options.length > 0 && { byDefault: value, options: options.map((one) => [one, spaced(one)]) }),
      placeholder: value,
    }),
  );
}

/** A value of one of the examples, by the type of its field. */
export function exampleControl(form: FormState, pointer: string, field: unknown): Part {
  const label = String(valueAt(field, '/label') || 'Without a name');
  const type = valueAt(field, '/type');
  const id = idOf(form, pointer);
  const problem = form.problems.get(pointer) ?? '';
  const note = problem === '' ? null : `${id}-problem`;
  const shared = { id, 'data-path': pointer, 'aria-describedby': note, 'aria-invalid': note && 'true' };
  const said = problem !== '' && element('p', { class: 'field-problem', id: `${id}-problem` }, problem);
  if (type === 'checkbox') {
    const box = element('input', { ...shared, type: 'checkbox', 'data-sort': 'boolean' });
    return element('div', { class: 'field tick' }, element('label', { for: id }, box, ` ${label}`), said);
  }
  const number = type === 'number' || type === 'currency' || type === 'rating';
  const options = listAt(field, '/options').map((option) => [String(option), String(option)] as const);
  const input =
    type === 'select'
      ? select(shared, [['', '—'], ...options])
      : element('input', {
          ...shared,
          'data-sort': number ? 'number' : 'text',
          type: 'text',
          inputmode: number ? 'decimal' : null,
          placeholder: type === 'date' ? '@+3 or 2026-03-01' : null,
          maxlength: '300',
          autocomplete: 'off',
        });
  return element('div', { class: 'field' }, element('label', { for: id }, label), input, said);
}
