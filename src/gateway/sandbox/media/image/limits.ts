import type { Size } from './png.ts';

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
