import { promisify } from 'node:util';
import { crc32, deflate, deflateSync, type ZlibOptions } from 'node:zlib';

/** The first bytes of every PNG. */
export const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const deflated = promisify<Uint8Array, ZlibOptions, Buffer>(deflate);

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Least and greatest length of a side, in pixels: the mark has to fit in, and OpenAI's pictures are no larger. */
export const minSide = 64;
export const maxSide = 1792;

/** Throws a RangeError that names the side that is out of range. */
export function checkSize({ width, height }: Size): void {
  for (const [name, side] of Object.entries({ width, height })) {
    if (!Number.isInteger(side) || side < minSide || side > maxSide)
      throw new RangeError(`${name} must be an integer from ${minSide} to ${maxSide}, not ${side}.`);
  }
}

/** A colour as three bytes: red, green, blue. */
export type Colour = readonly [number, number, number];

/** A picture's description of itself, in Latin-1, by PNG's own keywords. */
const notes: Readonly<Record<string, string>> = {
  Software: 'Switchyard sandbox',
  Comment: 'Made up by the sandbox of Switchyard. No model drew this.',
};

/** A PNG (https://www.w3.org/TR/png-3/) of up to 256 colours, with a byte for each pixel that says which. */
export function encodeIndexed(pixels: Uint8Array, size: Size, palette: readonly Colour[]): Buffer {
  // Flat pictures pack best without filters.
  const rows = filtered(pixels, size.width, 0);
  const packed = deflateSync(rows, { level: 3 });
  return file(size, 3, [chunk('PLTE', Uint8Array.from(palette.flat()))], packed);
}

/** A PNG of three bytes for each pixel: red, green, blue. */
export async function encodeTrueColour(pixels: Uint8Array, size: Size): Promise<Buffer> {
  return file(size, 2, [], await deflated(filtered(pixels, size.width * 3, 3), { level: 1 }));
}

/** Each row under its filter: none, or the difference to the pixel at the left. */
function filtered(pixels: Uint8Array, rowLength: number, back: number): Buffer {
  const height = pixels.length / rowLength;
  const rows = Buffer.alloc((rowLength + 1) * height);
  for (let y = 0; y < height; y += 1) {
    const from = y * rowLength;
    const to = y * (rowLength + 1) + 1;
    rows.set(pixels.subarray(from, from + rowLength), to);
    if (back === 0) continue;
    rows[to - 1] = 1;
    for (let x = rowLength - 1; x >= back; x -= 1)
      rows[to + x] = (pixels[from + x] ?? 0) - (pixels[from + x - back] ?? 0);
  }
  return rows;
}

function file({ width, height }: Size, colourType: 2 | 3, before: readonly Buffer[], packed: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  header[9] = colourType;
  const texts = Object.entries(notes).map(([name, note]) =>
    chunk('tEXt', Buffer.from(`${name}\0${note}`, 'latin1')),
  );
  const parts = [pngSignature, chunk('IHDR', header), ...before, ...texts, chunk('IDAT', packed)];
  return Buffer.concat([...parts, chunk('IEND', Buffer.alloc(0))]);
}

function chunk(type: string, data: Uint8Array): Buffer {
  const whole = Buffer.alloc(12 + data.length);
  whole.writeUInt32BE(data.length, 0);
  whole.write(type, 4, 'latin1');
  whole.set(data, 8);
  whole.writeUInt32BE(crc32(whole.subarray(4, 8 + data.length)), 8 + data.length);
  return whole;
}
