/**
 * Readers of the audio that the sandbox makes, written from the formats' own specifications. Each throws where a rule
 * is broken, and gives the length in seconds.
 */
export interface Sound {
  readonly seconds: number;
  readonly frames: number;
  /** Where the reader decodes. */
  readonly samples?: readonly number[];
}

export function readWav(bytes: Buffer): Sound {
  check(text(bytes, 0, 4) === 'RIFF' && text(bytes, 8, 16) === 'WAVEfmt ', 'head');
  check(bytes.readUInt32LE(4) === bytes.length - 8, 'length of the file');
  check(
    bytes.readUInt16LE(20) === 1 && bytes.readUInt16LE(22) === 1 && bytes.readUInt16LE(34) === 16,
    'format',
  );
  const rate = bytes.readUInt32LE(24);
  check(bytes.readUInt32LE(28) === rate * 2 && bytes.readUInt16LE(32) === 2, 'byte rate');
  check(text(bytes, 36, 40) === 'data' && bytes.readUInt32LE(40) === bytes.length - 44, 'length of the data');
  const samples = readPcm(bytes.subarray(44));
  return { seconds: samples.length / rate, frames: samples.length, samples };
}

export function readPcm(bytes: Buffer): readonly number[] {
  return Array.from({ length: bytes.length / 2 }, (_, at) => bytes.readInt16LE(at * 2));
}

/** MPEG-2 Layer III at a constant rate, one channel. */
export function readMp3(bytes: Buffer): Sound {
  const kilobits = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
  let frames = 0;
  for (let at = 0; at < bytes.length; frames += 1) {
    check(bytes.readUInt16BE(at) === 0xfff3, `sync at ${at}`);
    const third = bytes.readUInt8(at + 2);
    check(((third >> 2) & 3) === 1 && bytes.readUInt8(at + 3) >> 6 === 3, 'rate and mode');
    const length = Math.floor((72 * (kilobits[third >> 4] ?? 0) * 1000) / 24_000) + ((third >> 1) & 1);
    check(bytes.readUInt8(at + 4) === 0, 'it begins in an earlier frame');
    const used = ((bytes.readUInt8(at + 5) & 0x7f) << 5) | (bytes.readUInt8(at + 6) >> 3);
    check(13 + used / 8 <= length, 'it is longer than its frame');
    at += length;
    check(at <= bytes.length, 'the last frame is cut');
  }
  return { seconds: (frames * 576) / 24_000, frames };
}

export function readAdts(bytes: Buffer): Sound {
  let frames = 0;
  for (let at = 0; at < bytes.length; frames += 1) {
    check(bytes.readUInt16BE(at) === 0xfff1, `sync at ${at}`);
    // AAC-LC, 24 kHz, one channel.
    check((bytes.readUInt16BE(at + 2) & 0xfdc0) === 0x5840, 'profile, rate and channels');
    const length = (bytes.readUIntBE(at + 3, 3) >> 5) & 0x1fff;
    check(length > 7, 'length');
    at += length;
    check(at <= bytes.length, 'the last frame is cut');
  }
  return { seconds: (frames * 1024) / 24_000, frames };
}

export function readOpus(bytes: Buffer): Sound {
  const packets: Buffer[] = [];
  let sequence = 0;
  let position = 0;
  let last = 0;
  for (let at = 0; at < bytes.length; sequence += 1) {
    check(text(bytes, at, at + 4) === 'OggS' && bytes[at + 4] === 0, `page at ${at}`);
    last = bytes.readUInt8(at + 5);
    check(last === (sequence === 0 ? 2 : last & 4), 'flags');
    check(bytes.readUInt32LE(at + 18) === sequence, 'number of the page');
    const next = Number(bytes.readBigInt64LE(at + 6));
    check(next >= position, 'position');
    position = next;
    const count = bytes.readUInt8(at + 26);
    let end = at + 27 + count;
    for (const length of bytes.subarray(at + 27, end)) {
      packets.push(bytes.subarray(end, end + length));
      end += length;
    }
    const page = Buffer.from(bytes.subarray(at, end));
    page.writeUInt32LE(0, 22);
    check(bytes.readUInt32LE(at + 22) === remainder(page, 32, 0x04c11db7), 'checksum of a page');
    at = end;
  }
  check(last === 4, 'the last page says that it is');
  const [head, tags, ...sound] = packets;
  check(head !== undefined && text(head, 0, 8) === 'OpusHead' && head[9] === 1, 'head');
  check(tags !== undefined && text(tags, 0, 8) === 'OpusTags', 'tags');
  check(
    sound.every((packet) => packet[0] === 0x98),
    'mode of a packet',
  );
  const skipped = head?.readUInt16LE(10) ?? 0;
  check(sound.length * 960 >= position, 'there is as much as the last page says');
  return { seconds: (position - skipped) / 48_000, frames: sound.length };
}

/** Blocks that are constant or verbatim only, one channel, 16 bits, 24 kHz. */
export function readFlac(bytes: Buffer): Sound {
  check(text(bytes, 0, 4) === 'fLaC' && bytes[4] === 0 && bytes.readUIntBE(5, 3) === 34, 'head');
  const packed = bytes.readBigUInt64BE(8 + 10);
  check(packed >> 44n === 24_000n && ((packed >> 36n) & 0xffn) === 15n, 'rate, channels and bits');
  let at = 42;
  for (let isLast = false; !isLast; ) {
    isLast = (bytes.readUInt8(at) & 0x80) !== 0;
    at += 4 + bytes.readUIntBE(at + 1, 3);
  }
  const samples: number[] = [];
  let frames = 0;
  for (; at < bytes.length; frames += 1) {
    const start = at;
    check(bytes.readUInt32BE(at) === 0xfff87708, `frame at ${at}`);
    at += 4;
    const number: number[] = [];
    do number.push(bytes.readUInt8(at++));
    while ((bytes.readUInt8(at) & 0xc0) === 0x80 && number.length < (number[0] ?? 0) / 64);
    check(Buffer.from(number).toString('utf8') === String.fromCodePoint(frames), 'number of the frame');
    const size = bytes.readUInt16BE(at) + 1;
    at += 2;
    check(bytes[at] === remainder(bytes.subarray(start, at), 8, 0x07), 'checksum of a head');
    const kind = bytes.readUInt8(at + 1);
    check(kind === 0 || kind === 2, 'kind of a block');
    at += 2;
    for (let n = 0; n < size; n += 1) samples.push(bytes.readInt16BE(at + (kind === 0 ? 0 : n * 2)));
    at += (kind === 0 ? 1 : size) * 2;
    check(bytes.readUInt16BE(at) === remainder(bytes.subarray(start, at), 16, 0x8005), 'checksum of a frame');
    at += 2;
  }
  check(BigInt(samples.length) === (packed & 0xfffffffffn), 'number of samples');
  return { seconds: samples.length / 24_000, frames, samples };
}

/** The remainder of a division of polynomials, bit by bit. */
function remainder(bytes: Uint8Array, width: number, polynomial: number): number {
  let value = 0;
  for (const byte of bytes) {
    for (let bit = 7; bit >= 0; bit -= 1) {
      const over = ((value >>> (width - 1)) ^ (byte >> bit)) & 1;
      value = (value << 1) ^ (over ? polynomial : 0);
    }
  }
  return width === 32 ? value >>> 0 : value & (2 ** width - 1);
}

function text(bytes: Buffer, start: number, end: number): string {
  return bytes.toString('latin1', start, end);
}

function check(holds: boolean, what: string): void {
  if (!holds) throw new Error(`The audio is not valid: ${what}.`);
}

/** A WAV file of silence: 16,000 bytes a second. */
export function wav(data: number, told = data, between = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(36);
  head.write('RIFF\0\0\0\0WAVEfmt \x10', 'latin1');
  head.writeUInt32LE(16_000, 28);
  const size = Buffer.from('data\0\0\0\0', 'latin1');
  size.writeUInt32LE(told, 4);
  return Buffer.concat([head, between, size, Buffer.alloc(data)]);
}
