import { element, treesOf } from './tree.js';

/**
 * @typedef {import('./tree.js').Tree} Tree
 * @typedef {import('./plan-schema.js').PlanKind} PlanKind
 * @typedef {import('../../../generated/types.gen.ts').AppSpec} AppSpec
 */

/** How many are offered at a time. */
const most = 3;

/**
 * The kinds of apps that a prompt may mean, as cards with pictures.
 * @param {readonly string[]} nearest the likeliest first
 * @param {readonly PlanKind[]} kinds
 * @returns {Tree}
 */
export function startingPoints(nearest, kinds) {
  const shown = nearest.slice(0, most).flatMap((id) => kinds.find((kind) => kind.id === id) ?? []);
  return element(
    'div',
    { class: 'cards', role: 'group', 'aria-label': 'Where to begin' },
    ...shown.map(card),
  );
}

/** @param {PlanKind} kind */
function card({ id, name, description, accent, drawing }) {
  return element(
    'button',
    { type: 'button', class: 'card', 'data-near': id },
    picture(accent, drawing),
    element('strong', {}, name),
    element('span', { class: 'muted' }, description),
  );
}

/**
 * A small app of that kind, as a window in its colour.
 * @param {string} accent
 * @param {PlanKind['drawing']} drawing
 */
function picture(accent, drawing) {
  const line = (/** @type {number} */ y, /** @type {number} */ width) =>
    element('rect', {
      x: '66',
      y: String(y),
      width: String(width),
      height: '5',
      rx: '2.5',
      class: 'card-line',
    });
  return element(
    'svg',
    { viewBox: '0 0 144 80', class: 'card-picture', 'aria-hidden': 'true' },
    element('rect', { width: '144', height: '80', class: 'card-page' }),
    element('rect', { width: '144', height: '12', fill: accent }),
    element('rect', {
      x: '12',
      y: '24',
      width: '44',
      height: '44',
      rx: '10',
      fill: accent,
      'fill-opacity': '0.14',
    }),
    element(
      'g',
      { transform: 'translate(20 32) scale(1.17)', class: 'card-icon', stroke: accent },
      ...drawing.map(([tag, attributes]) => element(tag, attributes)),
    ),
    line(28, 62),
    line(42, 48),
    line(56, 56),
  );
}

/**
 * What was understood for certain, whatever the app becomes. Names that the prompt does not have are those of the nearest kind.
 * @param {string} prompt
 * @param {AppSpec} spec
 * @returns {readonly Tree[]}
 */
export function understoodParts(prompt, spec) {
  const { name = '', lang = 'en', entity, sections = [], hours = [], contact = {} } = spec;
  const said = prompt.toLowerCase();
  /** @param {readonly string[]} names */
  const inPrompt = (names) => names.filter((one) => one !== '' && said.includes(one.toLowerCase()));
  const language = new Intl.DisplayNames('en', { type: 'language' }).of(lang) ?? lang;
  const lines = /** @type {const} */ ([
    ['Name', inPrompt([name])],
    ['Language', [language]],
    ['Fields', inPrompt(entity?.fields.map(({ label }) => label) ?? [])],
    ['Parts', inPrompt(sections.flatMap(({ title }) => title ?? []))],
    ['Opening hours', hours.map(({ days, time }) => `${days} ${time}`)],
    ['Contact', Object.values(contact)],
  ]);
  const rows = lines.map(
    ([label, values]) =>
      values.length > 0 &&
      element(
        'div',
        {},
        element('dt', {}, label),
        element('dd', {}, ...values.map((value) => element('span', { class: 'chip' }, String(value)))),
      ),
  );
  return treesOf([
    element('h3', {}, 'What was understood'),
    element('dl', { class: 'plan' }, ...rows),
    element('h3', {}, 'Where to begin'),
  ]);
}
