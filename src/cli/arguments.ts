import { InvalidArgumentError, Option } from 'commander';
import { allScopes } from '../accounts/keys.ts';
import { limitNames, type Overrides } from '../accounts/plans.ts';

/** Readers of arguments. They throw `InvalidArgumentError`, which completes "argument '…' is invalid". */

/** `--json`, which every command has that shows something. */
export function jsonOption(): Option {
  return new Option('--json', 'print JSON, for scripts');
}

/** Scopes separated by commas. */
export function readScopes(text: string): readonly string[] {
  const scopes = text.split(',').map((scope) => scope.trim());
  if (scopes.every((scope) => allScopes.has(scope))) return scopes;
  throw new InvalidArgumentError(
    `Expected one or more of ${[...allScopes].join(', ')}, with commas between.`,
  );
}

/** The id of a key, also out of a whole or masked one: what is pasted must not come back in a message. */
export function readKeyId(text: string): string {
  return /^sw_live_([0-9A-Za-z]*)/.exec(text.trim())?.[1] ?? text.trim();
}

/** A day (its first moment in UTC) or a moment with its time zone, in milliseconds since the epoch. */
export function readTime(text: string): number {
  const time = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2})?(\.\d+)?(Z|[+-]\d{2}:\d{2}))?$/.test(text)
    ? Date.parse(text)
    : Number.NaN;
  // `Date.parse` takes 31 February for a day in March.
  const exists = Number.isFinite(time) && dayExists(text.slice(0, 10));
  if (!exists)
    throw new InvalidArgumentError('Expected a day (2027-01-01) or a time (2027-01-01T12:00:00Z).');
  if (time > Date.now()) return time;
  throw new InvalidArgumentError('Expected a time in the future.');
}

/** A day as `YYYY-MM-DD`. */
export function readDay(text: string): string {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text) && dayExists(text)) return text;
  throw new InvalidArgumentError('Expected a day that exists, as 2027-01-31.');
}

function dayExists(day: string): boolean {
  const time = Date.parse(`${day}T00:00:00Z`);
  return Number.isFinite(time) && new Date(time).toISOString().startsWith(day);
}

const units: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A duration as `90s`, `15m`, `24h` or `7d`, or 0; in milliseconds. */
export function readDuration(text: string): number {
  const [, count, unit] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  if (text === '0') return 0;
  if (count !== undefined && unit !== undefined) return Number(count) * (units[unit] ?? 0);
  throw new InvalidArgumentError('Expected a duration as 90s, 15m, 24h or 7d, or 0.');
}

/** A limit as `requests_per_minute=600` or `requests_per_month=unlimited`, added to those given before. */
export function readLimit(text: string, before: Overrides = {}): Overrides {
  const [, name, value] = /^(\w+)=(\d{1,15}|unlimited)$/.exec(text) ?? [];
  const limit = limitNames.find((known) => snakeCase(known) === name);
  if (limit && value) return { ...before, [limit]: value === 'unlimited' ? null : Number(value) };
  const names = limitNames.map(snakeCase).join(', ');
  throw new InvalidArgumentError(`Expected NAME=NUMBER or NAME=unlimited, with a name out of ${names}.`);
}

/** A name as it is written on the wire. */
export function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]|(?<=[a-z])\d+(?=[a-z])/g, (start) => `_${start.toLowerCase()}`);
}
