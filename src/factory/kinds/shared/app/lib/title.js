import { h } from './dom.js';

/**
 * The heading of the page. It knows its longest word, and so the size at which a narrow screen keeps that whole.
 * @param {string} text
 */
export function pageTitle(text) {
  const longest = Math.max(...text.split(/[\s-]+/).map((word) => [...word].length));
  return h('h1', { style: `--longest: ${longest}` }, text);
}
