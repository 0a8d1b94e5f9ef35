import type { Plan, Tone } from './plan.ts';

/** Samples a second, of one channel and 16 bits: OpenAI's `pcm`. */
export const sampleRate = 24_000;
/** Frequencies of the four tones, in Hz. */
const frequencies = [208, 250, 292, 333] as const;
const volume = 0.25 * 0x7fff;
/** Length of the rise and fall of a tone, in samples: without them it clicks. */
const fade = 120;

/** How many samples a plan has. */
export function sampleCount(plan: Plan): number {
  let seconds = 0;
  for (const stretch of plan) seconds += stretch.seconds;
  return Math.round(seconds * sampleRate);
}

/** The samples of a plan in blocks of this length, of which the last may be shorter. */
export function* sampleBlocks(plan: Plan, blockLength: number): Generator<Int16Array> {
  let block = new Int16Array(blockLength);
  let at = 0;
  let seconds = 0;
  let start = 0;
  for (const { seconds: length, tone } of plan) {
    seconds += length;
    const end = Math.round(seconds * sampleRate);
    for (let position = start; position < end; position += 1) {
      if (tone !== null) block[at] = sampleOf(tone, position - start, end - start);
      at += 1;
      if (at < blockLength) continue;
      yield block;
      block = new Int16Array(blockLength);
      at = 0;
    }
    start = end;
  }
  if (at > 0) yield block.subarray(0, at);
}

function sampleOf(tone: Tone, at: number, length: number): number {
  const edge = Math.min(at, length - at, fade) / fade;
  return Math.round(volume * edge * Math.sin((2 * Math.PI * frequencies[tone] * at) / sampleRate));
}

/** The tone in each frame of a codec that has frames of this length, in seconds. There is at least one. */
export function* toneOfFrames(plan: Plan, frameSeconds: number): Generator<Tone | null> {
  let seconds = 0;
  let frames = 0;
  for (const { seconds: length, tone } of plan) {
    seconds += length;
    for (const end = Math.round(seconds / frameSeconds); frames < end; frames += 1) yield tone;
  }
  if (frames === 0) yield null;
}

/** As little-endian bytes. */
export function bytesOf(samples: Int16Array): Buffer {
  const bytes = Buffer.allocUnsafe(samples.length * 2);
  for (let at = 0; at < samples.length; at += 1) bytes.writeInt16LE(samples[at] ?? 0, at * 2);
  return bytes;
}
