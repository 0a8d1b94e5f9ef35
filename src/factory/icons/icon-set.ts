import { drawings } from '../../../generated/icons.gen.ts';
import type { Drawing } from './drawing.ts';

/** The names of all pictures, sorted. */
export const iconNames: readonly string[] = Object.keys(drawings);

/** Whether there is a picture of this name. */
export const isIcon = (name: string): boolean => Object.hasOwn(drawings, name);

/** Throws a `RangeError` where there is no picture of this name. */
export function drawingOf(name: string): Drawing {
  const drawing = isIcon(name) ? drawings[name] : undefined;
  if (!drawing) throw new RangeError(`there is no picture ${JSON.stringify(name)}`);
  return drawing;
}
