import type { AppSpec, Lang, TemplateName } from '../spec.ts';

export interface ReadOptions {
  /** Takes the kind as given instead of reading it from the prompt. */
  readonly kind?: TemplateName;
  /** Takes the language as given. */
  readonly lang?: Lang;
  /** What is not taken up is reckoned against this spec in place of the one that the prompt leads to. */
  readonly against?: AppSpec;
}

/** What was understood of a prompt, and what was not. */
export interface Reading {
  readonly spec: AppSpec;
  /** Words, numbers, names and quoted texts of the prompt that the spec has no place for, in their order. */
  readonly notTakenUp: readonly string[];
  /** What was asked for and no kind serves; null where one does. */
  readonly unserved: Unserved | null;
}

export interface Unserved {
  /** What was asked for, as the prompt says it. */
  readonly head: string;
  /** The kinds that come nearest, the best first. */
  readonly nearest: readonly TemplateName[];
  /** For people, in the language of the spec. */
  readonly message: string;
}
