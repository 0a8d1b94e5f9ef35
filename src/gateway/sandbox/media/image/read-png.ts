import { setImmediate as turn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { inflate, type ZlibOptions } from 'node:zlib';
import { pngSignature, type Size } from './png.ts';

const inflated = promisify<Uint8Array, ZlibOptions, Buffer>(inflate);

/** Most pixels of a picture that is read. Unpacked it takes four bytes for each. */
const maxPixels = 2048 * 2048;
/** Rows that are worked on before others have their turn: some milliseconds. */
export const rowsInOneGo = 64;
/** Bytes for each pixel by the type of colour, where each channel has 8 bits: grey, colour, palette, grey and colour with alpha. */
const channelsByType: ReadonlyMap<number, number> = new Map([
  [0, 1],
  [2, 3],
  [3, 1],
  [4, 2],
  [6, 4],
]);

export interface Picture extends Size {
  readonly channels: number;
  readonly pixels: Uint8Array;
  /** Three bytes for each colour; null: the pixels are their own colours. */
  readonly palette: Uint8Array | null;
}

/** Why a picture was not read, as the end of a sentence: "the picture …". */
export class UnreadPicture extends Error {
  override readonly name = 'UnreadPicture';
}

/**
 * Reads a PNG of 8 bits a channel that is not interlaced and has at most 2048 × 2048 pixels. Throws an UnreadPicture for
 * any other file, a broken one included. Checksums are not looked at.
 */
export async function readPng(file: Uint8Array): Promise<Picture> {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  if (!bytes.subarray(0, pngSignature.length).equals(pngSignature)) throw new UnreadPicture('is not a PNG');
  const chunks = chunksOf(bytes);
  const [head] = chunks;
  if (head?.type !== 'IHDR' || head.data.length !== 13) throw new UnreadPicture('is broken');
  const [width, height] = [head.data.readUInt32BE(0), head.data.readUInt32BE(4)];
  if (width === 0 || height === 0) throw new UnreadPicture('is broken');
  if (width * height > maxPixels) throw new UnreadPicture('has more than 2048 × 2048 pixels');
  const [depth, type = -1, , , interlaced] = head.data.subarray(8);
  const channels = channelsByType.get(type);
  if (depth !== 8 || channels === undefined || interlaced !== 0)
    throw new UnreadPicture('is interlaced or does not have 8 bits a channel');
  const palette = chunks.find((chunk) => chunk.type === 'PLTE')?.data ?? null;
  if (type === 3 && !palette) throw new UnreadPicture('is broken');
  const packed = chunks.filter((chunk) => chunk.type === 'IDAT').map(({ data }) => data);
  const length = (width * channels + 1) * height;
  const rows = await unpacked(Buffer.concat(packed), length);
  return {
    width,
    height,
    channels,
    pixels: await unfiltered(rows, width * channels, channels),
    palette: type === 3 ? palette : null,
  };
}

function chunksOf(bytes: Buffer): readonly { readonly type: string; readonly data: Buffer }[] {
  const chunks = [];
  for (let at = pngSignature.length; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    if (at + 12 + length > bytes.length) throw new UnreadPicture('is broken');
    chunks.push({
      type: bytes.toString('latin1', at + 4, at + 8),
      data: bytes.subarray(at + 8, at + 8 + length),
    });
    at += 12 + length;
  }
  return chunks;
}

/** At most as much as the header lets expect: a small file can unpack to gigabytes. */
async function unpacked(packed: Buffer, length: number): Promise<Buffer> {
  let rows: Buffer;
  try {
    rows = await inflated(packed, { maxOutputLength: length });
  } catch (error) {
    throw new UnreadPicture('is broken', { cause: error });
  }
  if (rows.length !== length) throw new UnreadPicture('is broken');
  return rows;
}

/** Takes back the filter of each row (section 9 of the specification), and gives others their turn in between. */
async function unfiltered(rows: Buffer, rowLength: number, channels: number): Promise<Uint8Array> {
  const height = rows.length / (rowLength + 1);
  const pixels = new Uint8Array(rowLength * height);
  for (let y = 0; y < height; y += 1) {
    if (y % rowsInOneGo === 0) await turn();
    const filter = rows[y * (rowLength + 1)] ?? 0;
    if (filter > 4) throw new UnreadPicture('is broken');
    const start = y * rowLength;
    for (let x = 0; x < rowLength; x += 1) {
      const left = x >= channels ? (pixels[start + x - channels] ?? 0) : 0;
      const up = y > 0 ? (pixels[start + x - rowLength] ?? 0) : 0;
      const corner = x >= channels && y > 0 ? (pixels[start + x - rowLength - channels] ?? 0) : 0;
      pixels[start + x] = (rows[start + y + 1 + x] ?? 0) + predicted(filter, left, up, corner);
    }
  }
  return pixels;
}

function predicted(filter: number, left: number, up: number, corner: number): number {
  if (filter === 0) return 0;
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  const guess = left + up - corner;
  const [toLeft, toUp, toCorner] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}
