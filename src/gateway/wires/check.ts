import { ServiceError } from '../../contract/errors.ts';
import { isObject } from '../../lib/json.ts';
import type { Body } from './wire.ts';

/** The error for the field at a path. */
export function invalid(path: string, expected: string): ServiceError {
  return new ServiceError('invalid_request', `${path} ${expected}.`, { param: path });
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

export function booleanAt(value: unknown, path: string): boolean {
  if (typeof value === 'boolean') return value;
  throw invalid(path, 'must be true or false');
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

// A field that is null is one that was left out.

export function textIn(body: Body, field: string, path = field): string | undefined {
  return optional(body[field], path, textAt);
}

export function objectIn(body: Body, field: string, path = field): Body | undefined {
  return optional(body[field], path, objectAt);
}

export function booleanIn(body: Body, field: string, path = field): boolean | undefined {
  return optional(body[field], path, booleanAt);
}

export function numberIn(body: Body, field: string, min: number, max: number): number | undefined {
  return optional(body[field], field, (value, path) => numberAt(value, path, min, max));
}

/** A whole number of at least 1, or of the least that is named. */
export function countIn(body: Body, field: string, path = field, least = 1): number | undefined {
  return optional(body[field], path, (value) => wholeAt(value, path, least));
}
