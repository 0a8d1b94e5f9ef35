import type { BuildStatus, FactoryJobRow } from '../../store/factory-schema.ts';
import type { BuildMode, ModelUsage, Stage } from '../builder.ts';
import type { FileEntry } from '../file-entry.ts';
import type { Reading, ReadOptions } from '../read/reading.ts';
import type { AppSpec } from '../spec.ts';
import type { CheckResult } from '../verify/verify.ts';

export type { BuildStatus };

export type BuildErrorCode = 'queue_timeout' | 'time_limit' | 'worker_lost' | 'refused' | 'build_failed';

export interface BuildFailure {
  readonly code: BuildErrorCode;
  /** For people; shows nothing internal. */
  readonly message: string;
  readonly stage: Stage | null;
  readonly retryable: boolean;
}

/** What a build has come to. */
export interface BuildState {
  readonly engine: BuildMode;
  /** The model that was to build and could not. */
  readonly degradedFrom: string | null;
  readonly templateId: string | null;
  /** From 0 to 100; it never goes back within an attempt. */
  readonly percent: number;
  readonly filesDone: number;
  readonly filesTotal: number;
  readonly repairRounds: number;
  readonly plan: SpecSummary | null;
  readonly checks: readonly CheckResult[];
  readonly usage: ModelUsage;
  readonly failure: BuildFailure | null;
  readonly files: readonly FileEntry[];
  readonly artifact: Artifact | null;
  /** When the stage that it is in began. */
  readonly stageStartedAt: number | null;
}

/** What of a plan is shown. Builds of version 1.0 have kept no spec. */
export type SpecSummary = Pick<
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
} & Partial<Reading>;

export interface Artifact {
  readonly bytes: number;
  readonly sha256: string;
  readonly fileName: string;
}

/** A build. Times are milliseconds since the epoch. */
export interface Build {
  readonly id: string;
  /** Null for a build of the public demo. */
  readonly tenantId: string | null;
  readonly requestId: string;
  /** Cleaned. */
  readonly prompt: string;
  readonly options: ReadOptions;
  readonly status: BuildStatus;
  readonly stage: Stage | null;
  readonly attempt: number;
  readonly workerId: string | null;
  readonly lastSeq: number;
  readonly cancelRequestedAt: number | null;
  readonly state: BuildState;
  readonly createdAt: number;
  readonly startedAt: number | null;
  readonly finishedAt: number | null;
  readonly expiresAt: number;
  readonly purgedAt: number | null;
}

export function isOver({ status }: Pick<Build, 'status'>): boolean {
  return status !== 'queued' && status !== 'running';
}

/** A build that was just accepted. */
export function newBuild(
  given: Pick<Build, 'id' | 'tenantId' | 'requestId' | 'prompt' | 'options' | 'createdAt' | 'expiresAt'>,
  engine: BuildMode,
): Build {
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

export function buildOf(row: FactoryJobRow): Build {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    requestId: row.request_id,
    prompt: row.prompt,
    options: JSON.parse(row.options) as ReadOptions,
    status: row.status,
    stage: row.stage as Stage | null,
    attempt: row.attempt,
    workerId: row.worker_id,
    lastSeq: row.last_seq,
    cancelRequestedAt: row.cancel_requested_at,
    state: JSON.parse(row.state) as BuildState,
    createdAt: row.created_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    expiresAt: row.expires_at,
    purgedAt: row.purged_at,
  };
}

/** The columns that a build's progress changes. */
export function columnsOf(build: Build) {
  return {
    status: build.status,
    stage: build.stage,
    attempt: build.attempt,
    worker_id: build.workerId,
    last_seq: build.lastSeq,
    state: JSON.stringify(build.state),
    started_at: build.startedAt,
    finished_at: build.finishedAt,
  };
}
