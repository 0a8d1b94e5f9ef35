import { setImmediate as turn } from 'node:timers/promises';
import { aacOf, flacOf, mp3Of, opusOf, pcmOf, wavOf } from './audio/encodings.ts';
import { type Plan, planOf } from './audio/plan.ts';

/** Least length of a chunk, in bytes, the last apart. */
const chunkLength = 16 * 1024;

interface Format {
  readonly mediaType: string;
  readonly write: (plan: Plan) => Iterable<Buffer>;
}

const formats = {
  mp3: { mediaType: 'audio/mpeg', write: mp3Of },
  opus: { mediaType: 'audio/ogg', write: opusOf },
  aac: { mediaType: 'audio/aac', write: aacOf },
  flac: { mediaType: 'audio/flac', write: flacOf },
  wav: { mediaType: 'audio/wav', write: wavOf },
  pcm: { mediaType: 'audio/pcm', write: pcmOf },
} as const satisfies Readonly<Record<string, Format>>;

export type SpeechFormat = keyof typeof formats;

export const speechFormats = Object.keys(formats) as readonly SpeechFormat[];

export function speechMediaType(format: SpeechFormat): string {
  return formats[format].mediaType;
}

interface SpeechOptions {
  readonly format: SpeechFormat;
  /** From 0.25 to 4; 1 is ordinary speech. */
  readonly speed: number;
}

/**
 * The sound in place of speech: a tone for each word, as long as the word, with pauses. 24 kHz, one channel.
 * The first chunk is there at once, and no more than one is held, however long the text is. Throws a RangeError for a
 * speed out of range.
 */
export function speak(text: string, { format, speed }: SpeechOptions): AsyncIterable<Buffer> {
  checkSpeed(speed);
  return chunks(formats[format].write(replayable(text, speed)));
}

/** How long it sounds, in seconds; the file may differ by a frame. */
export function speechSeconds(text: string, speed: number): number {
  checkSpeed(speed);
  let sum = 0;
  for (const { seconds } of planOf(text, speed)) sum += seconds;
  return sum;
}

function checkSpeed(speed: number): void {
  if (!(speed >= 0.25 && speed <= 4)) throw new RangeError(`speed must be from 0.25 to 4, not ${speed}.`);
}

/** A plan that can be iterated more than once: headers that state the length need it. */
function replayable(text: string, speed: number): Plan {
  return { [Symbol.iterator]: () => planOf(text, speed) };
}

/** Joins small pieces, and yields to other work in between. */
async function* chunks(parts: Iterable<Buffer>): AsyncGenerator<Buffer, undefined> {
  let held: Buffer[] = [];
  let length = 0;
  for (const part of parts) {
    held.push(part);
    length += part.length;
    if (length < chunkLength) continue;
    yield Buffer.concat(held);
    held = [];
    length = 0;
    await turn();
  }
  if (length > 0) yield Buffer.concat(held);
}
