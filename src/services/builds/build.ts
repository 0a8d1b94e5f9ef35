import type {
  AppSpec,
  BuildMode,
  CheckResult,
  Design,
  FileEntry,
  Grasp,
  ModelUsage,
  PlanOptions,
  Reading,
  Stage,
} from '../../factory/factory.ts';
import type { BuildStatus, FactoryJobRow } from '../../store/factory-schema.ts';
import { firstRevision, type Revision, revisionOf } from './revision.ts';

export type { BuildStatus };

type BuildErrorCode =
  | 'queue_timeout'
  | 'time_limit'
  | 'worker_lost'
  | 'refused'
  | 'not_understood'
  | 'unsure'
  | 'build_failed';

export interface BuildFailure {
  readonly code: BuildErrorCode;
  /** For people; shows nothing internal. */
  readonly message: string;
  readonly stage: Stage | null;
  readonly retryable: boolean;
}

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
  /** What a model has made of an instruction; left out where none has. */
  readonly grasp?: Grasp;
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
  /** What a model has planned beside the spec. */
  readonly design?: Design;
} & Partial<Reading>;

export interface Artifact {
  readonly bytes: number;
  readonly sha256: string;
  readonly fileName: string;
  /** Whether there is a picture of the app; left out in builds of version 1.1. */
  readonly pictured?: boolean;
}

/** A build. Times are milliseconds since the epoch. */
export interface Build {
  readonly id: string;
  /** Null for a build of the public demo. */
  readonly tenantId: string | null;
  /** Pseudonym of the network that asked for a demo build; null for a tenant's, and where nobody knows it any more. */
  readonly client: string | null;
  readonly requestId: string;
  /** Cleaned; empty where a spec alone was sent. */
  readonly prompt: string;
  readonly options: PlanOptions;
  readonly revision: Revision;
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

/** A build that was just accepted; the first of its app unless it is said which revision it is. */
export function newBuild(
  given: Pick<Build, 'id' | 'tenantId' | 'requestId' | 'prompt' | 'options' | 'createdAt' | 'expiresAt'> &
    Partial<Pick<Build, 'client' | 'revision'>>,
  engine: BuildMode,
): Build {
  return {
    client: null,
    revision: firstRevision(given.id),
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
    client: row.client,
    requestId: row.request_id,
    prompt: row.prompt,
    options: JSON.parse(row.options) as PlanOptions,
    revision: revisionOf(row),
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
