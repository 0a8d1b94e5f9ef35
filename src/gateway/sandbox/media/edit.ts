import { setImmediate as turn } from 'node:timers/promises';
import { colourCanvas, paintMark } from './image/canvas.ts';
import { colourOf, randomOf } from './image/looks.ts';
import { checkSize, encodeTrueColour, maxSide, minSide, type Size } from './image/png.ts';
import { type Picture, readPng, rowsInOneGo, UnreadPicture } from './image/read-png.ts';
import { draw } from './picture.ts';

const newSize: Size = { width: 1024, height: 1024 };
const [frame, paper, ink] = [0, 1, 2];

export interface Edited extends Size {
  readonly png: Buffer;
  /** Why the caller's picture is not in it, in a sentence; null: it is. */
  readonly note: string | null;
}

/**
 * The caller's picture in a frame whose colour follows from the prompt, with the mark. It ignores a file that is no simple
 * PNG: it draws a new picture from the prompt, and says so. Without a size it keeps that of the picture, as far as it lies
 * within the limits of `draw`, whose RangeError it throws.
 */
export async function edit(file: Uint8Array, prompt: string, size?: Size): Promise<Edited> {
  if (size) checkSize(size);
  let picture: Picture;
  try {
    picture = await readPng(file);
  } catch (error) {
    if (!(error instanceof UnreadPicture)) throw error;
    const { width, height } = size ?? newSize;
    const note = `The sandbox drew a new picture: the one that was sent ${error.message}.`;
    return { png: draw(prompt, { width, height }), note, width, height };
  }
  const { width, height } = size ?? { width: within(picture.width), height: within(picture.height) };
  const colour = colourOf(randomOf(prompt)() * 360, 0.7, 0.5);
  const canvas = colourCanvas({ width, height }, [colour, [20, 20, 24], [255, 255, 255]]);
  await copy(picture, canvas);
  const edge = Math.max(2, Math.round(Math.min(width, height) / 32));
  canvas.fill(0, 0, width, edge, frame);
  canvas.fill(0, height - edge, width, edge, frame);
  canvas.fill(0, 0, edge, height, frame);
  canvas.fill(width - edge, 0, edge, height, frame);
  paintMark(canvas, 'NO MODEL EDITED THIS', paper, ink);
  return { png: await encodeTrueColour(canvas.pixels, canvas), note: null, width, height };
}

function within(side: number): number {
  return Math.min(Math.max(side, minSide), maxSide);
}

/** Each pixel from the one that lies at its place, over white where it can be seen through. */
async function copy(
  { width, height, channels, pixels, palette }: Picture,
  to: Size & { readonly pixels: Uint8Array },
): Promise<void> {
  const colours = palette ?? pixels;
  const grey = channels < 3 && !palette;
  for (let y = 0, at = 0; y < to.height; y += 1) {
    if (y % rowsInOneGo === 0) await turn();
    const row = Math.floor((y * height) / to.height) * width;
    for (let x = 0; x < to.width; x += 1, at += 3) {
      const from = (row + Math.floor((x * width) / to.width)) * channels;
      const start = palette ? (pixels[from] ?? 0) * 3 : from;
      const alpha = channels % 2 === 0 ? (pixels[from + channels - 1] ?? 0) / 255 : 1;
      for (let part = 0; part < 3; part += 1)
        to.pixels[at + part] = Math.round(
          (colours[start + (grey ? 0 : part)] ?? 0) * alpha + 255 * (1 - alpha),
        );
    }
  }
}
