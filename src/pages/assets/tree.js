/**
 * Markup as plain data, from which the server writes HTML and the browser makes elements. Text is only ever text.
 * @typedef {string | Element} Tree
 * @typedef {{ tag: string, attributes: Readonly<Record<string, string>>, children: readonly Tree[] }} Element
 * @typedef {Tree | null | false | undefined} Part a tree, or nothing
 */

/**
 * @param {string} tag
 * @param {Readonly<Record<string, string | boolean | null>>} attributes true stands for an empty value, false and null for none
 * @param {readonly Part[]} children
 * @returns {Element}
 */
export function element(tag, attributes = {}, ...children) {
  /** @type {Record<string, string>} */
  const given = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false && value !== null) given[name] = value === true ? '' : value;
  }
  return { tag, attributes: given, children: treesOf(children) };
}

/**
 * What is there of some parts.
 * @param {readonly Part[]} parts
 * @returns {readonly Tree[]}
 */
export function treesOf(parts) {
  return parts.flatMap((part) => part || []);
}
