/**
 * What its owner has changed of the app itself: its name, its fields, its headings and texts. It is kept beside the entries,
 * and in the address while the page may keep nothing.
 */

/** @typedef {{ name?: string, tagline?: string, entity?: { fields: { key: string }[] }, sections?: object[] }} Changes */

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
 * @type {{ changes?: { changes: Changes, of: Changes }, values?: Record<string, unknown> }}
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

/**
 * Under which name an app keeps things: that of its first build, so that entries are there again in a later one. Of several
 * apps that began as the same, the first that is opened goes on with what is there.
 * @param {import('./app.js').App} app
 */
export function keptUnder({ id, family, line = '' }) {
  if (!family) return id;
  const claimed = disk?.getItem(`${family}/line`);
  if (disk && !claimed) disk.setItem(`${family}/line`, line);
  return !claimed || claimed === line ? family : `${family}-${line}`;
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
    const kept = handedOver.changes ?? JSON.parse(disk?.getItem(`${keptUnder(app)}/app`) ?? 'null');
    return kept ? withChanges(app, kept) : app;
  } catch {
    return app;
  }
}

/**
 * A later build of the app may have changed the same things: there its word stands, but for fields that the owner added.
 * @param {import('./app.js').App} app
 * @param {{ changes: Changes, of: Changes }} kept
 */
function withChanges(app, { changes, of }) {
  const same = (name) => JSON.stringify(of[name]) === JSON.stringify(app[name]);
  const own = Object.keys(changes).filter((name) => name in app && same(name));
  const mixed = { ...app, ...Object.fromEntries(own.map((name) => [name, changes[name]])) };
  if (!app.entity || !changes.entity || own.includes('entity')) return mixed;
  const known = new Set([...(of.entity?.fields ?? []), ...app.entity.fields].map(({ key }) => key));
  const added = changes.entity.fields.filter(({ key }) => !known.has(key));
  const { sort, done, due, entity } = app;
  const fields = /** @type {import('./app.js').Field[]} */ ([...entity.fields, ...added]);
  return { ...mixed, sort, done, due, entity: { ...entity, fields } };
}

/**
 * Keeps changes, with what they were made of, and shows the app anew. Null takes all of them back.
 * @param {import('./app.js').App} original
 * @param {Changes | null} changes
 */
export function restart(original, changes) {
  const of = Object.fromEntries(Object.keys(changes ?? {}).map((name) => [name, original[name]]));
  const kept = changes && { changes, of };
  if (disk) {
    if (kept) disk.setItem(`${keptUnder(original)}/app`, JSON.stringify(kept));
    else disk.removeItem(`${keptUnder(original)}/app`);
  } else {
    const values = Object.fromEntries(memory);
    history.replaceState(null, '', inAddress + encodeURIComponent(JSON.stringify({ changes: kept, values })));
  }
  location.reload();
}
