export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The names on the way of a JSON Pointer (RFC 6901). */
export function namesOf(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The value at a place; undefined where there is none. */
export function valueAt(value: unknown, pointer: string): unknown {
  let here = value;
  for (const name of namesOf(pointer)) {
    if (Array.isArray(here)) here = here[Number(name)];
    else if (isObject(here) && Object.hasOwn(here, name)) here = here[name];
    else return undefined;
  }
  return here;
}

/** The list that stands at a place, empty where there is none. */
export function listAt(value: unknown, pointer: string): readonly unknown[] {
  const list = valueAt(value, pointer);
  return Array.isArray(list) ? list : [];
}

/**
 * A copy with something else at a place; objects on the way are made where there are none.
 * @param replacement undefined takes the member away
 */
export function withValueAt<T>(value: T, pointer: string, replacement: unknown): T {
  return replaced(value, namesOf(pointer), replacement) as T;
}

function replaced(value: unknown, [name, ...rest]: readonly string[], replacement: unknown): unknown {
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

/** The merge patch (RFC 7396) that makes the one of the other; undefined where they are the same. */
export function patchBetween(before: unknown, after: unknown): unknown {
  if (!isObject(before) || !isObject(after)) return isSame(before, after) ? undefined : after;
  const removed = Object.keys(before).flatMap((name) => (Object.hasOwn(after, name) ? [] : [[name, null]]));
  const changed = Object.entries(after).flatMap(([name, value]) => {
    const change = Object.hasOwn(before, name) ? patchBetween(before[name], value) : value;
    return change === undefined ? [] : [[name, change]];
  });
  return removed.length + changed.length === 0 ? undefined : Object.fromEntries([...removed, ...changed]);
}

export function patched(value: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const result = new Map(Object.entries(isObject(value) ? value : {}));
  for (const [name, change] of Object.entries(patch)) {
    if (change === null) result.delete(name);
    else result.set(name, patched(result.get(name), change));
  }
  return Object.fromEntries(result);
}

export function isSame(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, n) => isSame(item, other[n]));
  if (!isObject(one) || !isObject(other)) return one === other;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isSame(one[name], other[name]))
  );
}

/** A place as a JSON Pointer, however it is written: `entity.fields[2].type` or `/entity/fields/2/type`. */
export function pointerOf(path: string) {
  if (path === '' || path.startsWith('/')) return path;
  return `/${path.replaceAll(/\[(\d+)\]/g, '.$1').replaceAll('.', '/')}`;
}

/**
 * The place of the control that a problem of the server is about: the place itself, or the nearest above it that has one, as
 * one box holds all lines of a list.
 * @param path as the server names it, from the body of the request
 */
export function placeOfProblem(path: string, hasControl: (pointer: string) => boolean): string | null {
  let place = pointerOf(path).replace(/^\/(?:spec|patch)(?=\/|$)/, '');
  while (place !== '' && !hasControl(place)) place = place.slice(0, place.lastIndexOf('/'));
  return place === '' ? null : place;
}
