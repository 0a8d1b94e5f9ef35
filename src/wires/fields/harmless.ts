import { isDeepStrictEqual } from 'node:util';
import type { FieldRow } from './field-rows.ts';

/** Whether a value says nothing that would not hold without it. */
export function isHarmless({ harmless }: FieldRow, value: unknown): boolean {
  return harmless?.some((one) => isDeepStrictEqual(one, value)) ?? false;
}
