import type { FactoryJobRow, JobStatus } from '../../store/factory-schema.ts';
import type { Engine, ModelUsage, Stage } from '../builder.ts';
import type { FileEntry } from '../file-entry.ts';
import type { PlanOptions } from '../planner/plan.ts';
import type { AppSpec } from '../spec.ts';
import type { CheckResult } from '../verify/verify.ts';

export type { JobStatus };

export type JobErrorCode = 'queue_timeout' | 'time_limit' | 'worker_lost' | 'refused' | 'build_failed';

export interface JobFailure {
  readonly code: JobErrorCode;
  /** For people; shows nothing internal. */
  readonly message: string;
  readonly stage: Stage | null;
  readonly retryable: boolean;
}

/** What a build has come to. */
export interface JobState {
  readonly engine: Engine;
  /** The model that was to build and could not. */
  readonly degradedFrom: string | null;
  readonly templateId: string | null;
  /** From 0 to 100; it never goes back within an attempt. */
  readonly percent: number;
  readonly filesDone: number;
  readonly filesTotal: number;
  readonly repairRounds: number;
  readonly plan: Plan | null;
  readonly checks: readonly CheckResult[];
  readonly usage: ModelUsage;
  readonly failure: JobFailure | null;
  readonly files: readonly FileEntry[];
  readonly artifact: Artifact | null;
  /** When the stage that it is in began. */
  readonly stageStartedAt: number | null;
}

/** What of a spec is shown. */
export type Plan = Pick<
  AppSpec,
  'kind' | 'variant' | 'name' | 'tagline' | 'lang' | 'features' | 'assumptions'
> & {
  readonly accent: string;
  readonly entity: {
    readonly singular: string;
    readonly plural: string;
    readonly fields: readonly { readonly label: string; readonly type: string }[];
  } | null;
  readonly sections: readonly string[];
};

export interface Artifact {
  readonly bytes: number;
  readonly sha256: string;
  readonly fileName: string;
}

/** A build. Times are milliseconds since the epoch. */
export interface Job {
  readonly id: string;
  /** Null for a build of the public demo. */
  readonly tenantId: string | null;
  readonly requestId: string;
  /** Cleaned. */
  readonly prompt: string;
  readonly options: PlanOptions;
  readonly status: JobStatus;
  readonly stage: Stage | null;
  readonly attempt: number;
  readonly workerId: string | null;
  readonly lastSeq: number;
  readonly cancelRequestedAt: number | null;
  readonly state: JobState;
  readonly createdAt: number;
  readonly startedAt: number | null;
  readonly finishedAt: number | null;
  readonly expiresAt: number;
  readonly purgedAt: number | null;
}

export function isOver({ status }: Pick<Job, 'status'>): boolean {
  return status !== 'queued' && status !== 'running';
}

/** A build that was just accepted. */
export function newJob(
  given: Pick<Job, 'id' | 'tenantId' | 'requestId' | 'prompt' | 'options' | 'createdAt' | 'expiresAt'>,
  engine: Engine,
): Job {
  return {
    ...given,
    status: 'queued',
    stage: null,
    attempt: 0,
    workerId: null,
    lastSeq: 0,
    cancelRequestedAt: null,
    state: {
      ...notBegun,
      engine,
      usage: { calls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0, served: null },
    },
    startedAt: null,
    finishedAt: null,
    purgedAt: null,
  };
}

/** What an attempt begins with. */
export const notBegun = {
  degradedFrom: null,
  templateId: null,
  percent: 0,
  filesDone: 0,
  filesTotal: 0,
  repairRounds: 0,
  plan: null,
  checks: [],
  failure: null,
  files: [],
  artifact: null,
  stageStartedAt: null,
} as const;

export function jobOf(row: FactoryJobRow): Job {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    requestId: row.request_id,
    prompt: row.prompt,
    options: JSON.parse(row.options) as PlanOptions,
    status: row.status,
    stage: row.stage as Stage | null,
    attempt: row.attempt,
    workerId: row.worker_id,
    lastSeq: row.last_seq,
    cancelRequestedAt: row.cancel_requested_at,
    state: JSON.parse(row.state) as JobState,
    createdAt: row.created_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    expiresAt: row.expires_at,
    purgedAt: row.purged_at,
  };
}

/** The columns that a build's progress changes. */
export function columnsOf(job: Job) {
  return {
    status: job.status,
    stage: job.stage,
    attempt: job.attempt,
    worker_id: job.workerId,
    last_seq: job.lastSeq,
    state: JSON.stringify(job.state),
    started_at: job.startedAt,
    finished_at: job.finishedAt,
  };
}
