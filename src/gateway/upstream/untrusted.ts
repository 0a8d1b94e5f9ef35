/**
 * A vendor's type as far as it can be relied on: the fields have these names, but each may be missing, null or of
 * another type. Values are `unknown` until they are checked; objects can be looked into with `?.`.
 */
export type Untrusted<T> = T extends null | undefined
  ? T
  : T extends readonly (infer Item)[]
    ? readonly Untrusted<Item>[] | null | undefined
    : T extends object
      ? { readonly [Field in keyof T]?: Untrusted<T[Field]> } | null | undefined
      : unknown;

/** More tokens than any model takes or gives; the sums of such counts stay exact. */
const maxCounted = 2 ** 31;

/** A count that a vendor gave: a whole number from 0 to 2^31, else null. */
export function count(value: unknown): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= maxCounted
    ? value
    : null;
}
