/** The browser's storage, or null where the page may not use it: in a sandboxed preview, in some private windows. */
const disk = openDisk();

/** Whether what is remembered is still there after the page is closed. */
export const persistent = disk !== null;

/** Pages that are opened as files share one storage; each keeps to its own part of it. */
const keyOf = (name) => `${location.pathname}/${name}`;

function openDisk() {
  try {
    localStorage.setItem('probe', '1');
    localStorage.removeItem('probe');
    return localStorage;
  } catch {
    return null;
  }
}

/**
 * Gives a remembered value; `fallback` when there is none or it cannot be read.
 * @template Value
 * @param {string} name
 * @param {Value} fallback
 * @returns {Value}
 */
export function recall(name, fallback) {
  try {
    const text = disk?.getItem(keyOf(name));
    return text ? JSON.parse(text) : fallback;
  } catch {
    return fallback;
  }
}

/**
 * Forgets a remembered value.
 * @param {string} name
 */
export function forget(name) {
  try {
    disk?.removeItem(keyOf(name));
  } catch {
    // What cannot be reached is not there.
  }
}

/**
 * Remembers a value that JSON can hold. Says whether it could: a full storage keeps the page working.
 * @param {string} name
 * @param {unknown} value
 */
export function remember(name, value) {
  try {
    disk?.setItem(keyOf(name), JSON.stringify(value));
    return disk !== null;
  } catch {
    return false;
  }
}
