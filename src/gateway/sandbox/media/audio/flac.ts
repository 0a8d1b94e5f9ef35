import { flacFrameChecksum, flacHeaderChecksum } from './checksums.ts';
import { comments } from './comments.ts';
import type { Plan } from './plan.ts';
import { sampleBlocks, sampleCount, sampleRate } from './samples.ts';

const blockLength = 4096;

/** A FLAC stream (RFC 9639) that packs silence only: blocks of sound are verbatim. */
export function* flacOf(plan: Plan): Generator<Buffer> {
  const about = comments();
  const head = Buffer.from([4 | 0x80, 0, 0, 0]);
  head.writeUIntBE(about.length, 1, 3);
  yield Buffer.concat([Buffer.from('fLaC', 'latin1'), streamInfo(sampleCount(plan)), head, about]);
  let number = 0;
  for (const block of sampleBlocks(plan, blockLength)) {
    yield frame(block, number);
    number += 1;
  }
}

/** The metadata block that comes first (8.2), with its header. Sizes of frames and the digest are not told, which is 0. */
function streamInfo(samples: number): Buffer {
  const block = Buffer.alloc(4 + 34);
  block.writeUIntBE(34, 1, 3);
  block.writeUInt16BE(blockLength, 4);
  block.writeUInt16BE(blockLength, 6);
  const bitsPerSample = 16;
  const packed = (BigInt(sampleRate) << 44n) | (BigInt(bitsPerSample - 1) << 36n) | BigInt(samples);
  block.writeBigUInt64BE(packed, 14);
  return block;
}

function frame(samples: Int16Array, number: number): Buffer {
  // Sync code and fixed block size; block size in 16 bits at the end, 24 kHz; one channel, 16 bits a sample.
  const coded = [
    0xff,
    0xf8,
    0x77,
    0x08,
    ...codedNumber(number),
    (samples.length - 1) >> 8,
    (samples.length - 1) & 255,
  ];
  const header = Buffer.from([...coded, flacHeaderChecksum(Uint8Array.from(coded))]);
  const silent = samples.every((sample) => sample === 0);
  const body = Buffer.alloc(1 + (silent ? 1 : samples.length) * 2);
  body[0] = silent ? 0b0000_0000 : 0b0000_0010;
  if (!silent) for (let at = 0; at < samples.length; at += 1) body.writeInt16BE(samples[at] ?? 0, 1 + at * 2);
  const checked = Buffer.concat([header, body]);
  const end = Buffer.alloc(2);
  end.writeUInt16BE(flacFrameChecksum(checked));
  return Buffer.concat([checked, end]);
}

/** A frame's number in the way of UTF-8 (9.1.5), to 31 bits: that is a year of sound. */
function codedNumber(number: number): readonly number[] {
  if (number < 0x80) return [number];
  const tail: number[] = [];
  let rest = number;
  let room = 0x3f;
  while (rest > room) {
    tail.unshift(0x80 | (rest & 0x3f));
    rest = rest >>> 6;
    room >>= 1;
    if (tail.length === 1) room = 0x1f;
  }
  return [((0xff << (7 - tail.length)) & 0xff & ~(1 << (6 - tail.length))) | rest, ...tail];
}
