/** Strings of JSON that have not been decoded. */

export const quote = 0x22;
export const backslash = 0x5c;

/** The place after the string that begins there; the end of all where it has none. One without escapes costs one search. */
export function afterString(json: Buffer, start: number): number {
  let at = start + 1;
  for (;;) {
    const end = json.indexOf(quote, at);
    if (end < 0) return json.length;
    let escapes = 0;
    while (json[end - 1 - escapes] === backslash) escapes += 1;
    if (escapes % 2 === 0) return end + 1;
    at = end + 1;
  }
}

/** Whether `bytes` has `part` at that place. */
export function standsIn(bytes: Buffer, part: Buffer, at: number): boolean {
  const end = at + part.length;
  return end <= bytes.length && bytes.compare(part, 0, part.length, at, end) === 0;
}

/** The `length` that the text of these bytes has as a string: of UTF-8, in code units of UTF-16. */
export function textLength(bytes: Buffer, from: number, to: number): number {
  let length = 0;
  for (let at = from; at < to; at += 1) {
    const byte = bytes[at] as number;
    // Continuation bytes do not count, and a character of four bytes counts twice.
    if (byte < 0x80 || byte >= 0xc0) length += byte >= 0xf0 ? 2 : 1;
  }
  return length;
}

/** Whether each byte stands for itself in a string of JSON: no escape, no quote and no control. */
export function isPlain(bytes: Buffer, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) {
    const byte = bytes[at] as number;
    if (byte < 0x20 || byte === quote || byte === backslash) return false;
  }
  return true;
}
