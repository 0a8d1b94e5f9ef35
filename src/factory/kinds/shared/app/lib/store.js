import { app } from './app.js';
import { disk, keptUnder, memory } from './changes.js';

/** Whether entries are still there after the page is closed. */
export const persistent = disk !== null;

/** What all kinds and variants of an app keep alike, so that it is there when a later build is of another one. */
const shared = new Set(['theme', 'entries', 'fields', 'choices']);

/** @param {string} name */
const keyOf = (name) =>
  [keptUnder(app), ...(shared.has(name) ? [] : [app.kind, app.variant]), name].filter(Boolean).join('/');

/**
 * Reads a stored value; `fallback` when there is none or it cannot be read.
 * @template Value
 * @param {string} name
 * @param {Value} fallback
 * @returns {Value}
 */
export function recall(name, fallback) {
  try {
    if (!disk) return /** @type {Value | undefined} */ (memory.get(name)) ?? fallback;
    const text = disk.getItem(keyOf(name));
    return text ? JSON.parse(text) : fallback;
  } catch {
    return fallback;
  }
}

/**
 * Stores a value. A full storage keeps the page working: the value then lives until the page is closed.
 * @param {string} name
 * @param {unknown} value
 */
export function remember(name, value) {
  try {
    if (disk) disk.setItem(keyOf(name), JSON.stringify(value));
    else memory.set(name, value);
  } catch {
    document.dispatchEvent(new CustomEvent('storage-full'));
  }
}

/**
 * @template State
 * @typedef {object} Store
 * @property {() => State} get
 * @property {(next: State) => void} set
 * @property {() => boolean} undo whether there was anything to take back
 * @property {(listener: (state: State) => void) => void} subscribe the listener is told at once, and of each change
 */

/**
 * One value that the page shows: `set` stores it and tells the listeners, `undo` takes the last change back. Values
 * are never changed in place, so that the history holds real former states.
 * @template State
 * @param {string} name
 * @param {State} initial
 * @param {(stored: State) => State} [suited] makes what another build of the app may have stored fit this one
 * @returns {Store<State>}
 */
export function createStore(name, initial, suited = (stored) => stored) {
  const stored = recall(name, /** @type {State | null} */ (null));
  let state = stored === null ? initial : suited(stored);
  /** @type {State[]} */
  const past = [];
  /** @type {Set<(state: State) => void>} */
  const listeners = new Set();

  const show = () => {
    remember(name, state);
    for (const listener of listeners) listener(state);
  };

  return {
    get: () => state,
    set(next) {
      past.push(state);
      if (past.length > 100) past.shift();
      state = next;
      show();
    },
    undo() {
      const before = past.pop();
      if (before === undefined) return false;
      state = before;
      show();
      return true;
    },
    subscribe(listener) {
      listeners.add(listener);
      listener(state);
    },
  };
}

/** An id for a new entry. */
export const newEntryId = () => Date.now().toString(36) + Math.random().toString(36).slice(2, 7);
