import type { FactoryJob } from '../../../generated/types.gen.ts';
import { type CheckResult, type Design, type Reading, stages } from '../../factory/factory.ts';
import { isoTime } from '../../lib/utc.ts';
import type { Addresses } from './addresses.ts';
import type { Build, SpecSummary } from './build.ts';

/** Maximum time that one attempt may take, in milliseconds. */
export interface WallLimits {
  readonly embedded: number;
  readonly model: number;
}

/** The facts beside the build that records and events need. */
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
  const { id, tenant_id: tenantId, state } = build;
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
    last_seq: build.last_seq,
    queue: { position: ahead === null ? null : ahead + 1, ahead },
    limits: { wall_ms: wallMs[state.engine.mode] },
    plan: state.plan && summaryView(state.plan),
    checks: state.checks.map(checkView),
    files: [...state.files],
    artifact: artifactView(build, addresses),
    preview: previewView(build, addresses),
    usage: {
      llm_calls: state.usage.calls,
      input_tokens: state.usage.inputTokens,
      output_tokens: state.usage.outputTokens,
      cost_usd: state.usage.costUsd,
      duration_ms:
        build.started_at === null
          ? null
          : Math.max(0, (build.finished_at ?? build.started_at) - build.started_at),
    },
    error: state.failure && { ...state.failure },
    links: {
      self: record,
      events: `${record}/events`,
      artifact: `${record}/artifact`,
      revisions: `${record}/revisions`,
      newest: `${addresses.record(build.root_id, tenantId)}/newest`,
      cancel: tenantId === null ? null : `${record}/cancel`,
      page: tenantId === null ? addresses.page(id) : null,
    },
    cancel_requested_at: timeOrNull(build.cancel_requested_at),
    created_at: isoTime(build.created_at),
    started_at: timeOrNull(build.started_at),
    finished_at: timeOrNull(build.finished_at),
    expires_at: isoTime(build.expires_at),
  };
}

export function unservedView({ nearest, ...rest }: NonNullable<Reading['unserved']>) {
  return { reason: 'no_kind' as const, ...rest, nearest: [...nearest] };
}

function revisionView({ revision, root_id, base_id, change, state }: Build): FactoryJob['revision'] {
  const { understood, notUnderstood } = state.grasp ?? change;
  return {
    number: revision,
    root_id,
    base_id,
    change: {
      type: change.type,
      instruction: change.instruction ?? null,
      restored: change.restored ?? null,
    },
    understood: [...understood],
    not_understood: [...notUnderstood],
  };
}

export function summaryView({ notTakenUp = [], spec, unserved, design, ...shown }: SpecSummary) {
  return {
    ...shown,
    spec: spec ?? null,
    not_taken_up: notTakenUp,
    unserved: unserved ? unservedView(unserved) : null,
    ...designView(design),
  } as NonNullable<FactoryJob['plan']>;
}

/** The part of a model's design that events show. */
export const designView = (design: Design | undefined) => ({
  conflicts: [...(design?.conflicts ?? [])],
  must: (design?.must ?? []).map(({ say }) => say),
});

export function checkView({ id, status, problems }: CheckResult) {
  return { id, status, problems: [...problems] };
}

export function artifactView(build: Build, addresses: Addresses): FactoryJob['artifact'] {
  const { artifact } = build.state;
  if (artifact === null) return null;
  const url = `${addresses.record(build.id, build.tenant_id)}/artifact`;
  return { format: 'zip', url, bytes: artifact.bytes, sha256: artifact.sha256, file_name: artifact.fileName };
}

export function previewView(build: Build, addresses: Addresses): FactoryJob['preview'] {
  if (build.state.artifact === null) return null;
  return {
    url: addresses.preview(build.id),
    origin_url: addresses.ownOrigin(build.id),
    picture_url: build.state.artifact.pictured ? addresses.picture(build.id) : null,
    expires_at: isoTime(build.expires_at),
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
