/** Line drawings on a grid of 24 by 24. */
const iconPaths = {
  dot: ['M12 11v2'],
  plus: ['M12 5v14', 'M5 12h14'],
  minus: ['M5 12h14'],
  check: ['M5 12.5l4.5 4.5L19 7.5'],
  close: ['M6 6l12 12', 'M18 6L6 18'],
  search: ['M10.5 4a6.5 6.5 0 1 0 0 13a6.5 6.5 0 0 0 0-13', 'M15.5 15.5L20 20'],
  edit: ['M4 20l1-4L16 5l3 3L8 19z', 'M14 7l3 3'],
  trash: ['M4 7h16', 'M9 7V4h6v3', 'M6 7l1 13h10l1-13', 'M10 11v5', 'M14 11v5'],
  menu: ['M4 7h16', 'M4 12h16', 'M4 17h16'],
  more: ['M5 12h.01', 'M12 12h.01', 'M19 12h.01'],
  sun: [
    'M12 8a4 4 0 1 0 0 8a4 4 0 0 0 0-8',
    'M12 2v2',
    'M12 20v2',
    'M4.9 4.9l1.4 1.4',
    'M17.7 17.7l1.4 1.4',
    'M2 12h2',
    'M20 12h2',
    'M4.9 19.1l1.4-1.4',
    'M17.7 6.3l1.4-1.4',
  ],
  moon: ['M20 14.5A8 8 0 0 1 9.5 4a8 8 0 1 0 10.5 10.5z'],
  undo: ['M9 14L4 9l5-5', 'M4 9h10a6 6 0 0 1 0 12h-3'],
  download: ['M12 4v11', 'M7 11l5 5l5-5', 'M4 20h16'],
  upload: ['M12 16V5', 'M7 9l5-5l5 5', 'M4 20h16'],
  print: ['M7 9V4h10v5', 'M7 17H4V9h16v8h-3', 'M7 14h10v6H7z'],
  left: ['M15 5l-7 7l7 7'],
  right: ['M9 5l7 7l-7 7'],
  up: ['M5 15l7-7l7 7'],
  down: ['M5 9l7 7l7-7'],
  play: ['M7 5l12 7l-12 7z'],
  pause: ['M8 5v14', 'M16 5v14'],
  reset: ['M4 12a8 8 0 1 0 2.5-5.8', 'M4 4v4h4'],
  skip: ['M6 5l9 7l-9 7z', 'M18 5v14'],
  flag: ['M6 21V4', 'M6 4h12l-3 4l3 4H6'],
  calendar: ['M4 6h16v14H4z', 'M4 10h16', 'M8 3v4', 'M16 3v4'],
  clock: ['M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18', 'M12 7v5l3 2'],
  pin: ['M12 21s7-6 7-11.5a7 7 0 0 0-14 0C5 15 12 21 12 21z', 'M12 7.5a2.5 2.5 0 1 0 0 5a2.5 2.5 0 0 0 0-5'],
  phone: ['M5 4h4l2 5l-2.5 1.5a11 11 0 0 0 5 5L15 13l5 2v4a1 1 0 0 1-1 1A15 15 0 0 1 4 5a1 1 0 0 1 1-1z'],
  mail: ['M4 6h16v12H4z', 'M4 7l8 6l8-6'],
  star: ['M12 3.5l2.6 5.4l5.9.8l-4.3 4.1l1 5.9L12 16.9l-5.2 2.8l1-5.9L3.5 9.7l5.9-.8z'],
  heart: ['M12 20s-7.5-4.6-7.5-10.2A4.3 4.3 0 0 1 12 7a4.3 4.3 0 0 1 7.5 2.8C19.5 15.4 12 20 12 20z'],
  flame: ['M12 3c1 4 5 5.5 5 10.5a5 5 0 0 1-10 0c0-2 1-3.5 2-4.5c.5 1.5 1 2 2 2.5C11 9 10.5 6 12 3z'],
  list: ['M8 6h12', 'M8 12h12', 'M8 18h12', 'M4 6h.01', 'M4 12h.01', 'M4 18h.01'],
  chart: ['M5 20V11', 'M12 20V4', 'M19 20v-6'],
  swap: ['M7 4L3 8l4 4', 'M3 8h14', 'M17 12l4 4l-4 4', 'M21 16H7'],
  copy: ['M8 8h12v12H8z', 'M16 8V4H4v12h4'],
  book: ['M5 4h11a3 3 0 0 1 3 3v13H8a3 3 0 0 1-3-3z', 'M5 17a3 3 0 0 1 3-3h11'],
  user: ['M12 4a4 4 0 1 0 0 8a4 4 0 0 0 0-8', 'M4 21a8 8 0 0 1 16 0'],
  users: [
    'M9 5a3.5 3.5 0 1 0 0 7a3.5 3.5 0 0 0 0-7',
    'M2.5 20a6.5 6.5 0 0 1 13 0',
    'M16 5.5a3.5 3.5 0 0 1 0 6.5',
    'M18 14.5a6.5 6.5 0 0 1 3.5 5.5',
  ],
  sparkle: ['M12 3l2 7l7 2l-7 2l-2 7l-2-7l-7-2l7-2z'],
  shuffle: [
    'M4 7h4l8 10h4',
    'M4 17h4l2-2.5',
    'M14 9.5L16 7h4',
    'M18 4.5L20.5 7L18 9.5',
    'M18 14.5l2.5 2.5l-2.5 2.5',
  ],
  box: ['M4 8l8-4l8 4v8l-8 4l-8-4z', 'M4 8l8 4l8-4', 'M12 12v8'],
  leaf: ['M5 19C4 10 9 5 20 4c0 11-4 16-12 15', 'M5 20c2-5 5-8 9-10'],
  lock: ['M6 11h12v9H6z', 'M9 11V8a3 3 0 0 1 6 0v3'],
};

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

/**
 * The heading of the page. It knows its longest word, and so the size at which a narrow screen keeps that whole.
 * @param {string} text
 */
export function pageTitle(text) {
  const longest = Math.max(...text.split(/[\s-]+/).map((word) => [...word].length));
  return h('h1', { style: `--longest: ${longest}` }, text);
}
