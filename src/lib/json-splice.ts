/** Changes values at the top of a JSON text without reading the rest: its bytes stay as they are. */

import { afterString, quote } from './string-bytes.ts';

const comma = 0x2c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

interface Span {
  readonly name: string;
  /** First byte of the name. */
  readonly nameStart: number;
  /** Of the value: its first byte, and the one after its last. */
  readonly start: number;
  readonly end: number;
}

/**
 * A JSON object with other values for some of its members; one that it lacks is put in front. A member that stands twice is
 * changed in both places, as readers differ in which they take. Without changes it is the same buffer.
 * @param json UTF-8 of an object that has been parsed: anything else gives nonsense
 * @param changes member -> JSON text of its value
 */
export function withMembers(json: Buffer, changes: Readonly<Record<string, string>>): Buffer {
  const missing = new Set(Object.keys(changes));
  if (missing.size === 0) return json;
  const pieces: Buffer[] = [];
  let from = 0;
  const start = json.indexOf(openBrace) + 1;
  const spans = membersNamed(json, start, (name) => Object.hasOwn(changes, name));
  for (const { name, start: at, end } of spans) {
    missing.delete(name);
    pieces.push(json.subarray(from, at), Buffer.from(changes[name] ?? 'null'));
    from = end;
  }
  pieces.push(json.subarray(from));
  if (missing.size === 0) return Buffer.concat(pieces);
  const added = [...missing].map((name) => `${JSON.stringify(name)}:${changes[name]}`).join(',');
  const whole = Buffer.concat(pieces);
  const empty = whole[skipBlanks(whole, start)] === closeBrace;
  return Buffer.concat([
    whole.subarray(0, start),
    Buffer.from(empty ? added : `${added},`),
    whole.subarray(start),
  ]);
}

/** A member at the top of a JSON object, as it came. */
export interface Member {
  readonly name: string;
  /** With its name. */
  readonly whole: Buffer;
  readonly value: Buffer;
}

/** All members of a JSON object that has been parsed, in their order. */
export function membersOf(json: Buffer): readonly Member[] {
  const spans = membersNamed(json, json.indexOf(openBrace) + 1, () => true);
  return spans.map(({ name, nameStart, start, end }) => ({
    name,
    whole: json.subarray(nameStart, end),
    value: json.subarray(start, end),
  }));
}

function membersNamed(json: Buffer, start: number, wanted: (name: string) => boolean): Span[] {
  const found: Span[] = [];
  let at = skipBlanks(json, start);
  while (at < json.length && json[at] === quote) {
    const nameStart = at;
    const nameEnd = afterString(json, at);
    const name = JSON.parse(json.toString('utf8', at, nameEnd)) as string;
    at = skipBlanks(json, skipBlanks(json, nameEnd) + 1);
    const end = afterValue(json, at);
    if (wanted(name)) found.push({ name, nameStart, start: at, end });
    at = skipBlanks(json, end);
    if (json[at] !== comma) break;
    at = skipBlanks(json, at + 1);
  }
  return found;
}

function skipBlanks(json: Buffer, from: number): number {
  let at = from;
  // Blank, tab, line feed, carriage return (RFC 8259, section 2).
  while (json[at] === 0x20 || json[at] === 0x0a || json[at] === 0x0d || json[at] === 0x09) at += 1;
  return at;
}

function afterValue(json: Buffer, start: number): number {
  let depth = 0;
  let at = start;
  while (at < json.length) {
    const byte = json[at];
    if (byte === quote) {
      at = afterString(json, at);
      if (depth === 0) return at;
      continue;
    }
    if (byte === openBrace || byte === openBracket) depth += 1;
    else if (byte === closeBrace || byte === closeBracket) {
      if (depth === 0) return at;
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (
      depth === 0 &&
      (byte === comma || byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09)
    ) {
      return at;
    }
    at += 1;
  }
  return at;
}
