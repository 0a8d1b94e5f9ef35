/** What the reader of prompts says beside its spec. */
export interface Reading {
  /** What the prompt asks for and the spec does not have. */
  readonly notTakenUp: readonly string[];
  /** The head noun that no kind serves, or a sentence that names it; null if a kind serves the prompt. */
  readonly unserved: string | null;
}
