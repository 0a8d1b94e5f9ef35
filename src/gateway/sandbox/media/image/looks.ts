import { createHash } from 'node:crypto';
import type { Colour } from './png.ts';

/** Numbers from 0 to 1 that follow from a text (mulberry32 over a part of its SHA-256). */
export function randomOf(text: string): () => number {
  let state = createHash('sha256').update(text).digest().readUInt32LE(0);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** From hue in degrees, saturation and lightness from 0 to 1 (CSS Color 4, 7.1). */
export function colourOf(hue: number, saturation: number, lightness: number): Colour {
  const amplitude = saturation * Math.min(lightness, 1 - lightness);
  const part = (n: number) => {
    const k = (n + hue / 30) % 12;
    return Math.round(255 * (lightness - amplitude * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
  };
  return [part(0), part(8), part(4)];
}
