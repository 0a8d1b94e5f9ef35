/**
 * JSON as it is read and sent.
 * @typedef {null | boolean | number | string | readonly unknown[] | Readonly<Record<string, unknown>>} Json
 */

/**
 * @param {unknown} value
 * @returns {value is Readonly<Record<string, unknown>>}
 */
export function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The names on the way of a JSON Pointer (RFC 6901).
 * @param {string} pointer
 * @returns {readonly string[]}
 */
export function namesOf(pointer) {
  return pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/**
 * What stands at a place; undefined where there is nothing.
 * @param {unknown} value
 * @param {string} pointer
 * @returns {unknown}
 */
export function valueAt(value, pointer) {
  let here = value;
  for (const name of namesOf(pointer)) {
    if (Array.isArray(here)) here = here[Number(name)];
    else if (isObject(here) && Object.hasOwn(here, name)) here = here[name];
    else return undefined;
  }
  return here;
}

/**
 * The list that stands at a place, empty where there is none.
 * @param {unknown} value
 * @param {string} pointer
 * @returns {readonly unknown[]}
 */
export function listAt(value, pointer) {
  const list = valueAt(value, pointer);
  return Array.isArray(list) ? list : [];
}

/**
 * A copy with something else at a place; objects on the way are made where there are none.
 * @template T
 * @param {T} value
 * @param {string} pointer
 * @param {unknown} replacement undefined takes the member away
 * @returns {T}
 */
export function withValueAt(value, pointer, replacement) {
  return /** @type {T} */ (replaced(value, namesOf(pointer), replacement));
}

/**
 * @param {unknown} value
 * @param {readonly string[]} names
 * @param {unknown} replacement
 * @returns {unknown}
 */
function replaced(value, [name, ...rest], replacement) {
  if (name === undefined) return replacement;
  if (Array.isArray(value)) {
    return value.map((item, n) => (n === Number(name) ? replaced(item, rest, replacement) : item));
  }
  const object = isObject(value) ? value : {};
  const next = replaced(Object.hasOwn(object, name) ? object[name] : undefined, rest, replacement);
  const entries = Object.entries(object).filter(([other]) => other !== name || next !== undefined);
  const known = entries.map(([other, old]) => [other, other === name ? next : old]);
  const added = next !== undefined && !Object.hasOwn(object, name) ? [[name, next]] : [];
  return Object.fromEntries([...known, ...added]);
}
