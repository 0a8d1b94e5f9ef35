/**
 * The state machine of a build: its transitions and their events. Pure, so that it can be tested
 * without a database; the store guards every write by the state that the step was taken from.
 */
import {
  type BuildMode,
  type BuildReport,
  type FileEntry,
  type Reading,
  type Stage,
  templateVersion,
} from '../../factory/factory.ts';
import {
  type Artifact,
  type Build,
  type BuildFailure,
  type BuildState,
  type BuildStatus,
  notBegun,
  type SpecSummary,
} from './build.ts';
import { type StepEvent, stepEvent } from './build-events.ts';
import { checkView, summaryView } from './view.ts';

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

/** The output of a build that succeeded, without its contents. */
interface Packed {
  readonly artifact: Artifact;
  readonly files: readonly FileEntry[];
}

/** Where each step leads to from each status. Other steps cannot happen. */
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

/** The text of each stage at its beginning and end, and the progress of the build then, in percent. */
const stages: Readonly<Record<Stage, StageShare>> = {
  planning: { begins: 'Planning the app.', begun: 5, ends: 'The app is planned.', over: 20 },
  generating: { begins: 'Writing the files.', begun: 20, ends: 'The files are written.', over: 50 },
  verifying: { begins: 'Checking the app.', begun: 50, ends: 'The app is checked.', over: 80 },
  repairing: {
    begins: 'Repairing what the checks have found.',
    begun: 70,
    ends: 'The repairs are done.',
    over: 80,
  },
  packaging: { begins: 'Packing the app.', begun: 85, ends: 'The app is packed.', over: 98 },
};

interface StageShare {
  readonly begins: string;
  readonly begun: number;
  readonly ends: string;
  readonly over: number;
}

/** The step is not possible in the state that the build is in. */
export class StepError extends Error {
  override readonly name = 'StepError';
}

export interface Advanced {
  readonly build: Build;
  readonly events: readonly StepEvent[];
}

/** Takes a step. Throws `StepError` for one that cannot follow. */
export function advance(build: Build, step: Step, now: number): Advanced {
  const status = statuses[step.type][build.status];
  if (status === undefined) throw new StepError(`${step.type} cannot follow ${build.status}`);
  const { build: next, events } = taken(build, step, now);
  const ends = status !== 'queued' && status !== 'running';
  const end = ends ? { finished_at: now, worker_id: null } : {};
  return { build: { ...next, status, ...end, last_seq: build.last_seq + events.length }, events };
}

export function advanceAll(build: Build, steps: readonly Step[], now: number): Advanced {
  const events: StepEvent[] = [];
  let current = build;
  for (const step of steps) {
    const advanced = advance(current, step, now);
    current = advanced.build;
    events.push(...advanced.events);
  }
  return { build: current, events };
}

function taken(build: Build, step: Step, now: number): Advanced {
  switch (step.type) {
    case 'accept':
      return { build, events: [stepEvent(build, 'job.queued', 'The build is accepted.', {})] };
    case 'claim': {
      const attempt = build.attempt + 1;
      const state = { ...build.state, ...notBegun, engine: step.engine };
      const begun = { ...build, state, attempt, stage: null, worker_id: step.workerId };
      const message = attempt > 1 ? 'The build begins again.' : 'The build begins.';
      const engine = { ...step.engine, degraded_from: null, template_id: null };
      return {
        build: { ...begun, started_at: build.started_at ?? now },
        events: [stepEvent(begun, 'job.started', message, { engine })],
      };
    }
    case 'report':
      return reported(build, step.report, now);
    case 'release': {
      const message = 'The server was restarted; the build begins again.';
      const code = 'recovered_after_restart';
      return {
        build: { ...build, worker_id: null },
        events: [stepEvent(build, 'notice', message, { code })],
      };
    }
    case 'succeed':
      return succeeded(build, step.packed, now);
    case 'fail':
    case 'ask': {
      const type = step.type === 'ask' ? 'job.unsure' : 'job.failed';
      const failure: BuildFailure = { ...step.failure, stage: build.stage };
      return {
        build: { ...build, state: { ...build.state, failure } },
        events: [stepEvent(build, type, failure.message, {})],
      };
    }
    case 'cancel':
      return { build, events: [stepEvent(build, 'job.cancelled', 'The build was cancelled.', {})] };
  }
}

function reported(build: Build, report: BuildReport, now: number): Advanced {
  const { state } = build;
  const next = (changed: Partial<BuildState>, ...events: readonly StepEvent[]): Advanced => ({
    build: { ...build, state: { ...state, ...changed } },
    events,
  });
  switch (report.type) {
    case 'stage':
      return entered(build, report.stage, now);
    case 'spec': {
      const { reading, engine, grasp, design, fromTemplate = engine.mode === 'embedded' } = report;
      const { grasp: _, ...before } = state;
      const plan = { ...summaryOf(reading), ...(design && { design }) };
      const templateId = fromTemplate ? `${reading.spec.kind}@${templateVersion}` : state.templateId;
      const kind = plan.kind.charAt(0).toUpperCase() + plan.kind.slice(1);
      const doubt = plan.unserved ? ' It may not be what was asked for.' : '';
      const event = stepEvent(build, 'plan.ready', `${kind}: “${plan.name}”.${doubt}`, {
        plan: summaryView(plan),
        engine: { ...engine, degraded_from: state.degradedFrom, template_id: templateId },
      });
      return {
        build: { ...build, state: { ...before, plan, engine, templateId, ...(grasp && { grasp }) } },
        events: [event],
      };
    }
    case 'file': {
      const { type: _, ...file } = report;
      const event = stepEvent(build, 'file.completed', `${file.path} is written.`, file);
      return next({ filesDone: file.index, filesTotal: file.total }, event);
    }
    case 'check': {
      const { result } = report;
      const checks = [...state.checks.filter(({ id }) => id !== result.id), result];
      const message = `${result.id}: ${result.status}.`;
      return next({ checks }, stepEvent(build, 'check.completed', message, { check: checkView(result) }));
    }
    case 'repair': {
      const { round, maxRounds, problems } = report;
      const own = { round, max_rounds: maxRounds, problems: [...problems] };
      const message = `Repairing ${counted(problems.length)}.`;
      return next({ repairRounds: round }, stepEvent(build, 'repair.started', message, own));
    }
    case 'repaired': {
      const { type: _, ...own } = report;
      const message = `${counted(own.fixed)} solved, ${own.remaining} left.`;
      return next({}, stepEvent(build, 'repair.completed', message, own));
    }
    case 'notice': {
      const { code, message } = report;
      const degraded = code === 'engine_degraded' ? state.engine.model : null;
      const event = stepEvent(build, 'notice', message, { code });
      return next({ degradedFrom: degraded ?? state.degradedFrom }, event);
    }
    case 'usage':
      return next({ usage: report.usage });
  }
}

const counted = (problems: number): string => `${problems} ${problems === 1 ? 'problem' : 'problems'}`;

function entered(build: Build, stage: Stage, now: number): Advanced {
  if (!nextStages[build.stage ?? 'none'].includes(stage))
    throw new StepError(`the stage ${stage} cannot follow ${build.stage}`);
  const left = leave(build, now);
  const percent = Math.max(left.build.state.percent, stages[stage].begun);
  const checks = stage === 'verifying' ? [] : left.build.state.checks;
  const state = { ...left.build.state, percent, checks, stageStartedAt: now };
  const next = { ...build, stage, state };
  const event = stepEvent(next, 'stage.started', stages[stage].begins, { percent });
  return { build: next, events: [...left.events, event] };
}

function leave(build: Build, now: number): Advanced {
  if (build.stage === null) return { build, events: [] };
  const { over, ends } = stages[build.stage];
  const percent = Math.max(build.state.percent, over);
  const duration_ms = Math.max(0, now - (build.state.stageStartedAt ?? now));
  return {
    build: { ...build, state: { ...build.state, percent } },
    events: [stepEvent(build, 'stage.completed', ends, { percent, duration_ms })],
  };
}

function succeeded(build: Build, { artifact, files }: Packed, now: number): Advanced {
  if (build.stage !== 'packaging') throw new StepError(`success cannot follow the stage ${build.stage}`);
  const left = leave(build, now);
  const { state } = left.build;
  return {
    build: { ...left.build, state: { ...state, percent: 100, filesDone: state.filesTotal, artifact, files } },
    events: [
      ...left.events,
      stepEvent(build, 'artifact.ready', `${artifact.fileName} can be downloaded.`, {}),
      stepEvent(build, 'preview.ready', 'The app can be tried.', {}),
      stepEvent(build, 'job.succeeded', `“${state.plan?.name ?? 'The app'}” is ready.`, {}),
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
