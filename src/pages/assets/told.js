import { draw } from './draw.js';
import { Refusal } from './refusal.js';
import { element, treesOf } from './tree.js';

/** @typedef {import('./tree.js').Part} Part */

/**
 * Says something at a form: drawn for those who see it, spoken for those who hear it.
 * @param {Element} place
 * @param {(text: string) => void} announce
 */
export function teller(place, announce) {
  return (
    /** @type {string} */ text,
    /** @type {'plain' | 'bad' | 'good'} */ tone = 'plain',
    /** @type {readonly Part[]} */ ...more
  ) => {
    draw(
      place,
      text === ''
        ? []
        : treesOf([element('p', { class: 'told-line', 'data-tone': tone }, text), ...more.flat()]),
    );
    if (text !== '') announce(text);
  };
}

/**
 * What went wrong when something was asked of the server, for whoever asked.
 * @param {unknown} error
 * @returns {string}
 */
export function troubleText(error) {
  if (error instanceof Refusal) return error.message;
  return navigator.onLine
    ? 'The server cannot be reached. What you entered is kept: try again in a moment.'
    : 'You are offline. What you entered is kept: try again when you are back.';
}

/** @param {unknown} error */
export function isAbort(error) {
  return error instanceof DOMException && error.name === 'AbortError';
}
