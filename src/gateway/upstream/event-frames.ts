/** Cuts the bytes of an event stream into whole events, without changing or decoding them, and reads what one of them says. */

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** Maximum size of one event, in bytes: pictures come in one. */
const maxEventBytes = 32 * 1024 * 1024;

/** Thrown for an event that does not end within 32 MiB. */
export class EndlessEvent extends Error {
  override readonly name = 'EndlessEvent';
}

/**
 * Takes the pieces of a stream of Server-Sent Events as they arrive and gives the events that are complete: lines end with LF, CR LF
 * or CR, and an event with a blank line (https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream).
 */
export class EventFrames {
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  /** How many line ends stand at the end of what is pending: an event ends with two. */
  #lineEnds = 0;
  #afterReturn = false;
  /** Whether the line before ended with CR LF. */
  #withFeed = false;
  /** Whether what is pending is a whole event, but for the LF that probably follows. */
  #held = false;

  /** The events that end in this piece, each with its blank line, as it came; joined they are the stream. */
  push(chunk: Buffer): Buffer[] {
    const events: Buffer[] = [];
    let from = 0;
    if (this.#held && chunk.length > 0) {
      from = chunk[0] === lineFeed ? 1 : 0;
      this.#held = this.#afterReturn = false;
      this.#lineEnds = 0;
      events.push(this.#whole(chunk.subarray(0, from)));
    }
    // As a rule there is none: it is looked for once in a piece, not in each line.
    let nextReturn = -1;
    for (let at = from; at < chunk.length; at += 1) {
      const byte = chunk[at];
      if (byte === lineFeed && this.#afterReturn) {
        this.#afterReturn = false;
        this.#withFeed = true;
        // The second half of a line end: it belongs to the event that was cut off before it, if one was.
        if (this.#lineEnds === 0 && from === at && this.#pendingBytes === 0) {
          const last = events.at(-1);
          if (last) events[events.length - 1] = Buffer.concat([last, chunk.subarray(at, at + 1)]);
          else events.push(chunk.subarray(at, at + 1));
          from = at + 1;
        }
        continue;
      }
      this.#afterReturn = byte === carriageReturn;
      if (byte === lineFeed) this.#withFeed = false;
      if (byte !== lineFeed && byte !== carriageReturn) {
        // A whole line at a time: its content does not matter.
        this.#lineEnds = 0;
        if (nextReturn < at) nextReturn = returnIn(chunk, at);
        at = nextLineEnd(chunk, at, nextReturn) - 1;
        continue;
      }
      this.#lineEnds += 1;
      if (this.#lineEnds < 2) continue;
      // The other half of this line end is still to come: nothing may follow an answer that this event completes.
      if (byte === carriageReturn && this.#withFeed && at === chunk.length - 1) {
        this.#held = true;
        continue;
      }
      this.#lineEnds = 0;
      // As a rule a piece is an event, and an event a piece.
      const whole = from === 0 && at === chunk.length - 1;
      events.push(this.#whole(whole ? chunk : chunk.subarray(from, at + 1)));
      from = at + 1;
    }
    if (from < chunk.length) {
      this.#pending.push(chunk.subarray(from));
      this.#pendingBytes += chunk.length - from;
      if (this.#pendingBytes > maxEventBytes) throw new EndlessEvent('an event of more than 32 MiB');
    }
    return events;
  }

  /** The bytes after the last whole event. */
  rest(): Buffer {
    this.#held = false;
    return this.#whole(Buffer.alloc(0));
  }

  /** Bytes that are kept. */
  get bytes(): number {
    return this.#pendingBytes;
  }

  #whole(end: Buffer): Buffer {
    if (this.#pending.length === 0) return end;
    const whole = Buffer.concat([...this.#pending, end]);
    this.#pending = [];
    this.#pendingBytes = 0;
    return whole;
  }
}

export interface EventFields {
  /** Its lines joined; empty: it has none. */
  readonly data: string;
  /** The value of `event:`; null without one. */
  readonly type: string | null;
}

/** The fields of one event (https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation). */
export function fieldsOf(event: string): EventFields {
  // Nearly every event is one line.
  const end = event.search(lineEnd);
  if (end < 0 || event.slice(end).trim() === '') {
    const line = end < 0 ? event : event.slice(0, end);
    return { data: fieldOf(line, 'data:') ?? '', type: fieldOf(line, 'event:') };
  }
  let type: string | null = null;
  const lines: string[] = [];
  for (const line of event.split(lineEnd)) {
    const data = fieldOf(line, 'data:');
    if (data === null) type = fieldOf(line, 'event:') ?? type;
    else lines.push(data);
  }
  return { data: lines.join('\n'), type };
}

const lineEnd = /\r\n|\n|\r/;

/** The value after the name of a field, without one space; null for another field. */
function fieldOf(line: string, name: string): string | null {
  if (!line.startsWith(name)) return null;
  return line.slice(line[name.length] === ' ' ? name.length + 1 : name.length);
}

/** @param nextReturn where the next CR stands */
function nextLineEnd(chunk: Buffer, from: number, nextReturn: number): number {
  const feed = chunk.indexOf(lineFeed, from);
  const end = feed < 0 ? chunk.length : feed;
  return Math.min(end, nextReturn);
}

/** Where the next CR stands; infinite: there is none. */
function returnIn(chunk: Buffer, from: number): number {
  const at = chunk.indexOf(carriageReturn, from);
  return at < 0 ? Number.POSITIVE_INFINITY : at;
}
