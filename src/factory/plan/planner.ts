import type { BuildMode, ModelUsage } from '../builder.ts';
import type { Reading } from '../read/draft.ts';
import type { PlanOptions } from './options.ts';

/** What a planner is given for one plan. */
export interface PlanContext {
  readonly prompt: string;
  readonly options: PlanOptions;
  readonly signal: AbortSignal;
  /** Plans by rules. */
  readonly byRules: (prompt: string, options: PlanOptions) => Promise<Reading>;
  /** Told of what the model calls have used so far. */
  readonly onUsage: (usage: ModelUsage) => void;
}

export interface Planned {
  readonly reading: Reading;
  /** Who has planned in the end. */
  readonly engine: BuildMode;
  /** The model that was to plan and could not. */
  readonly degradedFrom: string | null;
  /** For people. */
  readonly notices: readonly string[];
}

/** Turns a prompt into a plan and builds nothing. Throws the reason of the signal when that is aborted. */
export type Planner = (context: PlanContext) => Promise<Planned>;
