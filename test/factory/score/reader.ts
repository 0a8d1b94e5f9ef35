import { makeSpec } from '../../../src/factory/planner/make-spec.ts';
import type { AppSpec } from '../../../src/factory/spec.ts';
import type { Reading } from './reading.ts';

/** What is scored: the reader of prompts. Today's planner says nothing of what it does not take up. */
export function read(prompt: string): Reading & { readonly spec: AppSpec } {
  return { spec: makeSpec(prompt), notTakenUp: [], unserved: null };
}
