import type { NativeAnswer, NativeReader } from '../../upstream/native.ts';
import type { Vendor } from '../../upstream/vendor.ts';
import { errorOfObject } from '../../upstream/vendor-errors.ts';
import { readMediaUsage } from './vendor-usage.ts';

/** Types of the events with which OpenAI ends a stream of a picture, of sound or of a transcript. */
const ends = /\.(?:completed|done)$/;
/** Reads so much of the data of an event. */
type Told = { -readonly [Field in keyof NativeAnswer]: NativeAnswer[Field] };

/** Reads along in a stream of pictures, sound or a transcript. */
export class MediaReader implements NativeReader {
  readonly #vendor: Vendor;
  readonly #model: string;
  #awaited: number;
  readonly told: Told = {
    usage: null,
    endReason: null,
    complete: false,
    failure: null,
    id: null,
    characters: 0,
    uncounted: 0,
  };

  /** @param awaited how many things are made, each of which has its end */
  constructor(vendor: Vendor, model: string, awaited: number) {
    this.#vendor = vendor;
    this.#model = model;
    this.#awaited = awaited;
  }

  whole(): void {
    // A whole reply in place of a stream passes as it is.
  }

  event(bytes: Buffer): boolean {
    const data = parsed(bytes);
    if (data === null) return true;
    if (data.error) this.told.failure = errorOfObject(this.#vendor, this.#model, data.error);
    const usage = readMediaUsage(data.usage);
    if (usage !== null) this.told.usage = usage;
    if (typeof data.type === 'string' && ends.test(data.type)) {
      this.told.endReason = 'stop';
      this.#awaited -= 1;
      this.told.complete = this.#awaited <= 0;
    }
    return true;
  }
}

interface EventData {
  readonly type?: unknown;
  readonly usage?: unknown;
  readonly error?: unknown;
}

function parsed(bytes: Buffer): EventData | null {
  const data = bytes
    .toString('utf8')
    .split(/\r\n|\r|\n/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice('data:'.length))
    .join('\n');
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === 'object' ? (value as EventData | null) : null;
  } catch {
    return null;
  }
}
