import type { BuildEvent, FactoryJob } from '../../../generated/types.gen.ts';

export type Status = FactoryJob['status'];

export type Stage = NonNullable<FactoryJob['stage']>;

export type StageState = {
  id: Stage;
  state: 'waiting' | 'active' | 'done' | 'failed';
  durationMs: number | null;
};

/** The known state of a build, from its record or from its events. */
export interface BuildState
  extends Readonly<
    Pick<FactoryJob, 'status' | 'prompt' | 'title' | 'plan' | 'checks' | 'artifact' | 'preview' | 'error'>
  > {
  readonly jobId: string | null;
  /** The latest thing that happened, in one line. */
  readonly message: string;
  readonly percent: number;
  readonly ahead: number | null;
  readonly stages: readonly StageState[];
  readonly engine: FactoryJob['engine'] | null;
  readonly files: readonly { path: string; bytes: number }[];
  readonly filesTotal: number;
  readonly notices: readonly string[];
  readonly expiresAt: string | null;
  readonly durationMs: number | null;
  readonly revision: FactoryJob['revision'] | null;
}

const defaultStages: readonly Stage[] = ['planning', 'generating', 'verifying', 'packaging'];

const waitingStages = (): readonly StageState[] =>
  defaultStages.map((id) => ({ id, state: 'waiting', durationMs: null }));

/** A build that was asked for and of which nothing is known yet. */
export function newBuild(prompt: string): BuildState {
  return {
    jobId: null,
    status: 'queued',
    prompt,
    title: null,
    message: '',
    percent: 0,
    ahead: null,
    stages: waitingStages(),
    engine: null,
    plan: null,
    files: [],
    filesTotal: 0,
    checks: [],
    notices: [],
    artifact: null,
    preview: null,
    error: null,
    expiresAt: null,
    durationMs: null,
    revision: null,
  };
}

export function buildOf(job: FactoryJob): BuildState {
  return withRecord({ ...newBuild(job.prompt), stages: stagesOf(job) }, job);
}

export function afterEvent(state: BuildState, event: BuildEvent): BuildState {
  const next = { ...state, message: event.message };
  switch (event.type) {
    case 'job.queued':
      return withRecord(next, event.job);
    case 'queue.position':
      return { ...next, ahead: event.ahead };
    case 'job.started':
      return {
        ...next,
        ...{ status: 'running', ahead: null, percent: 0, stages: waitingStages() },
        ...{ files: [], filesTotal: 0, checks: [] },
      };
    case 'stage.started':
      return {
        ...next,
        percent: event.percent,
        stages: entered(state.stages, event.stage as Stage),
        checks: event.stage === 'verifying' ? [] : state.checks,
      };
    case 'stage.completed':
      return {
        ...next,
        percent: event.percent,
        stages: state.stages.map((stage) =>
          stage.id === event.stage ? { ...stage, state: 'done', durationMs: event.duration_ms } : stage,
        ),
      };
    case 'plan.ready':
      return { ...next, plan: event.plan, title: event.plan.name };
    case 'file.completed': {
      const others = state.files.filter(({ path }) => path !== event.path);
      return {
        ...next,
        files: [...others, { path: event.path, bytes: event.bytes }],
        filesTotal: event.total,
      };
    }
    case 'check.completed': {
      const others = state.checks.filter(({ id }) => id !== event.check.id);
      return { ...next, checks: [...others, event.check] };
    }
    case 'notice':
      return { ...next, notices: [...state.notices, event.message] };
    case 'artifact.ready':
      return { ...next, artifact: event.artifact };
    case 'preview.ready':
      return { ...next, preview: event.preview };
    case 'job.succeeded':
    case 'job.failed':
    case 'job.unsure':
    case 'job.cancelled':
      return withRecord({ ...next, stages: ended(state.stages, event.job.status) }, event.job);
    case 'heartbeat':
      return state;
    default:
      // New types may be added; their message is worth showing, more is not known.
      return next;
  }
}

export function isOver(status: Status) {
  return status !== 'queued' && status !== 'running';
}

function withRecord(state: BuildState, job: FactoryJob): BuildState {
  const { id: jobId, status, prompt, engine, artifact, preview, error, expires_at: expiresAt } = job;
  return {
    ...state,
    ...{ jobId, status, prompt, engine, artifact, preview, error, expiresAt },
    title: job.title ?? state.title,
    percent: job.progress.percent,
    ahead: job.queue.ahead,
    plan: job.plan ?? state.plan,
    files: state.files.length > 0 ? state.files : job.files,
    filesTotal: Math.max(state.filesTotal, job.progress.files_total),
    checks: state.checks.length > 0 ? state.checks : job.checks,
    durationMs: job.usage.duration_ms,
    revision: job.revision ?? null,
  };
}

function stagesOf({ stage, status, repair_rounds }: FactoryJob): readonly StageState[] {
  const all = repair_rounds > 0 || stage === 'repairing' ? withRepair(waitingStages()) : waitingStages();
  if (stage === null) return all;
  return ended(entered(all, stage), status);
}

function withRepair(stages: readonly StageState[]) {
  if (stages.some(({ id }) => id === 'repairing')) return stages;
  const repairing: StageState = { id: 'repairing', state: 'waiting', durationMs: null };
  return stages.flatMap((stage) => (stage.id === 'verifying' ? [stage, repairing] : [stage]));
}

function entered(stages: readonly StageState[], id: Stage): readonly StageState[] {
  const all = id === 'repairing' ? withRepair(stages) : stages;
  const index = all.findIndex((stage) => stage.id === id);
  return all.map((stage, n) => {
    if (n === index) return { ...stage, state: 'active' };
    if (n < index || stage.state === 'active') return { ...stage, state: 'done' };
    return stage;
  });
}

function ended(stages: readonly StageState[], status: Status): readonly StageState[] {
  if (status === 'succeeded') return stages.map((stage) => ({ ...stage, state: 'done' }));
  if (!isOver(status)) return stages;
  return stages.map((stage) => (stage.state === 'active' ? { ...stage, state: 'failed' } : stage));
}
