import { crc32, deflateSync, inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { edit } from '../../../../src/gateway/sandbox/media/edit.ts';
import { encodeTrueColour } from '../../../../src/gateway/sandbox/media/image/png.ts';
import { readPng } from '../../../../src/gateway/sandbox/media/image/read-png.ts';
import { draw } from '../../../../src/gateway/sandbox/media/picture.ts';

/** Its chunks, with their checksums tested. */
function chunksOf(png: Buffer): { type: string; data: Buffer }[] {
  expect(png.subarray(0, 8).toString('hex')).toBe('89504e470d0a1a0a');
  const chunks = [];
  let at = 8;
  while (at < png.length) {
    const length = png.readUInt32BE(at);
    expect(png.readUInt32BE(at + 8 + length)).toBe(crc32(png.subarray(at + 4, at + 8 + length)));
    chunks.push({
      type: png.toString('latin1', at + 4, at + 8),
      data: png.subarray(at + 8, at + 8 + length),
    });
    at += 12 + length;
  }
  return chunks;
}

const chunk = (type: string, data: Uint8Array) => {
  const named = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
};

interface Raw {
  readonly width: number;
  readonly height: number;
  readonly type: number;
  readonly depth?: number;
  readonly interlaced?: number;
  /** Rows with their filters. */
  readonly rows: Uint8Array;
  readonly palette?: readonly number[];
}

function pngOf({ width, height, type, depth = 8, interlaced = 0, rows, palette }: Raw): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([depth, type, 0, 0, interlaced], 8);
  const packed = deflateSync(rows);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    ...(palette ? [chunk('PLTE', Uint8Array.from(palette))] : []),
    // In two parts, as files may have it.
    chunk('IDAT', packed.subarray(0, 5)),
    chunk('IDAT', packed.subarray(5)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** The colour of a pixel of a picture with three channels. */
async function pixel(png: Uint8Array, x: number, y: number): Promise<number[]> {
  const { width, pixels, channels } = await readPng(png);
  expect(channels).toBe(3);
  return [...pixels.subarray((y * width + x) * 3, (y * width + x) * 3 + 3)];
}

describe('a picture of the sandbox', () => {
  test.each([
    [64, 64],
    [256, 256],
    [1024, 1024],
    [1792, 1024],
    [1024, 1792],
    [1792, 1792],
    [64, 1792],
    [1792, 64],
  ])('is a valid PNG of %i × %i pixels', (width, height) => {
    const chunks = chunksOf(draw('a fox', { width, height }));
    expect(chunks.map(({ type }) => type)).toEqual(['IHDR', 'PLTE', 'tEXt', 'tEXt', 'IDAT', 'IEND']);
    const [head, palette, software, comment, packed] = chunks.map(({ data }) => data);
    expect([head?.readUInt32BE(0), head?.readUInt32BE(4), ...(head?.subarray(8) ?? [])]).toEqual([
      width,
      height,
      ...[8, 3, 0, 0, 0],
    ]);
    expect(palette).toHaveLength(256 * 3);
    expect(String(software)).toBe('Software\0Switchyard sandbox');
    expect(String(comment)).toContain('No model drew this.');
    expect(inflateSync(packed ?? '')).toHaveLength((width + 1) * height);
  });

  test('has the word of the sandbox at its foot', async () => {
    const { width, height, pixels, palette } = await readPng(draw('a fox', { width: 64, height: 64 }));
    const isWhite = (x: number, y: number) => {
      const ink = pixels[y * width + x] ?? 0;
      return palette?.subarray(ink * 3, ink * 3 + 3).every((part) => part === 255);
    };
    const rows = Array.from({ length: 7 }, (_, y) =>
      Array.from({ length: 41 }, (__, x) => (isWhite(2 + x, height - 9 + y) ? '#' : ' ')).join(''),
    );
    expect(rows.map((row) => row.trimEnd())).toEqual([
      ' ####  ###  #   # ####  ####   ###  #   #',
      '#     #   # ##  # #   # #   # #   # #   #',
      '#     #   # ##  # #   # #   # #   #  # #',
      ' ###  ##### # # # #   # ####  #   #   #',
      '    # #   # #  ## #   # #   # #   #  # #',
      '    # #   # #  ## #   # #   # #   # #   #',
      '####  #   # #   # ####  ####   ###  #   #',
    ]);
  });

  test('is the same for the same prompt, and another for another', () => {
    const size = { width: 200, height: 100 };
    const prompts = ['a fox', 'a fox.', 'A fox', '', '狐', 'a fox in the snow'];
    expect(new Set(prompts.map((prompt) => draw(prompt, size).toString('base64'))).size).toBe(prompts.length);
    for (const prompt of prompts) expect(draw(prompt, size)).toEqual(draw(prompt, size));
  });

  test('can be drawn of any prompt in any size', async () => {
    const side = fc.integer({ min: 64, max: 1792 });
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), side, side, async (prompt, width, height) => {
        expect(await readPng(draw(prompt, { width, height }))).toMatchObject({ width, height });
      }),
      { numRuns: 30 },
    );
  });

  test.each([
    [63, 64, 'width'],
    [64, 1793, 'height'],
    [64.5, 64, 'width'],
    [Number.NaN, 64, 'width'],
  ])('cannot have %d × %d pixels', (width, height, side) => {
    expect(() => draw('x', { width, height })).toThrow(`${side} must be an integer from 64 to 1792`);
  });
});

describe('an edited picture of the sandbox', () => {
  // Too small for an output: each pixel of the input is a square of 32 pixels there.
  const [red, green, blue, white] = [
    [200, 0, 0],
    [0, 200, 0],
    [0, 0, 200],
    [255, 255, 255],
  ];
  const [left, right] = [
    [16, 16],
    [48, 16],
  ] as const;

  /** Two pixels beside each other, in one row with its filter. */
  const two = (type: number, ...row: number[]): Raw => ({
    width: 2,
    height: 1,
    type,
    rows: Uint8Array.from(row),
  });

  test.each<[string, Raw, readonly number[] | undefined, readonly number[] | undefined]>([
    ['colours', two(2, 0, 200, 0, 0, 0, 200, 0), red, green],
    ['colours under a filter', two(2, 1, 200, 0, 0, 56, 200, 0), red, green],
    ['colours that are seen through', two(6, 0, 0, 0, 200, 255, 9, 9, 9, 0), blue, white],
    ['greys', two(0, 0, 7, 255), [7, 7, 7], white],
    ['greys that are seen through', two(4, 0, 7, 255, 7, 0), [7, 7, 7], white],
    ['a palette', { ...two(3, 0, 1, 0), palette: [0, 200, 0, 200, 0, 0] }, red, green],
  ])('keeps %s of the one that was sent', async (_, raw, first, second) => {
    const { png, note, ...size } = await edit(pngOf(raw), 'anything', { width: 64, height: 64 });
    expect(note).toBeNull();
    expect(size).toEqual({ width: 64, height: 64 });
    chunksOf(png);
    expect(await pixel(png, ...left)).toEqual(first);
    expect(await pixel(png, ...right)).toEqual(second);
  });

  test('has a frame that the prompt colours, the mark, and the size of the one that was sent', async () => {
    const grey = new Uint8Array(100 * 80 * 3).fill(128);
    const sent = await encodeTrueColour(grey, { width: 100, height: 80 });
    const one = await edit(sent, 'warmer');
    expect(one).toMatchObject({ width: 100, height: 80, note: null });
    expect(await edit(sent, 'warmer')).toEqual(one);
    const other = await edit(sent, 'colder');
    expect(await pixel(other.png, 0, 0)).not.toEqual(await pixel(one.png, 0, 0));
    expect(await pixel(one.png, 50, 20)).toEqual([128, 128, 128]);
    expect(await pixel(one.png, 1, 79)).toEqual([20, 20, 24]);
  });

  test('is read back as it was written, whatever the pixels', async () => {
    const size = fc.tuple(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 20 }));
    const picture = size.chain(([width, height]) =>
      fc.record({
        width: fc.constant(width),
        height: fc.constant(height),
        pixels: fc.uint8Array({ minLength: width * height * 3, maxLength: width * height * 3 }),
      }),
    );
    await fc.assert(
      fc.asyncProperty(picture, async ({ width, height, pixels }) => {
        const { pixels: read } = await readPng(await encodeTrueColour(pixels, { width, height }));
        expect([...read]).toEqual([...pixels]);
      }),
      { numRuns: 50 },
    );
  });

  const blank = (width: number, height: number, type: number, more: Partial<Raw> = {}) =>
    pngOf({ width, height, type, rows: new Uint8Array(7), ...more });
  test.each<[string, Uint8Array, string]>([
    ['a JPEG', Buffer.from('ffd8ffe000104a464946', 'hex'), 'is not a PNG'],
    ['nothing', new Uint8Array(), 'is not a PNG'],
    ['a signature alone', Buffer.from('89504e470d0a1a0a', 'hex'), 'is broken'],
    ['16 bits a channel', blank(1, 1, 2, { depth: 16 }), '8 bits a channel'],
    ['an interlaced one', blank(2, 1, 2, { interlaced: 1 }), 'is interlaced'],
    ['too many pixels', blank(65_535, 65_535, 2), 'more than 2048 × 2048 pixels'],
    ['too little data', blank(3, 1, 2), 'is broken'],
    ['more data than pixels', blank(1, 1, 2, { rows: new Uint8Array(50_000_000) }), 'is broken'],
    ['no palette', blank(6, 1, 3), 'is broken'],
    ['an unknown filter', pngOf(two(2, 5, 0, 0, 0, 0, 0, 0)), 'is broken'],
    ['no pixels', blank(0, 1, 2), 'is broken'],
    ['a cut one', blank(2, 1, 2).subarray(0, 60), 'is broken'],
  ])('is a new one, and says so, where %s was sent', async (_, sent, why) => {
    const { png, note, width, height } = await edit(sent, 'a fox');
    expect(note).toContain('The sandbox drew a new picture: the one that was sent ');
    expect(note).toContain(why);
    expect(png).toEqual(draw('a fox', { width, height }));
  });

  test('is made of any bytes behind a head that is in order', async () => {
    const good = await encodeTrueColour(new Uint8Array(64 * 64 * 3).fill(9), { width: 64, height: 64 });
    await fc.assert(
      fc.asyncProperty(fc.nat(good.length - 1), fc.nat(255), async (at, byte) => {
        const bent = Buffer.from(good);
        bent[at] = byte;
        // Sizes that the damage names are kept small here: what counts is that nothing else is thrown.
        const { png } = await edit(bent, 'x', { width: 64, height: 64 });
        expect(png.toString('latin1', 1, 4)).toBe('PNG');
      }),
      { numRuns: 200 },
    );
  });

  test('cannot have another size than a new one could', async () => {
    await expect(edit(new Uint8Array(), 'x', { width: 10, height: 64 })).rejects.toThrow('width must be');
  });
});
