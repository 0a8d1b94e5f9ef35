import type { Engine, NoticeCode, Stage } from '../builder.ts';
import type { FileEntry } from '../file-entry.ts';
import type { Problem } from '../problem.ts';
import type { CheckResult } from '../verify/verify.ts';
import type { Artifact, JobFailure, Plan } from './build.ts';

/** Where in a build an event belongs. */
interface Place {
  readonly attempt: number;
  readonly stage: Stage | null;
}

/** What a step tells: an event without its number and its time. Those that carry the record stand last in a step. */
export type Told =
  | { readonly type: 'job.queued' | 'job.succeeded' | 'job.cancelled' }
  | { readonly type: 'job.failed'; readonly failure: JobFailure }
  | (Place & { readonly type: 'job.started'; readonly engine: Engine })
  | (Place & { readonly type: 'stage.started'; readonly stage: Stage; readonly percent: number })
  | (Place & {
      readonly type: 'stage.completed';
      readonly stage: Stage;
      readonly percent: number;
      readonly durationMs: number;
    })
  | (Place & {
      readonly type: 'plan.ready';
      readonly plan: Plan;
      readonly engine: Engine;
      readonly templateId: string | null;
    })
  | (Place & FileEntry & { readonly type: 'file.completed'; readonly index: number; readonly total: number })
  | (Place & { readonly type: 'check.completed'; readonly check: CheckResult })
  | (Place & {
      readonly type: 'repair.started';
      readonly round: number;
      readonly maxRounds: number;
      readonly problems: readonly Problem[];
    })
  | (Place & {
      readonly type: 'repair.completed';
      readonly round: number;
      readonly fixed: number;
      readonly remaining: number;
    })
  | (Place & { readonly type: 'notice'; readonly code: NoticeCode; readonly message: string })
  | (Place & { readonly type: 'artifact.ready'; readonly artifact: Artifact })
  | (Place & { readonly type: 'preview.ready' });

/** What a build that succeeded has made, but for its contents. */
export interface Packed {
  readonly artifact: Artifact;
  readonly files: readonly FileEntry[];
}
