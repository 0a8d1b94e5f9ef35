import { ServiceError } from '../../contract/errors.ts';
import type { Body } from '../wire.ts';

/** What is wrong with the field at a path. */
export function invalid(path: string, expected: string): ServiceError {
  return new ServiceError('invalid_request', `${path} ${expected}.`, { param: path });
}

export function isObject(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function objectAt(value: unknown, path: string): Body {
  if (isObject(value)) return value;
  throw invalid(path, 'must be an object');
}

export function listAt(value: unknown, path: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw invalid(path, 'must be a list');
}

export function textAt(value: unknown, path: string): string {
  if (typeof value === 'string') return value;
  throw invalid(path, 'must be a text');
}

/** A text that says something. */
export function nameAt(value: unknown, path: string): string {
  const text = textAt(value, path);
  if (text !== '') return text;
  throw invalid(path, 'must not be empty');
}

export function numberAt(value: unknown, path: string, min: number, max: number): number {
  if (typeof value === 'number' && value >= min && value <= max) return value;
  throw invalid(path, `must be a number from ${min} to ${max}`);
}

export function wholeAt(value: unknown, path: string, min: number): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= min) return value;
  throw invalid(path, `must be a whole number of at least ${min}`);
}

/** The field, read; undefined where it was left out, which null is too. */
export function optional<Read>(
  value: unknown,
  path: string,
  read: (value: unknown, path: string) => Read,
): Read | undefined {
  return value == null ? undefined : read(value, path);
}
