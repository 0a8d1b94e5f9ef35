import type { BuildMode, CheckResult, FileEntry, NoticeCode, Problem, Stage } from '../../factory/factory.ts';
import type { Artifact, BuildFailure, SpecSummary } from './build.ts';

/** Where in a build an event belongs. */
interface EventPosition {
  readonly attempt: number;
  readonly stage: Stage | null;
}

/** What a step tells: an event without its number and its time. Those that carry the record stand last in a step. */
export type Told =
  | { readonly type: 'job.queued' | 'job.succeeded' | 'job.cancelled' }
  | { readonly type: 'job.failed' | 'job.unsure'; readonly failure: BuildFailure }
  | (EventPosition & { readonly type: 'job.started'; readonly engine: BuildMode })
  | (EventPosition & { readonly type: 'stage.started'; readonly stage: Stage; readonly percent: number })
  | (EventPosition & {
      readonly type: 'stage.completed';
      readonly stage: Stage;
      readonly percent: number;
      readonly durationMs: number;
    })
  | (EventPosition & {
      readonly type: 'plan.ready';
      readonly plan: SpecSummary;
      readonly engine: BuildMode;
      readonly templateId: string | null;
    })
  | (EventPosition &
      FileEntry & { readonly type: 'file.completed'; readonly index: number; readonly total: number })
  | (EventPosition & { readonly type: 'check.completed'; readonly check: CheckResult })
  | (EventPosition & {
      readonly type: 'repair.started';
      readonly round: number;
      readonly maxRounds: number;
      readonly problems: readonly Problem[];
    })
  | (EventPosition & {
      readonly type: 'repair.completed';
      readonly round: number;
      readonly fixed: number;
      readonly remaining: number;
    })
  | (EventPosition & { readonly type: 'notice'; readonly code: NoticeCode; readonly message: string })
  | (EventPosition & { readonly type: 'artifact.ready'; readonly artifact: Artifact })
  | (EventPosition & { readonly type: 'preview.ready' });

/** What a build that succeeded has made, but for its contents. */
export interface Packed {
  readonly artifact: Artifact;
  readonly files: readonly FileEntry[];
}
