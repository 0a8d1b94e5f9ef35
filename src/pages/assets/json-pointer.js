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

/**
 * The merge patch (RFC 7396) that makes the one of the other; undefined where they are the same.
 * @param {unknown} before
 * @param {unknown} after
 * @returns {unknown}
 */
export function patchBetween(before, after) {
  if (!isObject(before) || !isObject(after)) return isSame(before, after) ? undefined : after;
  const gone = Object.keys(before).flatMap((name) => (Object.hasOwn(after, name) ? [] : [[name, null]]));
  const changed = Object.entries(after).flatMap(([name, value]) => {
    const change = Object.hasOwn(before, name) ? patchBetween(before[name], value) : value;
    return change === undefined ? [] : [[name, change]];
  });
  return gone.length + changed.length === 0 ? undefined : Object.fromEntries([...gone, ...changed]);
}

/**
 * What a merge patch makes of a value.
 * @param {unknown} value
 * @param {unknown} patch
 * @returns {unknown}
 */
export function patched(value, patch) {
  if (!isObject(patch)) return patch;
  const result = new Map(Object.entries(isObject(value) ? value : {}));
  for (const [name, change] of Object.entries(patch)) {
    if (change === null) result.delete(name);
    else result.set(name, patched(result.get(name), change));
  }
  return Object.fromEntries(result);
}

/**
 * @param {unknown} one
 * @param {unknown} other
 * @returns {boolean}
 */
export function isSame(one, other) {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, n) => isSame(item, other[n]));
  if (!isObject(one) || !isObject(other)) return one === other;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isSame(one[name], other[name]))
  );
}

/**
 * A place as a JSON Pointer, however it is written: `entity.fields[2].type` or `/entity/fields/2/type`.
 * @param {string} path
 */
export function pointerOf(path) {
  if (path === '' || path.startsWith('/')) return path;
  return `/${path.replaceAll(/\[(\d+)\]/g, '.$1').replaceAll('.', '/')}`;
}

/**
 * The place of the control that a problem of the server is about: the place itself, or the nearest above it that has one, as
 * one box holds all lines of a list.
 * @param {string} path as the server names it, from the body of the request
 * @param {(pointer: string) => boolean} hasControl
 * @returns {string | null}
 */
export function placeOfProblem(path, hasControl) {
  let place = pointerOf(path).replace(/^\/(?:spec|patch)(?=\/|$)/, '');
  while (place !== '' && !hasControl(place)) place = place.slice(0, place.lastIndexOf('/'));
  return place === '' ? null : place;
}
