import { type Drawing, drawings, iconWords } from '../../../generated/icons.gen.ts';

/** Every picture that an app can have. */
export const iconChoices = (): IconChoice[] =>
  Object.entries(drawings).map(([name, drawing]) => ({
    name,
    drawing,
    words: [...new Set(Object.values(iconWords).flatMap((words) => words[name] ?? []))].join(' '),
  }));

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

/** A picture that an app can have. */
interface IconChoice {
  readonly name: string;
  readonly drawing: Drawing;
  /** By which people look for it, in all languages. */
  readonly words: string;
}
