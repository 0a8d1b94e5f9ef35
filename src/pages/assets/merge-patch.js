import { isObject } from './json-pointer.js';

/**
 * The merge patch (RFC 7396) that makes the one of the other; undefined where they are the same.
 * @param {unknown} before
 * @param {unknown} after
 * @returns {unknown}
 */
export function patchBetween(before, after) {
  if (!isObject(before) || !isObject(after)) return isSame(before, after) ? undefined : after;
  /** @type {Record<string, unknown>} */
  const patch = {};
  for (const name of Object.keys(before)) if (!Object.hasOwn(after, name)) patch[name] = null;
  for (const [name, value] of Object.entries(after)) {
    const change = Object.hasOwn(before, name) ? patchBetween(before[name], value) : value;
    // A member that is null already is what the patch would make of it.
    if (change !== undefined) patch[name] = change;
  }
  return Object.keys(patch).length === 0 ? undefined : patch;
}

/**
 * What a merge patch makes of a value.
 * @param {unknown} value
 * @param {unknown} patch
 * @returns {unknown}
 */
export function patched(value, patch) {
  if (!isObject(patch)) return patch;
  /** @type {Record<string, unknown>} */
  const result = isObject(value) ? { ...value } : {};
  for (const [name, change] of Object.entries(patch)) {
    if (change === null) delete result[name];
    else result[name] = patched(result[name], change);
  }
  return result;
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
