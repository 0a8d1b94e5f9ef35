import type { AppSpec } from '../spec.ts';
import type { Captures } from './pattern.ts';
import { type Done, fill, type Reason, type Words } from './words.ts';

/** What a rule makes of a command: a changed spec, a refusal with its reason, or null: it is no such command. */
export type Outcome = Change | { readonly refused: string } | null;

export interface Change {
  readonly spec: AppSpec;
  /** What was done, for people, in the language of the instruction. */
  readonly done: string;
}

/** Carries out one sort of command. `taken` has what the slots of its pattern took. */
export type Rule = (spec: AppSpec, taken: Captures, words: Words) => Outcome;

export function done(
  words: Words,
  spec: AppSpec,
  what: Done,
  values: Readonly<Record<string, string>> = {},
): Change {
  return { spec, done: fill(words.file.done[what], values) };
}

export function refuse(words: Words, reason: Reason, what = ''): { readonly refused: string } {
  return { refused: fill(words.file.refused[reason], { what }) };
}
