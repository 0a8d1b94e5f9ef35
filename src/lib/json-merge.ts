/** Any JSON value. */
export type Json = unknown;
type JsonObject = Readonly<Record<string, Json>>;

export function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** One value over another: objects are merged member by member, all else is replaced. Neither is changed. */
export function merged(below: Json, above: Json): Json {
  if (!isObject(below) || !isObject(above)) return above;
  const overlaid = Object.entries(above).map(([name, value]) => [
    name,
    Object.hasOwn(below, name) ? merged(below[name], value) : value,
  ]);
  // Defined rather than assigned, so that no name means anything, `__proto__` included.
  return Object.fromEntries([...Object.entries(below), ...overlaid]);
}

/** A value after a JSON merge patch (RFC 7396): as `merged`, but that null deletes. */
export function patched(target: Json, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const result = new Map(Object.entries(isObject(target) ? target : {}));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) result.delete(name);
    else result.set(name, patched(result.get(name), value));
  }
  return Object.fromEntries(result);
}
