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
 * What went wrong with a request, in words for the user.
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

const restMs = 1500;

/**
 * Speaks to people who hear the page, through a live region, and not more often than they can follow: of what comes in
 * quick succession they get the first and the last.
 * @param {Element} region with `role="status"`
 * @returns {(text: string) => void}
 */
export function announcer(region) {
  let waiting = '';
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let rest;
  const speak = () => {
    rest = undefined;
    if (waiting === '') return;
    region.textContent = waiting;
    waiting = '';
    rest = setTimeout(speak, restMs);
  };
  return (text) => {
    waiting = text;
    if (rest === undefined) speak();
  };
}

/**
 * Tells every second how long it is until a moment.
 * @param {number} until milliseconds since 1970
 * @param {AbortSignal} signal stops it
 * @param {(leftMs: number) => void} onTick
 * @returns {Promise<boolean>} true when the moment has come, false when it was stopped
 */
export function countDown(until, signal, onTick) {
  return new Promise((fulfil) => {
    const tick = () => {
      const left = until - Date.now();
      if (left <= 0 || signal.aborted) {
        clearInterval(timer);
        fulfil(!signal.aborted);
      } else onTick(left);
    };
    const timer = setInterval(tick, 1000);
    signal.addEventListener('abort', tick);
    tick();
  });
}
