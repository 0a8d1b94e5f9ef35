import { read as readPrompt } from '../../../src/factory/read/read.ts';
import type { AppSpec } from '../../../src/factory/spec.ts';

/** What is scored: the reader of prompts. */
export function read(prompt: string): Reading & { readonly spec: AppSpec } {
  const { spec, notTakenUp, unserved, doubt } = readPrompt(prompt);
  return {
    spec,
    notTakenUp,
    unserved: unserved && `${unserved.head}: ${unserved.message}`,
    doubt: doubt ? `${doubt.head}: ${doubt.message}` : null,
    choices: (unserved ?? doubt)?.nearest.slice(0, 3) ?? [],
  };
}

/** What the reader of prompts says beside its spec. */
export interface Reading {
  /** What the prompt asks for and the spec does not have. */
  readonly notTakenUp: readonly string[];
  /** The head noun that no kind serves, or a sentence that names it; null if a kind serves the prompt. */
  readonly unserved: string | null;
  /** The question that is asked first where the reader is not sure; null or left out where it is. */
  readonly doubt?: string | null;
  /** The kinds that the question, or what is said of no kind, offers. */
  readonly choices?: readonly string[];
}
