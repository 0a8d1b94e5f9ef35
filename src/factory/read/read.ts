import { withIcon } from '../icons/spec-icon.ts';
import { makeSpec, type SpecOptions } from '../planner/make-spec.ts';
import type { Reading } from './reading.ts';

/** Reads a prompt by rules alone: the same prompt always gives the same reading. */
export function read(prompt: string, options: SpecOptions = {}): Reading {
  return { spec: withIcon(makeSpec(prompt, options)), notTakenUp: [], unserved: null };
}
