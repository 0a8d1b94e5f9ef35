/** A list with the element at `index` changed. */
export const withAt = <T>(list: readonly T[], index: number, element: T): T[] =>
  list.map((old, at) => (at === index ? element : old));

/** A list without the element at `index`. */
export const withoutAt = <T>(list: readonly T[], index: number): T[] => list.filter((_, at) => at !== index);

/** A list whose element at `from` is moved; `to` is its index afterwards. */
export function movedTo<T>(list: readonly T[], from: number, to: number): T[] {
  const rest = withoutAt(list, from);
  const moved = list.slice(from, from + 1);
  return [...rest.slice(0, to), ...moved, ...rest.slice(to)];
}
