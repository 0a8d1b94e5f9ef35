import { read as readPrompt } from '../../../src/factory/read/read.ts';
import type { AppSpec } from '../../../src/factory/spec.ts';
import type { Reading } from './reading.ts';

/** What is scored: the reader of prompts. */
export function read(prompt: string): Reading & { readonly spec: AppSpec } {
  const { spec, notTakenUp, unserved } = readPrompt(prompt);
  return { spec, notTakenUp, unserved: unserved && `${unserved.head}: ${unserved.message}` };
}
