import type { Plan } from './plan.ts';
import { bytesOf, sampleBlocks, sampleCount, sampleRate, toneOfFrames } from './samples.ts';

/**
 * One frame of each tone in the codecs that are not simple enough to be written by hand. The length of a frame is a
 * multiple of the tone's period, so that the same frame over and over is the tone. Made once from sine waves of a
 * quarter of full volume, and taken from the middle: by LAME 3.100 without bit reservoir, without its padding; by
 * FFmpeg's AAC encoder without TNS and PNS; by libopus at a constant 16 kbit/s with prediction off.
 */
const toneFrames = {
  /** The bytes after the header of an MPEG-2 Layer III frame: 208, 250, 292 and 333 Hz at 24 kHz. */
  mp3: [
    'AAtQQhQAuDIkVwj1lAwaKUSK67nLdu1rLMlTIE5PIZPk8hIZP0IoppJ0UdCUU00I0oTTsTo6QA==',
    'AApivhQAuAUE+EesIGDwXhEBMBgJb5x//V/o/p////9H/9G/+////xv/j/+g3/xvkfkA',
    'AAxIWhQADewgKc4R6tAYQ3YRHADIn+vnX7WtIMs7CfpJZDJk2fJ9GiQoZII9KUppQlNKOin0UIRIyQA=',
    'AAmiphQAuAtE/hHqQBhKcEQY4GEFv/5Zf//LJ//1b//Rv/9G//7f/phn//df/6Dw',
  ],
  /** The bytes after the ADTS header of an AAC-LC frame: 211, 234, 281 and 328 Hz at 24 kHz. */
  aac: [
    'AQI0rQpT4v1/+H28//lNTzzVamdd/fx3xW+MTVb1WXWa3YGFRMKJpN0r33vh8hPLqSjYzhIp59AoopT2O1ZpWnpU0VaCjRKUD2LSaKmlTRUrQo0dKoVaNCtVCitKqKAVrStStFaCqlaUVqVVpWgqqCpRSta1qVoH',
    'APg0qS5TsoTI49f0//u+f/X/T43crjd5XPC98VXPxvvU4Zmu/PrQCBZV1lZQrYhUOnuX8KNNTrbHKKkseXvMaRJRlHvwJpwlHvwJRlGUe/AJwm78CYJwJCYnCTvwk78O9HvR7yabvJppJplChY8hQmJiSbvO+76QJgk76aYmcA==',
    'AOw0qUilQZ1IIl79/6f/xV/+X49kcfn9fH19v1+eK7P8fs3dSb634+uYAT0ErKysrKFbHXONTP1sKNNRrIGZexYSE+1QSE2qCQm1QSEufSBUAWA5yBZV1dVFg8ukTgTHfgSEx34ATABMDykCgFAAAAALArzAcQHkKAJCgkDg',
    'APY0iHSFoak3x+fH/95/9v59tZxlVHt9pZV76yzL3kWHy4pGkRmI3uiG4amfThRppqV9OZqC6xnA57Pw9UgqC6xUioLHPkBYsULFjnIAVBUFQB5SWOcnOTjGacO/CSbvwJjvw70ZO8mJAkAJppgJgkJJpJpJppJJu/Gf',
  ],
  /** Opus packets of 20 ms, CELT: 200, 250, 300 and 350 Hz. */
  opus: [
    'mGx+1ycLTFIpvtLniTpTGaDtPlHbbeXVl0jWyTLYOPx/8rkX38dVKA==',
    'mGb0F+m/KvmXjzzO2AosRa/B6De4ioFVJoVuWd4vnRlJ2RBhfT/rNQ==',
    'mGb0F7n/ykYmpug4MnHtROly/iuuu5lBOlRbXMoFMlByVUAGbyqktQ==',
    'mGMnvich03QHJgYQAEjiZ3FUvCLySQOphH9IAta9JIQ57yattU/n0g==',
  ],
} as const satisfies Readonly<Record<string, readonly [string, string, string, string]>>;

const blockLength = 4096;

/** A file's description of itself, as the comments that FLAC and Opus share (https://xiph.org/vorbis/doc/v-comment.html). */
function comments(): Buffer {
  const sized = (text: string) => [lengthOf(Buffer.byteLength(text)), Buffer.from(text)];
  const comment = 'DESCRIPTION=Tones made up by the sandbox of Switchyard. No model spoke.';
  return Buffer.concat([...sized('Switchyard sandbox'), lengthOf(1), ...sized(comment)]);
}

function lengthOf(count: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(count);
  return bytes;
}

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

/** The metadata block that comes first (8.2), with its header. Sizes of frames and the digest are 0, which means unknown. */
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

/** Samples alone: 24 kHz, one channel, 16 bits, little-endian. */
export function* pcmOf(plan: Plan): Generator<Buffer> {
  for (const block of sampleBlocks(plan, blockLength)) yield bytesOf(block);
}

/** A WAV file (RIFF) with its true length in the header, which is there before the sound is. */
export function* wavOf(plan: Plan): Generator<Buffer> {
  const length = sampleCount(plan) * 2;
  const header = Buffer.alloc(44);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(36 + length, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(sampleRate, 24);
  header.writeUInt32LE(sampleRate * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(length, 40);
  yield header;
  yield* pcmOf(plan);
}

/** MPEG-2 Layer III at 24 kHz, mono, constant 24 kbit/s: 72 bytes for 24 ms. */
const mp3Header = Buffer.from([0xff, 0xf3, 0x34, 0xc4]);
const mp3FrameLength = 72;
const mp3Samples = 576;

const mp3Silence = mp3Frame(Buffer.alloc(0));
const mp3Tones = toneFrames.mp3.map((text) => mp3Frame(Buffer.from(text, 'base64')));

/** An MP3 file without tags. A frame of which all is 0 but the header is silence. */
export function* mp3Of(plan: Plan): Generator<Buffer> {
  for (const tone of toneOfFrames(plan, mp3Samples / sampleRate))
    yield (tone === null ? undefined : mp3Tones[tone]) ?? mp3Silence;
}

function mp3Frame(body: Uint8Array): Buffer {
  return Buffer.concat([mp3Header, body], mp3FrameLength);
}

const aacSamples = 1024;
/** One channel with no band of frequencies in it. */
const aacSilence = adtsFrame(Buffer.from([0x00, 0x00, 0x00, 0x07]));
const aacTones = toneFrames.aac.map((text) => adtsFrame(Buffer.from(text, 'base64')));

/** AAC-LC at 24 kHz, mono, each frame under its ADTS header. */
export function* aacOf(plan: Plan): Generator<Buffer> {
  for (const tone of toneOfFrames(plan, aacSamples / sampleRate))
    yield (tone === null ? undefined : aacTones[tone]) ?? aacSilence;
}

/** ISO/IEC 13818-7, 6.2: MPEG-4, no checksum, AAC-LC, 24 kHz, one channel, the frame's length, variable bit rate. */
function adtsFrame(body: Uint8Array): Buffer {
  const length = 7 + body.length;
  const header = [
    0xff,
    0xf1,
    0x58,
    0x40 | (length >> 11),
    (length >> 3) & 255,
    ((length & 7) << 5) | 0x1f,
    0xfc,
  ];
  return Buffer.concat([Buffer.from(header), body]);
}

const frameSeconds = 0.02;
/** Opus counts at 48 kHz, whatever was coded. */
const samplesPerPacket = 960;
/** The samples that a decoder skips at the start: those that the encoder needed to get going. */
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

type Table = Uint32Array;

/** A table for a cyclic redundancy check that takes the highest bit first and begins with 0. */
function tableOf(width: 8 | 16 | 32, polynomial: number): Table {
  const top = 2 ** (width - 1);
  const mask = 2 ** width - 1;
  return Uint32Array.from({ length: 256 }, (_, byte) => {
    let value = (byte << (width - 8)) >>> 0;
    for (let bit = 0; bit < 8; bit += 1) {
      const over = (value & top) !== 0;
      value = ((over ? (value << 1) ^ polynomial : value << 1) & mask) >>> 0;
    }
    return value;
  });
}

function checksum(table: Table, width: 8 | 16 | 32, bytes: Uint8Array): number {
  let value = 0;
  for (const byte of bytes) {
    const index = ((value >>> (width - 8)) ^ byte) & 255;
    value = ((value << 8) ^ (table[index] ?? 0)) >>> 0;
    if (width < 32) value &= 2 ** width - 1;
  }
  return value;
}

const flacHeader = tableOf(8, 0x07);
const flacFrame = tableOf(16, 0x8005);
const oggPage = tableOf(32, 0x04c11db7);

/** Of a FLAC frame's header (RFC 9639, 9.1.8). */
const flacHeaderChecksum = (bytes: Uint8Array): number => checksum(flacHeader, 8, bytes);
/** Of a FLAC frame (RFC 9639, 9.3). */
const flacFrameChecksum = (bytes: Uint8Array): number => checksum(flacFrame, 16, bytes);
/** Of an Ogg page (RFC 3533, 6). */
const oggChecksum = (bytes: Uint8Array): number => checksum(oggPage, 32, bytes);
