import { isObject, listAt, valueAt } from './json-pointer.js';
import { labelOf, spaced, valueName } from './plan-labels.js';
import { schemaAt } from './plan-schema.js';
import { element, treesOf } from './tree.js';

/**
 * @typedef {import('./plan-edits.js').Draft} Draft
 * @typedef {import('./plan-schema.js').PlanForms} PlanForms
 * @typedef {import('./tree.js').Tree} Tree
 * @typedef {import('./tree.js').Part} Part
 */

/**
 * What a form is drawn from.
 * @typedef {object} FormState
 * @property {PlanForms} forms
 * @property {Draft} draft
 * @property {ReadonlyMap<string, string>} problems what is wrong, by the place of the control that shows it
 * @property {string} prefix of the ids of its controls
 * @property {import('./icon-picker.js').IconsShown} [icons]
 */

/** Texts that may be longer than this get a box of several lines. */
const longText = 160;

/**
 * @param {Pick<FormState, 'prefix'>} form
 * @param {string} pointer
 */
export function idOf({ prefix }, pointer) {
  return `${prefix}${pointer.replaceAll('/', '-')}`;
}

/**
 * A label with its control, chosen by the schema. The caller fills in the values.
 * @param {FormState} form
 * @param {string} pointer
 * @param {{ name?: string, hint?: string, byDefault?: string, placeholder?: string, options?: readonly (readonly [value: string, text: string])[] }} [own] what the schema does not know
 * @returns {Tree}
 */
export function control(form, pointer, own = {}) {
  const node = schemaAt(form.forms.schema, pointer);
  const label = labelOf(pointer);
  const { name = label.name, hint = label.hint ?? '' } = own;
  const options =
    own.options ?? node.options.map((value) => /** @type {const} */ ([value, valueName(value)]));
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

/**
 * @param {Readonly<Record<string, string | null>>} shared
 * @param {readonly (readonly [value: string, text: string])[]} options
 */
function select(shared, options) {
  const choices = options.map(([value, text]) => element('option', { value }, text));
  return element('select', { ...shared, 'data-sort': 'text' }, ...choices);
}

/**
 * @param {Readonly<Record<string, string | null>>} shared
 * @param {import('./plan-schema.js').SchemaNode} node
 */
function box(shared, { type, maxLength, maxItems }) {
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

/** @type {readonly (readonly [colour: string, name: string])[]} */
const colours = [
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

/**
 * The colour: one of a few, or any.
 * @param {FormState} form
 * @returns {Tree}
 */
export function colourControl(form) {
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

/** @param {string} colour */
function dot(colour) {
  const circle = element('circle', { cx: '5', cy: '5', r: '5', fill: colour });
  return element('svg', { viewBox: '0 0 10 10', 'aria-hidden': 'true' }, circle);
}

/**
 * What can be switched on, out of what the kind offers.
 * @param {FormState} form
 * @param {string} pointer
 * @param {readonly string[]} offered
 * @returns {Tree}
 */
export function ticks(form, pointer, offered) {
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

/**
 * The members of an object whose names the kind gives: its numbers, its texts.
 * @param {FormState} form
 * @param {'/settings' | '/copy'} pointer
 * @param {readonly import('./plan-schema.js').NamedValue[]} known
 * @returns {readonly Tree[]}
 */
export function namedControls(form, pointer, known) {
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

/**
 * A value of one of the examples, by the type of its field.
 * @param {FormState} form
 * @param {string} pointer
 * @param {unknown} field
 * @returns {Part}
 */
export function exampleControl(form, pointer, field) {
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
  const options = listAt(field, '/options').map(
    (option) => /** @type {const} */ ([String(option), String(option)]),
  );
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
