import { valueAt } from './json-pointer.ts';
import { type FormState, type IconChoice, type IconsShown, idOf } from './plan-controls.ts';
import { labelOf } from './plan-labels.ts';
import { element, type Tree, treesOf } from './tree.ts';
import { counted } from './words.ts';

/** The name of the part of the form that unfolds the pictures. */
export const iconFold = 'icon-picker';

const pointer = '/icon';

/** The picture of the app, chosen from all that there are. Radio buttons, so that arrow keys go through them. */
export function iconControl(form: FormState): Tree {
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

function waiting({ problem }: IconsShown) {
  return [element('p', { class: 'field-hint', role: 'status' }, problem === '' ? 'Loading …' : problem)];
}

function choice(form: FormState, choices: readonly IconChoice[], search: string, chosen: string) {
  const id = idOf(form, pointer);
  const found = matching(choices, search);
  const radio = (value: string) =>
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

function picture({ drawing }: IconChoice) {
  const shapes = drawing.map(([tag, attributes]) => element(tag, attributes));
  return element('svg', { viewBox: '0 0 24 24', class: 'icon', 'aria-hidden': 'true' }, ...shapes);
}

/** The pictures that have each word that is looked for among their own, or the beginning of one. */
export function matching(choices: readonly IconChoice[], search: string) {
  const wanted = wordsIn(search);
  if (wanted.length === 0) return choices;
  return choices.filter(({ name, words }) => {
    const own = wordsIn(`${name} ${words}`);
    return wanted.every((word) => own.some((one) => one.startsWith(word)));
  });
}

const wordsIn = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

/** Loads all pictures, which stand beside this file. */
export async function loadIcons(): Promise<readonly IconChoice[]> {
  const response = await fetch(new URL('./icons.json', import.meta.url));
  if (!response.ok) throw new Error(String(response.status));
  return (await response.json()) as IconChoice[];
}
