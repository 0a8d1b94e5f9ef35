import type { BuildEvent, FactoryJob } from '../../../generated/types.gen.ts';
import { stages } from '../builder.ts';
import type { Addresses } from './addresses.ts';
import type { Job } from './build.ts';
import { messageOf } from './messages.ts';
import type { Told } from './told.ts';

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

export const time = (at: number): string => new Date(at).toISOString();
const timeOrNull = (at: number | null): string | null => (at === null ? null : time(at));

/** Repairs are not counted: nobody knows beforehand whether there will be any. */
const counted = stages.filter((stage) => stage !== 'repairing');

/**
 * A build as its record.
 * @param ahead how many builds wait before it; null when it does not wait
 */
export function jobOnWire(job: Job, ahead: number | null, { addresses, wallMs }: WireContext): FactoryJob {
  const { id, tenantId, state } = job;
  const record = addresses.record(id, tenantId);
  return {
    object: 'factory.job',
    id,
    status: job.status,
    stage: job.stage,
    prompt: job.prompt,
    title: state.plan?.name ?? null,
    engine: { ...state.engine, degraded_from: state.degradedFrom, template_id: state.templateId },
    progress: {
      percent: state.percent,
      stage_index:
        job.stage === null ? 0 : counted.indexOf(job.stage === 'repairing' ? 'verifying' : job.stage) + 1,
      stage_count: counted.length,
      files_done: state.filesDone,
      files_total: state.filesTotal,
    },
    attempt: job.attempt,
    repair_rounds: state.repairRounds,
    last_seq: job.lastSeq,
    queue: { position: ahead === null ? null : ahead + 1, ahead },
    limits: { wall_ms: wallMs[state.engine.mode] },
    plan: planOnWire(state.plan),
    checks: state.checks.map(checkOnWire),
    files: state.files.map(({ path, bytes, sha256 }) => ({ path, bytes, sha256 })),
    artifact: artifactOnWire(job, addresses),
    preview: previewOnWire(job, addresses),
    usage: {
      llm_calls: state.usage.calls,
      input_tokens: state.usage.inputTokens,
      output_tokens: state.usage.outputTokens,
      cost_usd: state.usage.costUsd,
      duration_ms:
        job.startedAt === null ? null : Math.max(0, (job.finishedAt ?? job.startedAt) - job.startedAt),
    },
    error: state.failure && { ...state.failure },
    links: {
      self: record,
      events: `${record}/events`,
      artifact: `${record}/artifact`,
      cancel: tenantId === null ? null : `${record}/cancel`,
      page: tenantId === null ? addresses.page(id) : null,
    },
    cancel_requested_at: timeOrNull(job.cancelRequestedAt),
    created_at: time(job.createdAt),
    started_at: timeOrNull(job.startedAt),
    finished_at: timeOrNull(job.finishedAt),
    expires_at: time(job.expiresAt),
  };
}

/**
 * An event of a build.
 * @param job the build after the step that the event is part of
 */
export function eventOnWire(told: Told, seq: number, job: Job, at: number, context: WireContext): BuildEvent {
  const { addresses } = context;
  const head = { v: 1, seq } as const;
  const rest = {
    job_id: job.id,
    at: time(at),
    stage: 'stage' in told ? told.stage : job.stage,
    attempt: 'attempt' in told ? told.attempt : job.attempt,
    message: messageOf(told, job),
  } as const;
  switch (told.type) {
    case 'job.queued':
      return { ...head, type: told.type, ...rest, job: jobOnWire(job, null, context) };
    case 'job.succeeded':
    case 'job.failed':
    case 'job.cancelled':
      return { ...head, type: told.type, ...rest, job: jobOnWire(job, null, context), final: true };
    case 'job.started':
      return {
        ...head,
        type: told.type,
        ...rest,
        engine: { ...told.engine, degraded_from: null, template_id: null },
      };
    case 'stage.started':
      return { ...head, type: told.type, ...rest, percent: told.percent };
    case 'stage.completed':
      return { ...head, type: told.type, ...rest, percent: told.percent, duration_ms: told.durationMs };
    case 'plan.ready': {
      const engine = { ...told.engine, degraded_from: job.state.degradedFrom, template_id: told.templateId };
      return {
        ...head,
        type: told.type,
        ...rest,
        plan: planOnWire(told.plan) as NonNullable<FactoryJob['plan']>,
        engine,
      };
    }
    case 'file.completed': {
      const { path, bytes, sha256, index, total } = told;
      return { ...head, type: told.type, ...rest, path, bytes, sha256, index, total };
    }
    case 'check.completed':
      return { ...head, type: told.type, ...rest, check: checkOnWire(told.check) };
    case 'repair.started': {
      const problems = told.problems.map((problem) => ({ ...problem }));
      return { ...head, type: told.type, ...rest, round: told.round, max_rounds: told.maxRounds, problems };
    }
    case 'repair.completed':
      return {
        ...head,
        type: told.type,
        ...rest,
        round: told.round,
        fixed: told.fixed,
        remaining: told.remaining,
      };
    case 'notice':
      return { ...head, type: told.type, ...rest, code: told.code };
    case 'artifact.ready':
      return {
        ...head,
        type: told.type,
        ...rest,
        artifact: artifactOnWire(job, addresses) as NonNullable<FactoryJob['artifact']>,
      };
    case 'preview.ready':
      return {
        ...head,
        type: told.type,
        ...rest,
        preview: previewOnWire(job, addresses) as NonNullable<FactoryJob['preview']>,
      };
  }
}

function planOnWire(plan: Job['state']['plan']): FactoryJob['plan'] {
  if (plan === null) return null;
  const { entity, features, sections, assumptions, ...rest } = plan;
  return {
    ...rest,
    entity: entity && { ...entity, fields: entity.fields.map((field) => ({ ...field })) },
    features: [...features],
    sections: [...sections],
    assumptions: [...assumptions],
  };
}

function checkOnWire({ id, status, problems }: Job['state']['checks'][number]) {
  return { id, status, problems: problems.map((problem) => ({ ...problem })) };
}

function artifactOnWire(job: Job, addresses: Addresses): FactoryJob['artifact'] {
  const { artifact } = job.state;
  if (artifact === null) return null;
  const url = `${addresses.record(job.id, job.tenantId)}/artifact`;
  return { format: 'zip', url, bytes: artifact.bytes, sha256: artifact.sha256, file_name: artifact.fileName };
}

function previewOnWire(job: Job, addresses: Addresses): FactoryJob['preview'] {
  if (job.state.artifact === null) return null;
  return {
    url: addresses.preview(job.id),
    origin_url: addresses.ownOrigin(job.id),
    expires_at: time(job.expiresAt),
  };
}

/** An event that belongs to one stream and is kept nowhere. */
export function streamEvent<Type extends 'queue.position' | 'heartbeat' | 'stream.closing'>(
  type: Type,
  job: Job,
  at: number,
  message: string,
) {
  const { id, stage, attempt } = job;
  return { v: 1, seq: null, type, job_id: id, at: time(at), stage, attempt, message } as const;
}
