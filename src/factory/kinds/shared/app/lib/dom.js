import { iconPaths } from './icons.js';

const svgSpace = 'http://www.w3.org/2000/svg';

/**
 * Attributes by name, and listeners.
 * @typedef {Record<string, unknown> | null} Props
 */

/**
 * What stands in an element. What is null, undefined or false is left out.
 * @typedef {Node | string | number | boolean | null | undefined} Part
 * @typedef {Part | Part[]} Child
 */

/**
 * Makes an element. Functions become listeners (`onclick`), `true` an empty attribute; `null` and `false` are left
 * out. Children are elements or plain text, so nothing that a person typed is ever read as markup.
 * @template {string} Tag
 * @param {Tag} tag
 * @param {Props} [props]
 * @param {...Child} children
 * @returns {Tag extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[Tag] : HTMLElement}
 */
export function h(tag, props, ...children) {
  const element = /** @type {ReturnType<typeof h<Tag>>} */ (document.createElement(tag));
  return fill(element, props, children);
}

/**
 * The same for SVG.
 * @param {string} tag
 * @param {Props} [props]
 * @param {...Child} children
 */
export function s(tag, props, ...children) {
  return fill(document.createElementNS(svgSpace, tag), props, children);
}

/**
 * @template {Element} Made
 * @param {Made} element
 * @param {Props | undefined} props
 * @param {Child[]} children
 */
function fill(element, props, children) {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === 'function')
      element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else if (name === 'value') Object.assign(element, { value });
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...shown(children));
  return element;
}

/**
 * Replaces everything in an element.
 * @template {Element} Filled
 * @param {Filled} element
 * @param {...Child} children
 */
export function put(element, ...children) {
  element.replaceChildren(...shown(children));
  return element;
}

/** @param {Child[]} children */
const shown = (children) =>
  children
    .flat(2)
    .filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => (child instanceof Node ? child : String(child)));

/**
 * A line drawing that follows the text's size and colour; it says nothing to a screen reader.
 * @param {string} name
 */
export function icon(name) {
  const paths = (iconPaths[name] ?? iconPaths.dot).map((d) => s('path', { d }));
  return s('svg', { class: 'icon', viewBox: '0 0 24 24', 'aria-hidden': 'true' }, ...paths);
}

/**
 * A button that only shows a drawing; `label` is its name.
 * @param {string} name
 * @param {string} label
 * @param {(event: MouseEvent) => void} onclick
 * @param {Props} props
 */
export function iconButton(name, label, onclick, props = {}) {
  return h(
    'button',
    { type: 'button', class: 'icon-button', 'aria-label': label, title: label, onclick, ...props },
    icon(name),
  );
}

let lastId = 0;

/**
 * An id that no other element has.
 * @param {string} prefix
 */
export const newId = (prefix) => `${prefix}-${++lastId}`;

/**
 * Puts the focus on the first element that fits, if there is one.
 * @param {ParentNode} root
 * @param {string} selector
 * @param {FocusOptions} [options]
 */
export function focusIn(root, selector, options) {
  const found = root.querySelector(selector);
  if (found instanceof HTMLElement) found.focus(options);
}

/**
 * What stands in a text field of a form, without blanks around it.
 * @param {HTMLFormElement} form
 * @param {string} name
 */
export const textIn = (form, name) => String(new FormData(form).get(name) ?? '').trim();

/**
 * Whether an event comes from something that fits or from inside of it.
 * @param {Event} event
 * @param {string} selector
 */
export const isFrom = ({ target }, selector) =>
  target instanceof Element && target.closest(selector) !== null;
