import { iconPaths } from './icons.js';

const svgSpace = 'http://www.w3.org/2000/svg';

/**
 * Makes an element. Functions become listeners (`onclick`), `true` an empty attribute; `null` and `false` are left
 * out. Children are elements or plain text, so nothing that a person typed is ever read as markup.
 */
export function h(tag, props, ...children) {
  return fill(document.createElement(tag), props, children);
}

/** The same for SVG. */
export function s(tag, props, ...children) {
  return fill(document.createElementNS(svgSpace, tag), props, children);
}

function fill(element, props, children) {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    else if (name === 'value') element.value = value;
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(
    ...children.flat().filter((child) => child !== null && child !== undefined && child !== false),
  );
  return element;
}

/** Replaces everything in an element. */
export function put(element, ...children) {
  element.replaceChildren(
    ...children.flat().filter((child) => child !== null && child !== undefined && child !== false),
  );
  return element;
}

/** A line drawing that follows the text's size and colour; it says nothing to a screen reader. */
export function icon(name) {
  const paths = (iconPaths[name] ?? iconPaths.dot).map((d) => s('path', { d }));
  return s('svg', { class: 'icon', viewBox: '0 0 24 24', 'aria-hidden': 'true' }, ...paths);
}

/** A button that only shows a drawing; `label` is its name. */
export function iconButton(name, label, onclick, props = {}) {
  return h(
    'button',
    { type: 'button', class: 'icon-button', 'aria-label': label, title: label, onclick, ...props },
    icon(name),
  );
}

let lastId = 0;

/** An id that no other element has. */
export const newId = (prefix) => `${prefix}-${++lastId}`;
