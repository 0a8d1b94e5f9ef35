import { oggChecksum } from './checksums.ts';
import { comments } from './comments.ts';
import type { Plan } from './plan.ts';
import { toneOfFrames } from './samples.ts';
import { toneFrames } from './tone-frames.ts';

const frameSeconds = 0.02;
/** Opus counts at 48 kHz, whatever was coded. */
const samplesPerPacket = 960;
/** What a decoder leaves out at the start: what the encoder needed to get going. */
const preSkip = 312;
const packetsPerPage = 25;
/** The number of the one stream in the file. Any number will do. */
const serial = 0x5357_4253;

const tones = toneFrames.opus.map((text) => Buffer.from(text, 'base64'));
/** In the mode of the tones, with CELT's flag for silence. */
const silence = Buffer.from([0x98, 0xff, 0xfe]);

/** Ogg Opus (RFC 7845) of one channel, in pages of half a second. */
export function* opusOf(plan: Plan): Generator<Buffer> {
  yield page({ sequence: 0, flags: 2, position: 0n, packets: [idHeader()] });
  yield page({
    sequence: 1,
    flags: 0,
    position: 0n,
    packets: [Buffer.concat([Buffer.from('OpusTags', 'latin1'), comments()])],
  });
  let sequence = 2;
  let count = 0;
  let packets: Buffer[] = [];
  for (const tone of toneOfFrames(plan, frameSeconds)) {
    // A full page goes out when there is more to come: the last one has its own flag.
    if (packets.length === packetsPerPage) {
      yield page({ sequence, flags: 0, position: BigInt(count * samplesPerPacket), packets });
      sequence += 1;
      packets = [];
    }
    packets.push((tone === null ? undefined : tones[tone]) ?? silence);
    count += 1;
  }
  // One more, for what is left out at the start.
  packets.push(silence);
  yield page({ sequence, flags: 4, position: BigInt(preSkip + count * samplesPerPacket), packets });
}

/** RFC 7845, 5.1: version, channels, pre-skip, the rate of what was coded, gain, mapping of channels. */
function idHeader(): Buffer {
  const header = Buffer.alloc(19);
  header.write('OpusHead', 0, 'latin1');
  header[8] = 1;
  header[9] = 1;
  header.writeUInt16LE(preSkip, 10);
  header.writeUInt32LE(24_000, 12);
  return header;
}

interface Page {
  readonly sequence: number;
  /** 2: the first of the stream, 4: the last. */
  readonly flags: 0 | 2 | 4;
  /** How many samples a decoder has when it has read the page, at 48 kHz. */
  readonly position: bigint;
  /** Each shorter than 255 bytes. */
  readonly packets: readonly Buffer[];
}

/** RFC 3533, 6. */
function page({ sequence, flags, position, packets }: Page): Buffer {
  const header = Buffer.alloc(27);
  header.write('OggS', 0, 'latin1');
  header[5] = flags;
  header.writeBigInt64LE(position, 6);
  header.writeUInt32LE(serial, 14);
  header.writeUInt32LE(sequence, 18);
  header[26] = packets.length;
  const whole = Buffer.concat([header, Buffer.from(packets.map(({ length }) => length)), ...packets]);
  whole.writeUInt32LE(oggChecksum(whole), 22);
  return whole;
}
