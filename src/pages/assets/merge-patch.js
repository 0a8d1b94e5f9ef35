import { isObject } from './json-pointer.js';

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
