import type { Reading, ReadOptions } from './draft.ts';
import { factoryKinds } from './kinds.ts';
import { readPrompt } from './reader.ts';

/** Reads a prompt by rules alone, for the kinds that there are: the same prompt always gives the same reading. */
export const read = (prompt: string, options: ReadOptions = {}): Reading =>
  readPrompt(prompt, options, factoryKinds);
