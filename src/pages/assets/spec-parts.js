import { element } from './tree.js';

/**
 * @typedef {NonNullable<import('../../../generated/types.gen.ts').FactoryJob['plan']>} Spec
 * @typedef {import('./tree.js').Tree} Tree
 */

/**
 * What was understood of a prompt.
 * @param {Spec | null} spec
 * @returns {readonly Tree[]}
 */
export function specParts(spec) {
  if (spec === null) return [];
  const { kind, variant, tagline, entity, features, sections, assumptions, accent } = spec;
  const rows = [
    row('Kind', [variant === '' ? kind : `${kind}, ${variant}`]),
    entity && row('Keeps', [entity.plural]),
    entity && row('Fields', chips(entity.fields.map(({ label, type }) => [label, type]))),
    entity && features.length > 0 && row('Can do', chips(features.map((feature) => [feature, '']))),
    sections.length > 0 && row('Sections', chips(sections.map((section) => [section, '']))),
    /^#[0-9a-f]{6}$/i.test(accent) && row('Colour', [swatch(accent), ` ${accent}`]),
  ];
  return [
    element('h3', {}, 'What was understood'),
    ...(tagline === '' ? [] : [element('p', { class: 'muted' }, tagline)]),
    element('dl', { class: 'plan' }, ...rows),
    ...(assumptions.length === 0
      ? []
      : [element('ul', { class: 'assumptions' }, ...assumptions.map((text) => element('li', {}, text)))]),
  ];
}

/**
 * @param {string} name
 * @param {readonly Tree[]} value
 */
function row(name, value) {
  return element('div', {}, element('dt', {}, name), element('dd', {}, ...value));
}

/** @param {readonly (readonly [name: string, note: string])[]} entries */
function chips(entries) {
  return entries.map(([name, note]) =>
    element('span', { class: 'chip' }, name, note !== '' && element('small', { class: 'muted' }, ` ${note}`)),
  );
}

/** @param {string} colour */
function swatch(colour) {
  const circle = element('circle', { cx: '5', cy: '5', r: '5', fill: colour });
  return element('svg', { class: 'dot', viewBox: '0 0 10 10', 'aria-hidden': 'true' }, circle);
}
