/** What a local engine makes of an input. */
export type LocalOutcome =
  | { readonly output: Readonly<Record<string, unknown>> }
  /** It cannot do this honestly: why, as the end of a sentence that begins with "The local engine". */
  | { readonly modelRequired: string };
