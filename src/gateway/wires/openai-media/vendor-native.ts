import type { Transcription } from 'openai/resources/audio/transcriptions';
import type { ImagesResponse } from 'openai/resources/images';
import { objectIn } from '../../../lib/json.ts';
import type { VendorUsage } from '../../../model/port.ts';
import { count, tokenUsage } from '../../../model/usage.ts';
import { fieldsOf } from '../../upstream/event-frames.ts';
import { AnswerReading } from '../../upstream/native.ts';
import type { Untrusted, Vendor } from '../../upstream/vendor.ts';
import { errorOfObject } from '../../upstream/vendor-errors.ts';

/** Maximum length of the usage in a reply, in bytes. */
const maxUsage = 2048;

/** Types of the events with which OpenAI ends a stream of a picture, of sound or of a transcript. */
const ends = /\.(?:completed|done)$/;

/** Reads along in a stream of pictures, sound or a transcript. */
export class MediaReader extends AnswerReading {
  #awaited: number;

  /** @param awaited how many things are made, each of which has its end */
  constructor(vendor: Vendor, model: string, awaited: number) {
    super(vendor, model);
    this.#awaited = awaited;
  }

  whole(): void {
    // A whole reply in place of a stream passes as it is.
  }

  event(bytes: Buffer): boolean {
    const data = objectIn(fieldsOf(bytes.toString()).data);
    if (data === null) return true;
    if (data['error']) this.failure = errorOfObject(this.vendor, this.model, data['error']);
    const usage = readMediaUsage(data['usage']);
    if (usage !== null) this.usage = usage;
    if (typeof data['type'] === 'string' && ends.test(data['type'])) {
      this.endReason = 'stop';
      this.#awaited -= 1;
      this.complete = this.#awaited <= 0;
    }
    return true;
  }
}

type Usage = ImagesResponse.Usage & Transcription.Tokens;

/** Tokens, null where the vendor gave none: audio may be counted in seconds, and older models count nothing. */
export function readMediaUsage(received: unknown): VendorUsage {
  const usage = received as Untrusted<Usage>;
  const input = count(usage?.input_tokens);
  const output = count(usage?.output_tokens);
  if (input === null && output === null) return null;
  const read = { ...usage?.input_tokens_details, ...usage?.input_token_details };
  return tokenUsage({
    inputUncached: input ?? 0,
    output: output ?? 0,
    imageIn: count(read.image_tokens) ?? 0,
    audioIn: count(read.audio_tokens) ?? 0,
    imageOut: count(usage?.output_tokens_details?.image_tokens) ?? 0,
  });
}

/**
 * The usage in a stretch of a JSON reply, found without reading the rest, which may be megabytes of Base64. In a text of the reply
 * the quotes of the same name would be escaped.
 */
export function usageIn(reply: Buffer): VendorUsage {
  const at = reply.lastIndexOf('"usage"');
  if (at < 0) return null;
  const text = reply.toString('utf8', at + '"usage"'.length, at + maxUsage);
  const object = /^\s*:\s*(\{(?:[^{}"]|"[^"\\]*"|\{(?:[^{}"]|"[^"\\]*")*\})*\})/.exec(text)?.[1];
  if (object === undefined) return null;
  try {
    return readMediaUsage(JSON.parse(object));
  } catch {
    return null;
  }
}
