import { isRawNumber } from './exact-json.ts';

/** Whether a value that was parsed is an object, which is neither null nor a list, nor a number that is kept by its text. */
export function isObject(value: unknown): value is { readonly [field: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value);
}
