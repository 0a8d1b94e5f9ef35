/** What can be seen of an event's bytes without parsing their JSON. */

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
const space = 0x20;
const none = Buffer.alloc(0);
const done = Buffer.from('[DONE]');

export interface EventData {
  readonly data: Buffer;
  /** What `event:` says; null where nothing does. */
  readonly type: string | null;
}

/** The data of an event, its lines joined as the standard of event streams says. */
export function eventData(bytes: Buffer): EventData {
  // Nearly every event is one line.
  if (bytes.indexOf('\n') < 0 && bytes.indexOf('\r') < 0)
    return { data: fieldOf(bytes, 'data') ?? none, type: null };
  let type: string | null = null;
  const lines: Buffer[] = [];
  for (const line of linesOf(bytes)) {
    const data = fieldOf(line, 'data');
    if (data) lines.push(data);
    else type = fieldOf(line, 'event')?.toString() ?? type;
  }
  const [first, second] = lines;
  if (!first) return { data: none, type };
  return { data: second ? joined(lines) : first, type };
}

function linesOf(bytes: Buffer): Buffer[] {
  const text = bytes.toString('latin1');
  return text.split(/\r\n|\n|\r/).map((line) => Buffer.from(line, 'latin1'));
}

function joined(lines: readonly Buffer[]): Buffer {
  return Buffer.concat(lines.flatMap((line, index) => (index === 0 ? [line] : [Buffer.from('\n'), line])));
}

/** What follows the name of a field, without one space; null for another field. */
function fieldOf(line: Buffer, field: string): Buffer | null {
  if (line[field.length] !== colon || line.toString('latin1', 0, field.length) !== field) return null;
  const from = field.length + 1;
  return line.subarray(line[from] === space ? from + 1 : from);
}

export function isDone(data: Buffer): boolean {
  return data.length < 16 && data.toString('latin1').trim() === done.toString('latin1');
}

/**
 * Whether the JSON has a field of this name that is not null. In a text the name's quotes would be escaped, so it is never
 * taken for one.
 */
export function says(data: Buffer, field: string): boolean {
  const name = `"${field}"`;
  for (let at = data.indexOf(name); at >= 0; at = data.indexOf(name, at + name.length)) {
    const value = valueAt(data, at + name.length);
    if (value >= 0 && data.toString('latin1', value, value + 4) !== 'null') return true;
  }
  return false;
}

/** Where the value of a field begins, after its name; -1 where that was a value itself. */
function valueAt(data: Buffer, from: number): number {
  const separator = skipBlanks(data, from);
  return data[separator] === colon ? skipBlanks(data, separator + 1) : -1;
}

function skipBlanks(data: Buffer, from: number): number {
  let at = from;
  while ((data[at] ?? 0) <= space && at < data.length) at += 1;
  return at;
}

/** The fields of a chunk that hold text of the answer. */
const texts = [
  '"content"',
  '"text"',
  '"arguments"',
  '"input"',
  '"refusal"',
  '"reasoning_content"',
  '"reasoning"',
];

/** The length of the text in a chunk, in characters: an estimate is made of it, so an escape counts as one. */
export function textLength(data: Buffer): number {
  let length = 0;
  for (const name of texts)
    for (let at = data.indexOf(name); at >= 0; at = data.indexOf(name, at + name.length)) {
      const value = valueAt(data, at + name.length);
      if (value >= 0 && data[value] === quote) length += stringLength(data, value + 1);
    }
  return length;
}

function stringLength(data: Buffer, from: number): number {
  let length = 0;
  for (let at = from; at < data.length; at += 1) {
    const byte = data[at] ?? 0;
    if (byte === quote) break;
    if (byte === backslash) at += data[at + 1] === 0x75 ? 5 : 1;
    // Bytes after the first of a character do not count; those of four bytes are two characters in JavaScript.
    else if (byte >= 0x80 && byte < 0xc0) continue;
    length += byte >= 0xf0 ? 2 : 1;
  }
  return length;
}
