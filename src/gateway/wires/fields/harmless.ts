import { isDeepStrictEqual } from 'node:util';
import type { FieldRow } from './field-rows.ts';

/** Whether a value says nothing that would not hold without it. */
export function isHarmless({ harmless }: FieldRow, value: unknown): boolean {
  return harmless?.some((one) => isDeepStrictEqual(one, value)) ?? false;
}

/** Whether a value says nothing, whatever field it is of. */
export function saysNothing(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}
