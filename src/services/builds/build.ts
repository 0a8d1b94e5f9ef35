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
  /** A model's reading of an instruction; left out without a model. */
  readonly grasp?: Grasp;
  readonly checks: readonly CheckResult[];
  readonly usage: ModelUsage;
  readonly failure: BuildFailure | null;
  readonly files: readonly FileEntry[];
  readonly artifact: Artifact | null;
  /** When the stage that it is in began. */
  readonly stageStartedAt: number | null;
}

/** The visible part of a plan. Builds of version 1.0 have kept no spec. */
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
  /** A model's plan beside the spec. */
  readonly design?: Design;
} & Partial<Reading>;

export interface Artifact {
  readonly bytes: number;
  readonly sha256: string;
  readonly fileName: string;
  /** Whether there is a picture of the app; left out in builds of version 1.1. */
  readonly pictured?: boolean;
}

/** A build as its row, with what is JSON there read. Times are milliseconds since the epoch. */
export interface Build
  extends Readonly<Omit<FactoryJobRow, 'options' | 'stage' | 'state' | 'root_id' | 'revision' | 'change'>> {
  readonly options: PlanOptions;
  readonly stage: Stage | null;
  readonly state: BuildState;
  readonly root_id: string;
  readonly revision: number;
  readonly change: Change;
}

/** Where a build stands among those of its app. */
export type Revision = Pick<Build, 'root_id' | 'base_id' | 'revision' | 'change'>;

export interface Change extends Grasp {
  readonly type: 'first' | 'instruction' | 'spec' | 'patch' | 'restore';
  readonly instruction?: string;
  /** The number of the revision that was taken again. */
  readonly restored?: number;
}

const first: Change = { type: 'first', understood: [], notUnderstood: [] };

export function isOver({ status }: Pick<Build, 'status'>): boolean {
  return status !== 'queued' && status !== 'running';
}

/** A build that was just accepted; the first of its app unless it is said which revision it is. */
export function newBuild(
  given: Pick<Build, 'id' | 'tenant_id' | 'request_id' | 'prompt' | 'options' | 'created_at' | 'expires_at'> &
    Partial<Pick<Build, 'client'> & Revision>,
  engine: BuildMode,
): Build {
  const usage = { calls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0, served: null };
  return {
    client: null,
    root_id: given.id,
    base_id: null,
    revision: 1,
    change: first,
    ...given,
    status: 'queued',
    stage: null,
    attempt: 0,
    worker_id: null,
    last_seq: 0,
    cancel_requested_at: null,
    state: { ...notBegun, engine, usage },
    ticket: null,
    started_at: null,
    finished_at: null,
    purged_at: null,
  };
}

/** The state in which an attempt begins. */
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

/** A build from before there were revisions is the first one of its app. */
export function buildOf(row: FactoryJobRow): Build {
  return {
    ...row,
    options: JSON.parse(row.options) as PlanOptions,
    stage: row.stage as Stage | null,
    state: JSON.parse(row.state) as BuildState,
    root_id: row.root_id ?? row.id,
    revision: row.revision ?? 1,
    change: row.change === null ? first : (JSON.parse(row.change) as Change),
  };
}

export function rowOf({ options, state, change, ...build }: Build): FactoryJobRow {
  return {
    ...build,
    options: JSON.stringify(options),
    state: JSON.stringify(state),
    change: change.type === 'first' ? null : JSON.stringify(change),
  };
}

/** The columns that a build's progress changes. */
export function columnsOf(build: Build) {
  const { status, stage, attempt, worker_id, last_seq, state, started_at, finished_at } = build;
  const changed = { status, stage, attempt, worker_id, last_seq, started_at, finished_at };
  return { ...changed, state: JSON.stringify(state) };
}

/** The rest of a change when its build has expired. */
export function bareChange({ type, restored }: Change): Change {
  return { type, ...(restored !== undefined && { restored }), understood: [], notUnderstood: [] };
}
