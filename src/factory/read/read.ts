import { factoryKinds } from './kinds.ts';
import { readPrompt } from './reader.ts';
import type { Reading, ReadOptions } from './reading.ts';

/** Reads a prompt by rules alone, for the kinds that there are: the same prompt always gives the same reading. */
export const read = (prompt: string, options: ReadOptions = {}): Reading =>
  readPrompt(prompt, options, factoryKinds);
