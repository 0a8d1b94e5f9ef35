/** Names in their two forms: `created_at` in rows, in the file of the configuration and on the wire, `createdAt` in the program. */
import { isoTime } from './utc.ts';

type CamelCase<Name> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name & string;

type SnakeCase<Name> = Name extends `${infer First}${infer Rest}`
  ? `${First extends `${number}` | Uppercase<First> ? `_${Lowercase<First>}` : First}${SnakeCase<Rest>}`
  : '';

/** The result of `camelCased` for a record. */
export type Camel<Shape> = { readonly [Name in keyof Shape as CamelCase<Name>]: Shape[Name] };

/** The result of `onWire` for a record. */
export type OnWire<Shape> = {
  -readonly [Name in keyof Shape as SnakeCase<Name>]: Name extends `${string}${'At' | 'Until' | 'Since'}`
    ? WireTime<Shape[Name]>
    : WireValue<Shape[Name]>;
};

type WireTime<Value> = Value extends number ? string : WireValue<Value>;
type WireValue<Value> = Value extends readonly (infer Item)[]
  ? WireValue<Item>[]
  : object extends Value
    ? Record<string, unknown>
    : Value extends object
      ? OnWire<Value>
      : Value;

export function camelCase(name: string): string {
  return name.replaceAll(/_([a-z0-9])/g, (_, first: string) => first.toUpperCase());
}

export function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]|(?<=[a-z])\d+(?=[a-z])/g, (start) => `_${start.toLowerCase()}`);
}

/** The members of a record with some names. */
export function pick<Shape extends object, const Name extends keyof Shape>(
  record: Shape,
  names: readonly Name[],
): Pick<Shape, Name> {
  return Object.fromEntries(names.map((name) => [name, record[name]])) as Pick<Shape, Name>;
}

/** A record with the program's names; its values stay as they are. */
export function camelCased<Shape extends object>(record: Shape): Camel<Shape> {
  const entries = Object.entries(record).map(([name, value]) => [camelCase(name), value]);
  return Object.fromEntries(entries) as Camel<Shape>;
}

/** A record with the names of the wire, and its times, which are milliseconds since the epoch, as ISO 8601. Names of tags are their own. */
export function onWire<Shape extends object>(record: Shape): OnWire<Shape> {
  const entries = Object.entries(record).map(([name, value]) => [snakeCase(name), wireValue(name, value)]);
  return Object.fromEntries(entries) as OnWire<Shape>;
}

function wireValue(name: string, value: unknown): unknown {
  if (typeof value === 'number' && /(?:At|Until|Since)$/.test(name)) return isoTime(value);
  if (name === 'tags' || typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? value.map((item) => wireValue('', item)) : onWire(value);
}
