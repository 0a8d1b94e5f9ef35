import { element } from './tree.js';

/** @typedef {import('./tree.js').Tree} Tree */

/**
 * JSON as people read it: objects as lists of terms, lists of objects as tables, the rest as text.
 * @param {unknown} value
 * @returns {Tree}
 */
export function valueTree(value) {
  if (typeof value === 'string') return element('p', { class: 'said' }, value === '' ? '–' : value);
  if (typeof value === 'boolean') return element('p', {}, value ? 'yes' : 'no');
  if (Array.isArray(value)) return listTree(value);
  if (isObject(value)) {
    return element(
      'dl',
      { class: 'values' },
      ...Object.entries(value).map(([name, one]) =>
        element('div', {}, element('dt', {}, spaced(name)), element('dd', {}, valueTree(one))),
      ),
    );
  }
  return element('p', {}, value === null ? '–' : String(value));
}

/** @param {readonly unknown[]} list */
function listTree(list) {
  if (list.length === 0) return element('p', { class: 'muted' }, 'none');
  if (list.every(isObject)) return tableTree(list);
  if (!list.every((one) => typeof one !== 'object')) {
    return element('ul', { class: 'list' }, ...list.map((one) => element('li', {}, valueTree(one))));
  }
  return element(
    'ul',
    { class: 'chips' },
    ...list.map((one) => element('li', { class: 'chip' }, String(one))),
  );
}

/** @param {readonly Readonly<Record<string, unknown>>[]} rows */
function tableTree(rows) {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return element(
    'div',
    { class: 'table', tabindex: '0', role: 'group', 'aria-label': 'Table' },
    element(
      'table',
      {},
      element(
        'thead',
        {},
        element('tr', {}, ...names.map((name) => element('th', { scope: 'col' }, spaced(name)))),
      ),
      element(
        'tbody',
        {},
        ...rows.map((row) =>
          element('tr', {}, ...names.map((name) => element('td', {}, cellTree(row[name])))),
        ),
      ),
    ),
  );
}

/**
 * @param {unknown} value
 * @returns {Tree}
 */
function cellTree(value) {
  if (value === undefined) return '';
  return typeof value === 'object' && value !== null
    ? valueTree(value)
    : typeof value === 'boolean'
      ? value
        ? 'yes'
        : 'no'
      : String(value ?? '–');
}

/**
 * @param {unknown} value
 * @returns {value is Readonly<Record<string, unknown>>}
 */
function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @param {string} name */
function spaced(name) {
  return name.replaceAll('_', ' ');
}
