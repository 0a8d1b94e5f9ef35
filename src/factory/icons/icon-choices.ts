import { drawings, iconWords } from '../../../generated/icons.gen.ts';
import type { Drawing } from './drawing.ts';

/** A picture that an app can have. */
export interface IconChoice {
  readonly name: string;
  readonly drawing: Drawing;
  /** By which people look for it, in all languages. */
  readonly words: string;
}

/** Every picture that an app can have. */
export const iconChoices = (): IconChoice[] =>
  Object.entries(drawings).map(([name, drawing]) => ({
    name,
    drawing,
    words: [...new Set(Object.values(iconWords).flatMap((words) => words[name] ?? []))].join(' '),
  }));
