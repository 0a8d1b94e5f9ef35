import { fillCircle, indexedCanvas, paintMark } from './image/canvas.ts';
import { colourOf, randomOf } from './image/looks.ts';
import { type Colour, checkSize, encodeIndexed, type Size } from './image/png.ts';

/** Shades of the background, from its top to its foot. */
const shades = 24;
const shapes = 14;
const paper = 254;
const ink = 255;

/**
 * A PNG of shapes whose colours, places and sizes follow from the prompt: the same prompt gives the same picture. A mark
 * says that the sandbox made it. Each side is an integer from 64 to 1792. Throws a RangeError otherwise.
 */
export function draw(prompt: string, size: Size): Buffer {
  checkSize(size);
  const random = randomOf(prompt);
  const canvas = indexedCanvas(size);
  const { width, height } = canvas;
  const hue = random() * 360;
  const palette: Colour[] = Array.from({ length: 256 }, () => [0, 0, 0]);
  for (let band = 0; band < shades; band += 1) {
    palette[band] = colourOf(hue + band * 2, 0.5, 0.25 + (0.5 * band) / shades);
    canvas.fill(0, (band * height) / shades, width, height / shades + 1, band);
  }
  const unit = Math.min(width, height);
  for (let n = 0; n < shapes; n += 1) {
    const colour = shades + n;
    palette[colour] = colourOf(hue + 360 * random() ** 2, 0.55 + 0.4 * random(), 0.35 + 0.4 * random());
    const [x, y, length] = [random() * width, random() * height, unit * (0.05 + 0.2 * random())];
    const kind = random();
    if (kind < 0.5) fillCircle(canvas, x, y, length, colour);
    else if (kind < 0.75) canvas.fill(x - length, y - length / 2, length * 2, length, colour);
    else
      for (let step = 0; step < 5; step += 1)
        canvas.fill(x, y + step * length * 0.3, length * 1.5, length * 0.12, colour);
  }
  palette[paper] = [20, 20, 24];
  palette[ink] = [255, 255, 255];
  paintMark(canvas, markLine, paper, ink);
  return encodeIndexed(canvas.pixels, canvas, palette);
}

/** The line below the mark. */
const markLine = 'NO MODEL DREW THIS';
