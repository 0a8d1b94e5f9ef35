import type { ReadOptions } from '../read/draft.ts';
import type { Family } from '../render/app-data.ts';
import type { Revised } from '../revise/revise.ts';
import type { AppSpec } from '../spec.ts';
import type { SentSpec } from './sent-spec.ts';

/** What a build is asked for beside its prompt. */
export interface PlanOptions extends ReadOptions {
  /** What the app is to be, as far as it was said. */
  readonly spec?: SentSpec;
  /** The prompt fills nothing in: the spec is that of a revision, and the prompt what its first build was asked for with. */
  readonly settled?: boolean;
  /** Of a revision: of which app it is. */
  readonly family?: Family;
  /** An instruction that a model carries out; left out where the rules have, and `spec` is what came of it. */
  readonly instructed?: Instructed;
}

export interface Instructed {
  readonly instruction: string;
  /** The spec that is changed. */
  readonly base: AppSpec;
  /** What the rules have made of it; the spec that came of it is that of the options. */
  readonly byRules: Omit<Revised, 'spec'>;
}
