import { InvalidArgumentError, Option } from 'commander';
import { snakeCase } from '../lib/names.ts';
import { isTagName, maxTags, problemOfTags, type Tags, tagNameRule } from '../lib/tags.ts';
import { allScopes } from '../tenants/accounts/key-secret.ts';
import { limitNames, type Overrides } from '../tenants/accounts/plans.ts';

/** Readers of arguments. They throw `InvalidArgumentError`, which completes "argument '…' is invalid". */

/** The argument of commands with `jsonOption`. */
export interface Json {
  readonly json?: true | undefined;
}

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

/** A tag as `team=search`, added to those given before. */
export function readTag(text: string, before: Tags = {}): Tags {
  const at = text.indexOf('=');
  const tags = { ...before, [text.slice(0, Math.max(at, 0))]: text.slice(at + 1) };
  const problem = at < 0 ? 'Expected NAME=VALUE.' : problemOfTags(tags);
  if (problem !== null) throw new InvalidArgumentError(problem);
  return tags;
}

/** Names of tags separated by commas; `none` for none of them. */
export function readTagNames(text: string): readonly string[] {
  if (text === 'none') return [];
  const names = text.split(',').map((name) => name.trim());
  if (names.length <= maxTags && names.every(isTagName)) return names;
  throw new InvalidArgumentError(`Expected names of tags with commas between, or "none". ${tagNameRule}`);
}

/** The id of a key, also out of a whole or masked one: a pasted key must not come back in a message. */
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

/** An amount as 500 or 12.50, at least 0 and with at most six decimals. */
export function readAmount(text: string): number {
  if (/^\d{1,10}(\.\d{1,6})?$/.test(text) && Number(text) <= maxAmount) return Number(text);
  throw new InvalidArgumentError(`Expected a number from 0 to ${maxAmount}, as 500 or 12.50.`);
}

/** Percentages separated by commas, as whole numbers from 1 to 1000; `none` for none of them. */
export function readPercents(text: string): readonly number[] {
  if (text === 'none') return [];
  const parts = text.split(',').map((part) => part.trim());
  const percents = parts.map((part) => (/^\d{1,4}$/.test(part) ? Number(part) : 0));
  const allGood = percents.every((percent) => percent >= 1 && percent <= 1000);
  if (allGood && percents.length <= maxAlerts && new Set(percents).size === percents.length) return percents;
  throw new InvalidArgumentError(
    `Expected at most ${maxAlerts} different whole numbers from 1 to 1000 with commas between, or "none".`,
  );
}

/** As the contract has it, of a budget: amounts stored in millionths must stay exact. */
const maxAmount = 9_007_199_254;
const maxAlerts = 10;
