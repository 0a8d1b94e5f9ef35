/**
 * The state machine of a build: what may follow what, and which events tell of it. Pure, so that it can be tested
 * without a database; the store guards every write by the state that the step was taken from.
 */
import {
  type BuildMode,
  type BuildReport,
  type NoticeCode,
  type Reading,
  type Stage,
  templateVersion,
} from '../../factory/factory.ts';
import {
  type Build,
  type BuildFailure,
  type BuildState,
  type BuildStatus,
  notBegun,
  type SpecSummary,
} from './build.ts';
import type { Packed, Told } from './build-events.ts';

export type Step =
  | { readonly type: 'accept' }
  | { readonly type: 'claim'; readonly workerId: string; readonly engine: BuildMode }
  | { readonly type: 'report'; readonly report: BuildReport }
  /** The process that ran it has ended or gives it back: it waits again. */
  | { readonly type: 'release' }
  | { readonly type: 'succeed'; readonly packed: Packed }
  | { readonly type: 'fail'; readonly failure: Omit<BuildFailure, 'stage'> }
  /** It is not sure what was asked for, and the request wants to be asked. */
  | { readonly type: 'ask'; readonly failure: Omit<BuildFailure, 'stage'> }
  | { readonly type: 'cancel' };

/** Where each step leads to from each status. What is not here cannot happen. */
const statuses: Readonly<Record<Step['type'], Partial<Record<BuildStatus, BuildStatus>>>> = {
  accept: { queued: 'queued' },
  claim: { queued: 'running' },
  report: { running: 'running' },
  release: { running: 'queued' },
  succeed: { running: 'succeeded' },
  fail: { queued: 'failed', running: 'failed' },
  ask: { running: 'failed' },
  cancel: { queued: 'cancelled', running: 'cancelled' },
};

/** Where each stage may lead to. A step down the ladder of build modes goes back. */
const nextStages: Readonly<Record<Stage | 'none', readonly Stage[]>> = {
  none: ['planning'],
  planning: ['generating'],
  generating: ['verifying', 'planning', 'generating'],
  verifying: ['repairing', 'packaging', 'generating', 'planning'],
  repairing: ['verifying', 'packaging', 'generating', 'planning'],
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
  readonly build: Build;
  readonly told: readonly Told[];
}

/** Takes a step. Throws `StepError` for one that cannot follow. */
export function advance(build: Build, step: Step, now: number): Advanced {
  const status = statuses[step.type][build.status];
  if (status === undefined) throw new StepError(`${step.type} cannot follow ${build.status}`);
  const { build: next, told } = taken(build, step, now);
  const ends = status !== 'queued' && status !== 'running';
  const end = ends ? { finishedAt: now, workerId: null } : {};
  return { build: { ...next, status, ...end, lastSeq: build.lastSeq + told.length }, told };
}

export function advanceAll(build: Build, steps: readonly Step[], now: number): Advanced {
  const told: Told[] = [];
  let current = build;
  for (const step of steps) {
    const advanced = advance(current, step, now);
    current = advanced.build;
    told.push(...advanced.told);
  }
  return { build: current, told };
}

function taken(build: Build, step: Step, now: number): Advanced {
  switch (step.type) {
    case 'accept':
      return { build, told: [{ type: 'job.queued' }] };
    case 'claim': {
      const attempt = build.attempt + 1;
      const state = { ...build.state, ...notBegun, engine: step.engine };
      const begun = { ...build, state, attempt, stage: null, workerId: step.workerId };
      return {
        build: { ...begun, startedAt: build.startedAt ?? now },
        told: [{ type: 'job.started', attempt, stage: null, engine: state.engine }],
      };
    }
    case 'report':
      return reported(build, step.report, now);
    case 'release':
      return { build: { ...build, workerId: null }, told: [recovered(build)] };
    case 'succeed':
      return succeeded(build, step.packed, now);
    case 'fail':
    case 'ask': {
      const failure: BuildFailure = { ...step.failure, stage: build.stage };
      return {
        build: { ...build, state: { ...build.state, failure } },
        told: [{ type: step.type === 'ask' ? 'job.unsure' : 'job.failed', failure }],
      };
    }
    case 'cancel':
      return { build, told: [{ type: 'job.cancelled' }] };
  }
}

function recovered(build: Build): Told {
  const message = 'The server was restarted; the build begins again.';
  return {
    type: 'notice',
    attempt: build.attempt,
    stage: build.stage,
    code: 'recovered_after_restart' satisfies NoticeCode,
    message,
  };
}

function reported(build: Build, report: BuildReport, now: number): Advanced {
  const { state, attempt, stage } = build;
  const position = { attempt, stage };
  const next = (changed: Partial<BuildState>, ...told: readonly Told[]): Advanced => ({
    build: { ...build, state: { ...state, ...changed } },
    told,
  });
  switch (report.type) {
    case 'stage':
      return entered(build, report.stage, now);
    case 'spec': {
      const { reading, engine, grasp, design, fromTemplate = engine.mode === 'embedded' } = report;
      const { grasp: _, ...before } = state;
      const plan = { ...summaryOf(reading), ...(design && { design }) };
      const templateId = fromTemplate ? `${reading.spec.kind}@${templateVersion}` : state.templateId;
      return {
        build: { ...build, state: { ...before, plan, engine, templateId, ...(grasp && { grasp }) } },
        told: [{ type: 'plan.ready', ...position, plan, engine, templateId }],
      };
    }
    case 'file': {
      const { path, bytes, sha256, index, total } = report;
      const told: Told = { type: 'file.completed', ...position, path, bytes, sha256, index, total };
      return next({ filesDone: index, filesTotal: total }, told);
    }
    case 'check': {
      const { result } = report;
      const checks = [...state.checks.filter(({ id }) => id !== result.id), result];
      return next({ checks }, { type: 'check.completed', ...position, check: result });
    }
    case 'repair': {
      const { round, maxRounds, problems } = report;
      return next(
        { repairRounds: round },
        { type: 'repair.started', ...position, round, maxRounds, problems },
      );
    }
    case 'repaired': {
      const { round, fixed, remaining } = report;
      return next({}, { type: 'repair.completed', ...position, round, fixed, remaining });
    }
    case 'notice': {
      const { code, message } = report;
      const degraded = code === 'engine_degraded' ? state.engine.model : null;
      return next(
        { degradedFrom: degraded ?? state.degradedFrom },
        { type: 'notice', ...position, code, message },
      );
    }
    case 'usage':
      return next({ usage: report.usage });
  }
}

function entered(build: Build, stage: Stage, now: number): Advanced {
  if (!nextStages[build.stage ?? 'none'].includes(stage))
    throw new StepError(`the stage ${stage} cannot follow ${build.stage}`);
  const left = leave(build, now);
  const percent = Math.max(left.build.state.percent, shares[stage][0]);
  const checks = stage === 'verifying' ? [] : left.build.state.checks;
  const state = { ...left.build.state, percent, checks, stageStartedAt: now };
  return {
    build: { ...build, stage, state },
    told: [...left.told, { type: 'stage.started', attempt: build.attempt, stage, percent }],
  };
}

function leave(build: Build, now: number): Advanced {
  if (build.stage === null) return { build, told: [] };
  const percent = Math.max(build.state.percent, shares[build.stage][1]);
  const durationMs = Math.max(0, now - (build.state.stageStartedAt ?? now));
  const { attempt, stage } = build;
  return {
    build: { ...build, state: { ...build.state, percent } },
    told: [{ type: 'stage.completed', attempt, stage, percent, durationMs }],
  };
}

function succeeded(build: Build, { artifact, files }: Packed, now: number): Advanced {
  if (build.stage !== 'packaging') throw new StepError(`success cannot follow the stage ${build.stage}`);
  const left = leave(build, now);
  const position = { attempt: build.attempt, stage: build.stage };
  const { state } = left.build;
  return {
    build: { ...left.build, state: { ...state, percent: 100, filesDone: state.filesTotal, artifact, files } },
    told: [
      ...left.told,
      { type: 'artifact.ready', ...position, artifact },
      { type: 'preview.ready', ...position },
      { type: 'job.succeeded' },
    ],
  };
}

function summaryOf({ spec, notTakenUp, unserved, doubt = null }: Reading): SpecSummary {
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
    spec,
    notTakenUp,
    unserved: unserved ?? doubt,
  };
}
