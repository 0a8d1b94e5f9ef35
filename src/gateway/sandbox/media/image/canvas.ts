import type { Colour, Size } from './png.ts';

/** Letters of 5 by 7 pixels: the ones that the mark is written with. */
const letters: Readonly<Record<string, readonly string[]>> = {
  A: ['.###.', '#...#', '#...#', '#####', '#...#', '#...#', '#...#'],
  B: ['####.', '#...#', '#...#', '####.', '#...#', '#...#', '####.'],
  C: ['.####', '#....', '#....', '#....', '#....', '#....', '.####'],
  D: ['####.', '#...#', '#...#', '#...#', '#...#', '#...#', '####.'],
  E: ['#####', '#....', '#....', '####.', '#....', '#....', '#####'],
  H: ['#...#', '#...#', '#...#', '#####', '#...#', '#...#', '#...#'],
  I: ['.###.', '..#..', '..#..', '..#..', '..#..', '..#..', '.###.'],
  L: ['#....', '#....', '#....', '#....', '#....', '#....', '#####'],
  M: ['#...#', '##.##', '#.#.#', '#.#.#', '#...#', '#...#', '#...#'],
  N: ['#...#', '##..#', '##..#', '#.#.#', '#..##', '#..##', '#...#'],
  O: ['.###.', '#...#', '#...#', '#...#', '#...#', '#...#', '.###.'],
  R: ['####.', '#...#', '#...#', '####.', '#.#..', '#..#.', '#...#'],
  S: ['.####', '#....', '#....', '.###.', '....#', '....#', '####.'],
  T: ['#####', '..#..', '..#..', '..#..', '..#..', '..#..', '..#..'],
  W: ['#...#', '#...#', '#...#', '#.#.#', '#.#.#', '##.##', '#...#'],
  X: ['#...#', '#...#', '.#.#.', '..#..', '.#.#.', '#...#', '#...#'],
};

const letterHeight = 7;

/** A letter and the gap behind it. */
const advance = 6;

/** A surface to paint on: rectangles of one colour, cut at the edges. */
export interface Canvas extends Size {
  readonly pixels: Uint8Array;
  fill(x: number, y: number, width: number, height: number, ink: number): void;
}

/** A canvas of a byte for each pixel, which is the number of a colour. */
export function indexedCanvas(size: Size): Canvas {
  return canvasOf(
    size,
    Array.from({ length: 256 }, (_, ink) => [ink]),
  );
}

/** A canvas of three bytes for each pixel. Inks are numbers of colours in the palette. */
export function colourCanvas(size: Size, palette: readonly Colour[]): Canvas {
  return canvasOf(size, palette);
}

/** @param inks the bytes of a pixel in each */
function canvasOf({ width, height }: Size, inks: readonly (readonly number[])[]): Canvas {
  const depth = inks[0]?.length ?? 1;
  const pixels = new Uint8Array(width * height * depth);
  return {
    width,
    height,
    pixels,
    fill(x, y, w, h, ink) {
      const [left, right] = [clamped(x, width), clamped(x + w, width)];
      const [top, bottom] = [clamped(y, height), clamped(y + h, height)];
      const line = Buffer.alloc(Math.max(0, right - left) * depth, Uint8Array.from(inks[ink] ?? []));
      for (let row = top; row < bottom; row += 1) pixels.set(line, (row * width + left) * depth);
    },
  };
}

function clamped(value: number, max: number): number {
  return Math.min(Math.max(Math.round(value), 0), max);
}

export function fillCircle(canvas: Canvas, x: number, y: number, radius: number, ink: number): void {
  for (let row = Math.floor(y - radius); row <= y + radius; row += 1) {
    const half = Math.sqrt(Math.max(radius ** 2 - (row - y) ** 2, 0));
    canvas.fill(x - half, row, half * 2, 1, ink);
  }
}

/**
 * Writes the mark at the foot of a picture, as wide as it allows: the word, and below it what it means where there is
 * room for a line that can be read.
 */
export function paintMark(canvas: Canvas, line: string, paper: number, ink: number): void {
  const { width, height } = canvas;
  const word = 'SANDBOX';
  const scale = Math.max(1, Math.floor(Math.min(width / 2.5, height) / lineWidth(word)));
  const small = Math.floor(Math.min(scale * lineWidth(word) * 1.35, width - 4 * scale) / lineWidth(line));
  const gap = 2 * scale;
  const boxHeight = letterHeight * scale + 2 * gap + (small > 0 ? letterHeight * small + gap : 0);
  const boxWidth = Math.max(lineWidth(word) * scale, small * lineWidth(line)) + 2 * gap;
  const top = height - boxHeight;
  canvas.fill(0, top, boxWidth, boxHeight, paper);
  paintLine(canvas, word, gap, top + gap, scale, ink);
  if (small > 0) paintLine(canvas, line, gap, top + 2 * gap + letterHeight * scale, small, ink);
}

function paintLine(
  canvas: Canvas,
  text: string,
  left: number,
  top: number,
  scale: number,
  ink: number,
): void {
  for (const [x, y] of linePixels(text)) canvas.fill(left + x * scale, top + y * scale, scale, scale, ink);
}

/** Width of a line, in pixels of the letters. */
function lineWidth(text: string): number {
  return text.length * advance - 1;
}

/** The pixels that a line of text sets, from its upper left corner. Any other character is a blank. */
function* linePixels(text: string): Generator<readonly [x: number, y: number]> {
  for (const [index, letter] of [...text].entries()) {
    for (const [y, row] of (letters[letter] ?? []).entries()) {
      for (let x = 0; x < row.length; x += 1) if (row[x] === '#') yield [index * advance + x, y];
    }
  }
}
