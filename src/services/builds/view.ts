import type { BuildEvent, FactoryJob, AppSpec as SentSpec } from '../../../generated/types.gen.ts';
import { type Design, kindOfApp, type Reading, stages, type TemplateName } from '../../factory/factory.ts';
import { isoTime } from '../../lib/utc.ts';
import type { Addresses } from './addresses.ts';
import type { Build } from './build.ts';
import type { Told } from './build-events.ts';
import { messageOf } from './build-events.ts';

/** Maximum time that one attempt may take, in milliseconds. */
export interface WallLimits {
  readonly embedded: number;
  readonly model: number;
}

/** What records and events need to know besides the build. */
export interface WireContext {
  readonly addresses: Addresses;
  readonly wallMs: WallLimits;
}

const timeOrNull = (at: number | null): string | null => (at === null ? null : isoTime(at));

/** Repairs are not counted: their number is unknown beforehand. */
const counted = stages.filter((stage) => stage !== 'repairing');

/**
 * A build as its record.
 * @param ahead how many builds wait before it; null when it does not wait
 */
export function buildView(
  build: Build,
  ahead: number | null,
  { addresses, wallMs }: WireContext,
): FactoryJob {
  const { id, tenantId, state } = build;
  const record = addresses.record(id, tenantId);
  return {
    object: 'factory.job',
    id,
    status: build.status,
    stage: build.stage,
    prompt: build.prompt,
    title: state.plan?.name ?? null,
    revision: revisionView(build),
    engine: { ...state.engine, degraded_from: state.degradedFrom, template_id: state.templateId },
    progress: {
      percent: state.percent,
      stage_index:
        build.stage === null
          ? 0
          : counted.indexOf(build.stage === 'repairing' ? 'verifying' : build.stage) + 1,
      stage_count: counted.length,
      files_done: state.filesDone,
      files_total: state.filesTotal,
    },
    attempt: build.attempt,
    repair_rounds: state.repairRounds,
    last_seq: build.lastSeq,
    queue: { position: ahead === null ? null : ahead + 1, ahead },
    limits: { wall_ms: wallMs[state.engine.mode] },
    plan: summaryView(state.plan),
    checks: state.checks.map(checkView),
    files: state.files.map(({ path, bytes, sha256 }) => ({ path, bytes, sha256 })),
    artifact: artifactView(build, addresses),
    preview: previewView(build, addresses),
    usage: {
      llm_calls: state.usage.calls,
      input_tokens: state.usage.inputTokens,
      output_tokens: state.usage.outputTokens,
      cost_usd: state.usage.costUsd,
      duration_ms:
        build.startedAt === null
          ? null
          : Math.max(0, (build.finishedAt ?? build.startedAt) - build.startedAt),
    },
    error: state.failure && { ...state.failure },
    links: {
      self: record,
      events: `${record}/events`,
      artifact: `${record}/artifact`,
      revisions: `${record}/revisions`,
      newest: `${addresses.record(build.revision.rootId, tenantId)}/newest`,
      cancel: tenantId === null ? null : `${record}/cancel`,
      page: tenantId === null ? addresses.page(id) : null,
    },
    cancel_requested_at: timeOrNull(build.cancelRequestedAt),
    created_at: isoTime(build.createdAt),
    started_at: timeOrNull(build.startedAt),
    finished_at: timeOrNull(build.finishedAt),
    expires_at: isoTime(build.expiresAt),
  };
}

/**
 * An event of a build.
 * @param build the build after the step that the event is part of
 */
export function eventView(
  told: Told,
  seq: number,
  build: Build,
  at: number,
  context: WireContext,
): BuildEvent {
  const { addresses } = context;
  const rest = {
    job_id: build.id,
    at: isoTime(at),
    stage: 'stage' in told ? told.stage : build.stage,
    attempt: 'attempt' in told ? told.attempt : build.attempt,
    message: messageOf(told, build),
  } as const;
  const event = <Type extends BuildEvent['type']>(type: Type, own: Omit<EventOf<Type>, InAllEvents>) =>
    ({ v: 1, seq, type, ...rest, ...own }) as unknown as EventOf<Type>;
  const job = () => buildView(build, null, context);
  switch (told.type) {
    case 'job.queued':
      return event(told.type, { job: job() });
    case 'job.succeeded':
    case 'job.failed':
    case 'job.cancelled':
      return event(told.type, { job: job(), final: true });
    case 'job.unsure': {
      const choices = (build.state.plan?.unserved?.nearest ?? []).slice(0, mostChoices).map(startingPoint);
      return event(told.type, { choices, job: job(), final: true });
    }
    case 'job.started':
      return event(told.type, { engine: { ...told.engine, degraded_from: null, template_id: null } });
    case 'stage.started':
      return event(told.type, { percent: told.percent });
    case 'stage.completed':
      return event(told.type, { percent: told.percent, duration_ms: told.durationMs });
    case 'plan.ready': {
      const degraded_from = build.state.degradedFrom;
      const engine = { ...told.engine, degraded_from, template_id: told.templateId };
      return event(told.type, { plan: summaryView(told.plan) as NonNullable<FactoryJob['plan']>, engine });
    }
    case 'file.completed': {
      const { path, bytes, sha256, index, total } = told;
      return event(told.type, { path, bytes, sha256, index, total });
    }
    case 'check.completed':
      return event(told.type, { check: checkView(told.check) });
    case 'repair.started': {
      const problems = told.problems.map((problem) => ({ ...problem }));
      return event(told.type, { round: told.round, max_rounds: told.maxRounds, problems });
    }
    case 'repair.completed': {
      const { round, fixed, remaining } = told;
      return event(told.type, { round, fixed, remaining });
    }
    case 'notice':
      return event(told.type, { code: told.code });
    case 'artifact.ready': {
      const artifact = artifactView(build, addresses) as NonNullable<FactoryJob['artifact']>;
      return event(told.type, { artifact });
    }
    case 'preview.ready': {
      const preview = previewView(build, addresses) as NonNullable<FactoryJob['preview']>;
      return event(told.type, { preview });
    }
  }
}

type EventOf<Type> = Extract<BuildEvent, { readonly type: Type }>;
type InAllEvents = 'v' | 'seq' | 'type' | 'job_id' | 'at' | 'stage' | 'attempt' | 'message';

export function unservedView({ nearest, ...rest }: NonNullable<Reading['unserved']>) {
  return { reason: 'no_kind' as const, ...rest, nearest: [...nearest] };
}

/** From how many families people choose where it is not sure which one they want. */
const mostChoices = 3;

function startingPoint(kind: TemplateName) {
  const { name, description } = kindOfApp(kind);
  return { template_id: kind, name, description };
}

function revisionView({ revision, state }: Build): FactoryJob['revision'] {
  const { number, rootId, baseId, change } = revision;
  const { understood, notUnderstood } = state.grasp ?? change;
  return {
    number,
    root_id: rootId,
    base_id: baseId,
    change: {
      type: change.type,
      instruction: change.instruction ?? null,
      restored: change.restored ?? null,
    },
    understood: [...understood],
    not_understood: [...notUnderstood],
  };
}

function summaryView(summary: Build['state']['plan']): FactoryJob['plan'] {
  if (summary === null) return null;
  const {
    entity,
    features,
    sections,
    assumptions,
    spec,
    notTakenUp = [],
    unserved,
    design,
    ...rest
  } = summary;
  return {
    ...rest,
    entity: entity && { ...entity, fields: entity.fields.map((field) => ({ ...field })) },
    features: [...features],
    sections: [...sections],
    assumptions: [...assumptions],
    spec: (spec as SentSpec | undefined) ?? null,
    not_taken_up: [...notTakenUp],
    unserved: unserved ? unservedView(unserved) : null,
    ...designView(design),
  };
}

/** The part of a model's design that events show. */
export const designView = (design: Design | undefined) => ({
  conflicts: [...(design?.conflicts ?? [])],
  must: (design?.must ?? []).map(({ say }) => say),
});

function checkView({ id, status, problems }: Build['state']['checks'][number]) {
  return { id, status, problems: problems.map((problem) => ({ ...problem })) };
}

function artifactView(build: Build, addresses: Addresses): FactoryJob['artifact'] {
  const { artifact } = build.state;
  if (artifact === null) return null;
  const url = `${addresses.record(build.id, build.tenantId)}/artifact`;
  return { format: 'zip', url, bytes: artifact.bytes, sha256: artifact.sha256, file_name: artifact.fileName };
}

function previewView(build: Build, addresses: Addresses): FactoryJob['preview'] {
  if (build.state.artifact === null) return null;
  return {
    url: addresses.preview(build.id),
    origin_url: addresses.ownOrigin(build.id),
    picture_url: build.state.artifact.pictured ? addresses.picture(build.id) : null,
    expires_at: isoTime(build.expiresAt),
  };
}

/** An event that belongs to one stream and is kept nowhere. */
export function streamEvent<Type extends 'queue.position' | 'heartbeat' | 'stream.closing'>(
  type: Type,
  build: Build,
  at: number,
  message: string,
) {
  const { id, stage, attempt } = build;
  return { v: 1, seq: null, type, job_id: id, at: isoTime(at), stage, attempt, message } as const;
}
