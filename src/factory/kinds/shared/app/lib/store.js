import { app } from './app.js';
import { disk, keptUnder, memory } from './changes.js';
import { toast } from './dialog.js';
import { readValue } from './fields.js';
import { t } from './i18n.js';

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

/**
 * Puts the rows of a file into a store, but for those that are there already exactly as they are: a file that was just
 * exported then changes nothing. A row that the file has twice is meant twice.
 * @param same a row as a text, of everything but its id
 * @param join how new rows and those of the store make one list
 */
export function importRows(store, rows, same, join) {
  const there = new Map();
  for (const row of store.get()) there.set(same(row), (there.get(same(row)) ?? 0) + 1);
  const added = rows.filter((row) => {
    const left = there.get(same(row)) ?? 0;
    there.set(same(row), left - 1);
    return left <= 0;
  });
  const known = rows.length - added.length;
  if (added.length > 0) store.set(join(added, store.get()));
  const message =
    known > 0 ? t('importedBeside', { n: added.length, known }) : t('imported', { n: added.length });
  toast(message, added.length > 0 && (() => store.undo()));
}

/** The entries of a file, read by fields; none where there are none. */
export function rowsOf(entries, fields) {
  if (!Array.isArray(entries)) return [];
  return entries.map((row) => ({
    ...Object.fromEntries(fields.map((field) => [field.key, readValue(field, row?.[field.key])])),
    id: newEntryId(),
  }));
}

/** Everything that a row says, in the form in which files are read. */
export const asText = (fields) => (row) =>
  JSON.stringify(fields.map((field) => readValue(field, row[field.key])));
