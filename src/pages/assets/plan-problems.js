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
