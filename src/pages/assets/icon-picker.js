import { valueAt } from './json-pointer.js';
import { idOf } from './plan-controls.js';
import { labelOf } from './plan-labels.js';
import { element, treesOf } from './tree.js';
import { counted } from './words.js';

/**
 * A picture that an app can have.
 * @typedef {object} IconChoice
 * @property {string} name
 * @property {readonly (readonly [tag: string, attributes: Readonly<Record<string, string>>])[]} drawing its shapes, on a grid of 24 by 24
 * @property {string} words by which people look for it
 *
 * What the picker shows. The pictures are loaded when it is opened first, as few people open it.
 * @typedef {object} IconsShown
 * @property {readonly IconChoice[] | null} choices null until they are loaded
 * @property {string} search
 * @property {string} problem why they could not be loaded
 *
 * @typedef {import('./tree.js').Tree} Tree
 */

/** The name of the part of the form that unfolds the pictures. */
export const iconFold = 'icon-picker';

const pointer = '/icon';

/**
 * The picture of the app, chosen from all that there are. Radio buttons, so that arrow keys go through them.
 * @param {import('./plan-controls.js').FormState} form
 * @returns {Tree}
 */
export function iconControl(form) {
  const { icons = { choices: null, search: '', problem: '' }, draft } = form;
  const id = idOf(form, pointer);
  const chosen = String(valueAt(draft, pointer) ?? '');
  const wrong = form.problems.get(pointer) ?? '';
  const now = icons.choices?.find(({ name }) => name === chosen);
  return element(
    'div',
    { class: 'field icon-field' },
    element(
      'details',
      { class: 'icon-picker', 'data-fold': iconFold },
      element(
        'summary',
        { id, 'aria-describedby': wrong === '' ? null : `${id}-problem` },
        element('span', { class: 'icon-label' }, `${labelOf(pointer).name}: `),
        now ? picture(now) : '',
        chosen === '' ? 'that of the kind' : chosen,
      ),
      ...(icons.choices === null ? waiting(icons) : choice(form, icons.choices, icons.search, chosen)),
    ),
    wrong !== '' && element('p', { class: 'field-problem', id: `${id}-problem` }, wrong),
  );
}

/** @param {IconsShown} icons */
function waiting({ problem }) {
  return [element('p', { class: 'field-hint', role: 'status' }, problem === '' ? 'Loading …' : problem)];
}

/**
 * @param {import('./plan-controls.js').FormState} form
 * @param {readonly IconChoice[]} choices
 * @param {string} search
 * @param {string} chosen
 */
function choice(form, choices, search, chosen) {
  const id = idOf(form, pointer);
  const found = matching(choices, search);
  const radio = (/** @type {string} */ value) =>
    element('input', { type: 'radio', name: id, value, 'data-path': pointer, 'data-sort': 'text' });
  return treesOf([
    element('label', { class: 'hidden', for: `${id}-search` }, 'Search pictures'),
    element('input', {
      id: `${id}-search`,
      type: 'search',
      'data-icon-search': '',
      placeholder: 'Search, such as dog',
      autocomplete: 'off',
      'aria-controls': `${id}-choices`,
    }),
    element('p', { class: 'field-hint', role: 'status' }, counted(found.length, 'picture')),
    element(
      'div',
      { class: 'icon-choices', id: `${id}-choices`, role: 'radiogroup', 'aria-label': 'Pictures' },
      element(
        'label',
        { class: 'icon-choice icon-none', 'data-chosen': chosen === '' },
        radio(''),
        'That of the kind',
      ),
      ...found.map((icon) =>
        element(
          'label',
          { class: 'icon-choice', title: icon.name, 'data-chosen': icon.name === chosen },
          radio(icon.name),
          picture(icon),
          element('span', { class: 'hidden' }, icon.name.replaceAll('-', ' ')),
        ),
      ),
    ),
  ]);
}

/** @param {IconChoice} icon */
function picture({ drawing }) {
  const shapes = drawing.map(([tag, attributes]) => element(tag, attributes));
  return element('svg', { viewBox: '0 0 24 24', class: 'icon', 'aria-hidden': 'true' }, ...shapes);
}

/**
 * The pictures that have each word that is looked for among their own, or the beginning of one.
 * @param {readonly IconChoice[]} choices
 * @param {string} search
 */
export function matching(choices, search) {
  const wanted = wordsIn(search);
  if (wanted.length === 0) return choices;
  return choices.filter(({ name, words }) => {
    const own = wordsIn(`${name} ${words}`);
    return wanted.every((word) => own.some((one) => one.startsWith(word)));
  });
}

/** @param {string} text */
const wordsIn = (text) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

/**
 * Loads all pictures, which stand beside this file.
 * @returns {Promise<readonly IconChoice[]>}
 */
export async function loadIcons() {
  const response = await fetch(new URL('./icons.json', import.meta.url));
  if (!response.ok) throw new Error(String(response.status));
  return response.json();
}
