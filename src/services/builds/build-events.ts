import type { BuildMode, CheckResult, FileEntry, NoticeCode, Problem, Stage } from '../../factory/factory.ts';
import type { Artifact, Build, BuildFailure, SpecSummary } from './build.ts';

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

const begins: Readonly<Record<Stage, string>> = {
  planning: 'Planning the app.',
  generating: 'Writing the files.',
  verifying: 'Checking the app.',
  repairing: 'Repairing what the checks have found.',
  packaging: 'Packing the app.',
};

const ends: Readonly<Record<Stage, string>> = {
  planning: 'The app is planned.',
  generating: 'The files are written.',
  verifying: 'The app is checked.',
  repairing: 'The repairs are done.',
  packaging: 'The app is packed.',
};

/** An event in one line of English. */
export function messageOf(told: Told, { state }: Build): string {
  switch (told.type) {
    case 'job.queued':
      return 'The build is accepted.';
    case 'job.started':
      return told.attempt > 1 ? 'The build begins again.' : 'The build begins.';
    case 'stage.started':
      return begins[told.stage];
    case 'stage.completed':
      return ends[told.stage];
    case 'plan.ready':
      return [
        `${told.plan.kind.charAt(0).toUpperCase()}${told.plan.kind.slice(1)}: “${told.plan.name}”.`,
        ...(told.plan.unserved ? ['It may not be what was asked for.'] : []),
      ].join(' ');
    case 'file.completed':
      return `${told.path} is written.`;
    case 'check.completed':
      return `${told.check.id}: ${told.check.status}.`;
    case 'repair.started':
      return `Repairing ${counted(told.problems.length)}.`;
    case 'repair.completed':
      return `${counted(told.fixed)} solved, ${told.remaining} left.`;
    case 'notice':
      return told.message;
    case 'artifact.ready':
      return `${told.artifact.fileName} can be downloaded.`;
    case 'preview.ready':
      return 'The app can be tried.';
    case 'job.succeeded':
      return `“${state.plan?.name ?? 'The app'}” is ready.`;
    case 'job.failed':
    case 'job.unsure':
      return told.failure.message;
    case 'job.cancelled':
      return 'The build was cancelled.';
  }
}

function counted(problems: number): string {
  return `${problems} ${problems === 1 ? 'problem' : 'problems'}`;
}
