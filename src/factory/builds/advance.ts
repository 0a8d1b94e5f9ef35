/**
 * The state machine of a build: what may follow what, and which events tell of it. Pure, so that it can be tested
 * without a database; the store guards every write by the state that the step was taken from.
 */
import type { BuildReport, Engine, NoticeCode, Stage } from '../builder.ts';
import { templateVersion } from '../catalogue.ts';
import { type Job, type JobFailure, type JobStatus, notBegun, type Plan } from './build.ts';
import type { Packed, Told } from './told.ts';

export type Step =
  | { readonly type: 'accept' }
  | { readonly type: 'claim'; readonly workerId: string; readonly engine: Engine }
  | { readonly type: 'report'; readonly report: BuildReport }
  /** The process that ran it is gone or gives it back: it waits again. */
  | { readonly type: 'release' }
  | { readonly type: 'succeed'; readonly packed: Packed }
  | { readonly type: 'fail'; readonly failure: Omit<JobFailure, 'stage'> }
  | { readonly type: 'cancel' };

/** Where each step leads to from each status. What is not here cannot happen. */
const statuses: Readonly<Record<Step['type'], Partial<Record<JobStatus, JobStatus>>>> = {
  accept: { queued: 'queued' },
  claim: { queued: 'running' },
  report: { running: 'running' },
  release: { running: 'queued' },
  succeed: { running: 'succeeded' },
  fail: { queued: 'failed', running: 'failed' },
  cancel: { queued: 'cancelled', running: 'cancelled' },
};

/** Where each stage may lead to. A step down the ladder of engines goes back. */
const nextStages: Readonly<Record<Stage | 'none', readonly Stage[]>> = {
  none: ['planning'],
  planning: ['generating'],
  generating: ['verifying', 'planning', 'generating'],
  verifying: ['repairing', 'packaging', 'generating', 'planning'],
  repairing: ['verifying', 'generating', 'planning'],
  packaging: ['generating', 'planning'],
};

/** How far a build is when a stage begins and when it is over, in percent. */
const shares: Readonly<Record<Stage, readonly [number, number]>> = {
  planning: [5, 20],
  generating: [20, 50],
  verifying: [50, 80],
  repairing: [70, 80],
  packaging: [85, 98],
};

/** The step is not possible in the state that the build is in. */
export class StepError extends Error {
  override readonly name = 'StepError';
}

export interface Advanced {
  readonly job: Job;
  readonly told: readonly Told[];
}

/** Takes a step. Throws `StepError` for one that cannot follow. */
export function advance(job: Job, step: Step, now: number): Advanced {
  const status = statuses[step.type][job.status];
  if (status === undefined) throw new StepError(`${step.type} cannot follow ${job.status}`);
  const { job: next, told } = taken(job, step, now);
  const ends = status !== 'queued' && status !== 'running';
  const end = ends ? { finishedAt: now, workerId: null } : {};
  return { job: { ...next, status, ...end, lastSeq: job.lastSeq + told.length }, told };
}

/** Takes several steps. */
export function advanceAll(job: Job, steps: readonly Step[], now: number): Advanced {
  const told: Told[] = [];
  let current = job;
  for (const step of steps) {
    const advanced = advance(current, step, now);
    current = advanced.job;
    told.push(...advanced.told);
  }
  return { job: current, told };
}

function taken(job: Job, step: Step, now: number): Advanced {
  switch (step.type) {
    case 'accept':
      return { job, told: [{ type: 'job.queued' }] };
    case 'claim': {
      const attempt = job.attempt + 1;
      const state = { ...job.state, ...notBegun, engine: step.engine };
      const begun = { ...job, state, attempt, stage: null, workerId: step.workerId };
      return {
        job: { ...begun, startedAt: job.startedAt ?? now },
        told: [{ type: 'job.started', attempt, stage: null, engine: state.engine }],
      };
    }
    case 'report':
      return reported(job, step.report, now);
    case 'release':
      return { job: { ...job, workerId: null }, told: [recovered(job)] };
    case 'succeed':
      return succeeded(job, step.packed, now);
    case 'fail': {
      const failure: JobFailure = { ...step.failure, stage: job.stage };
      return { job: { ...job, state: { ...job.state, failure } }, told: [{ type: 'job.failed', failure }] };
    }
    case 'cancel':
      return { job, told: [{ type: 'job.cancelled' }] };
  }
}

function recovered(job: Job): Told {
  const message = 'The server was restarted; the build begins again.';
  return {
    type: 'notice',
    attempt: job.attempt,
    stage: job.stage,
    code: 'recovered_after_restart' satisfies NoticeCode,
    message,
  };
}

function reported(job: Job, report: BuildReport, now: number): Advanced {
  const { state, attempt, stage } = job;
  const place = { attempt, stage };
  switch (report.type) {
    case 'stage':
      return entered(job, report.stage, now);
    case 'plan': {
      const { spec, engine } = report;
      const plan = planOf(spec);
      const templateId = engine.mode === 'embedded' ? `${spec.kind}@${templateVersion}` : state.templateId;
      return {
        job: { ...job, state: { ...state, plan, engine, templateId } },
        told: [{ type: 'plan.ready', ...place, plan, engine, templateId }],
      };
    }
    case 'file': {
      const { path, bytes, sha256, index, total } = report;
      return {
        job: { ...job, state: { ...state, filesDone: index, filesTotal: total } },
        told: [{ type: 'file.completed', ...place, path, bytes, sha256, index, total }],
      };
    }
    case 'check': {
      const { result } = report;
      const checks = [...state.checks.filter(({ id }) => id !== result.id), result];
      return {
        job: { ...job, state: { ...state, checks } },
        told: [{ type: 'check.completed', ...place, check: result }],
      };
    }
    case 'repair': {
      const { round, maxRounds, problems } = report;
      return {
        job: { ...job, state: { ...state, repairRounds: round } },
        told: [{ type: 'repair.started', ...place, round, maxRounds, problems }],
      };
    }
    case 'repaired': {
      const { round, fixed, remaining } = report;
      return { job, told: [{ type: 'repair.completed', ...place, round, fixed, remaining }] };
    }
    case 'notice': {
      const { code, message } = report;
      const degradedFrom =
        code === 'engine_degraded' ? (state.engine.model ?? state.degradedFrom) : state.degradedFrom;
      return {
        job: { ...job, state: { ...state, degradedFrom } },
        told: [{ type: 'notice', ...place, code, message }],
      };
    }
    case 'usage':
      return { job: { ...job, state: { ...state, usage: report.usage } }, told: [] };
  }
}

function entered(job: Job, stage: Stage, now: number): Advanced {
  if (!nextStages[job.stage ?? 'none'].includes(stage))
    throw new StepError(`the stage ${stage} cannot follow ${job.stage}`);
  const left = leave(job, now);
  const percent = Math.max(left.job.state.percent, shares[stage][0]);
  const checks = stage === 'verifying' ? [] : left.job.state.checks;
  const state = { ...left.job.state, percent, checks, stageStartedAt: now };
  return {
    job: { ...job, stage, state },
    told: [...left.told, { type: 'stage.started', attempt: job.attempt, stage, percent }],
  };
}

/** Ends the stage that a build is in. */
function leave(job: Job, now: number): Advanced {
  if (job.stage === null) return { job, told: [] };
  const percent = Math.max(job.state.percent, shares[job.stage][1]);
  const durationMs = Math.max(0, now - (job.state.stageStartedAt ?? now));
  const { attempt, stage } = job;
  return {
    job: { ...job, state: { ...job.state, percent } },
    told: [{ type: 'stage.completed', attempt, stage, percent, durationMs }],
  };
}

function succeeded(job: Job, { artifact, files }: Packed, now: number): Advanced {
  if (job.stage !== 'packaging') throw new StepError(`success cannot follow the stage ${job.stage}`);
  const left = leave(job, now);
  const place = { attempt: job.attempt, stage: job.stage };
  return {
    job: { ...left.job, state: { ...left.job.state, percent: 100, artifact, files } },
    told: [
      ...left.told,
      { type: 'artifact.ready', ...place, artifact },
      { type: 'preview.ready', ...place },
      { type: 'job.succeeded' },
    ],
  };
}

function planOf(spec: Extract<BuildReport, { type: 'plan' }>['spec']): Plan {
  const { kind, variant, name, tagline, lang, features, assumptions, entity, palette, sections } = spec;
  return {
    kind,
    variant,
    name,
    tagline,
    lang,
    features,
    assumptions,
    accent: palette.accent,
    entity: entity && {
      singular: entity.singular,
      plural: entity.plural,
      fields: entity.fields.map(({ label, type }) => ({ label, type })),
    },
    sections: sections.map(({ title }) => title),
  };
}
