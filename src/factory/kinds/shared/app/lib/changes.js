/**
 * What its owner has changed of the app itself: its name, its fields, its headings and texts. It is kept beside the entries,
 * and in the address while the page may keep nothing.
 */

/** @typedef {{ name?: string, tagline?: string, entity?: object, sections?: object[] }} Changes */

const inAddress = '#app=';

/** The browser's storage, or null where the page may not use it: in a sandboxed preview, in some private windows. */
export const disk = openDisk();

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
 * What was handed over to this page, as it has no storage: changes, and the values that were kept in its memory.
 * @type {{ changes?: Changes, values?: Record<string, unknown> }}
 */
const handedOver = readAddress();

function readAddress() {
  if (disk || !location.hash.startsWith(inAddress)) return {};
  try {
    return JSON.parse(decodeURIComponent(location.hash.slice(inAddress.length)));
  } catch {
    return {};
  }
}

/** Values by name, for a page without storage. */
export const memory = new Map(Object.entries(handedOver.values ?? {}));

/**
 * The app with the changes of its owner; the very same where there are none, or none that can be read.
 * @param {import('./app.js').App} app
 * @returns {import('./app.js').App}
 */
export function changed(app) {
  try {
    const changes = handedOver.changes ?? JSON.parse(disk?.getItem(`${app.id}/app`) ?? 'null');
    return changes ? { ...app, ...changes } : app;
  } catch {
    return app;
  }
}

/**
 * Keeps changes and shows the app anew. Null takes all of them back.
 * @param {string} id
 * @param {Changes | null} changes
 */
export function restart(id, changes) {
  if (disk) {
    if (changes) disk.setItem(`${id}/app`, JSON.stringify(changes));
    else disk.removeItem(`${id}/app`);
  } else {
    const values = Object.fromEntries(memory);
    history.replaceState(null, '', inAddress + encodeURIComponent(JSON.stringify({ changes, values })));
  }
  location.reload();
}
