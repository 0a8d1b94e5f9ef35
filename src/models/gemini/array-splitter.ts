const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** Maximum size of an element, in bytes: beyond it the array is passed over. */
const maxElement = 16 * 1024 * 1024;

/**
 * Takes a stream apart that is one JSON array of objects, as `streamGenerateContent` sends without `alt=sse`. One splitter
 * takes one stream, in pieces that are cut anywhere.
 */
export class ArraySplitter {
  #held: Buffer[] = [];
  #size = 0;
  #depth = 0;
  #inString = false;
  #escaped = false;
  #lost = false;

  /** The objects that are complete with these bytes, each as its bytes. */
  push(bytes: Buffer): Buffer[] {
    const elements: Buffer[] = [];
    if (this.#lost) return elements;
    let start = 0;
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at] as number;
      if (this.#inString) {
        if (this.#escaped) this.#escaped = false;
        else if (byte === backslash) this.#escaped = true;
        else if (byte === quote) this.#inString = false;
      } else if (byte === quote) this.#inString = this.#depth > 0;
      else if (byte === openBrace) {
        if (this.#depth === 0) start = at;
        this.#depth += 1;
      } else if (byte === closeBrace && this.#depth > 0) {
        this.#depth -= 1;
        if (this.#depth === 0) elements.push(this.#element(bytes.subarray(start, at + 1)));
      }
    }
    if (this.#depth > 0) this.#hold(bytes.subarray(start));
    return elements;
  }

  #element(end: Buffer): Buffer {
    const element = this.#held.length === 0 ? end : Buffer.concat([...this.#held, end]);
    this.#held = [];
    this.#size = 0;
    return element;
  }

  #hold(piece: Buffer): void {
    this.#held.push(piece);
    this.#size += piece.length;
    if (this.#size <= maxElement) return;
    this.#lost = true;
    this.#held = [];
  }
}
