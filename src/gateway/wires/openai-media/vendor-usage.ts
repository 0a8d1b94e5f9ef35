import type { Transcription } from 'openai/resources/audio/transcriptions';
import type { ImagesResponse } from 'openai/resources/images';
import type { VendorUsage } from '../../../model/port.ts';
import { tokenUsage } from '../../../model/token-usage.ts';
import { count, type Untrusted } from '../../upstream/untrusted.ts';

type Usage = ImagesResponse.Usage & Transcription.Tokens;

/** Maximum length of the usage in a reply, in bytes. */
const maxUsage = 2048;

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
