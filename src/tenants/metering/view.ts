/** What was metered in the words of the contract: snake_case, times as ISO 8601, money in US dollars. */
import type * as Wire from '../../../generated/types.gen.ts';
import { windowLength } from '../../contract/limit-state.ts';
import { isoTime } from '../../lib/utc.ts';
import type { Attempt } from '../../model/port.ts';
import type { LimitStatus } from './limit-state.ts';
import type { RequestRecord } from './requests.ts';
import { type TokenSums, tokensOf } from './settlements.ts';
import { usageView as tokensView } from './spent.ts';
import { sumsOf, type UsageSums } from './usage.ts';
import type { Grouped, OwnUsage } from './usage-reports.ts';

export function usageView({ tenantId, plan, state, range, days, total }: OwnUsage): Wire.UsageReport {
  return {
    tenant_id: tenantId,
    plan,
    limits: state.map(limitView),
    ...range,
    total: sumsView(total),
    days: days.map(({ day, model, ...sums }) => ({ day, model, ...sumsView(sums) })),
  };
}

/** Usage by what was asked for, as members of a report. */
export function groupsView({ by, groups }: Grouped): Required<Pick<Wire.UsageReport, 'group_by' | 'groups'>> {
  return {
    group_by: [...by],
    groups: groups.map(({ values, others, sums }) => ({
      values: [...values],
      others,
      ...sumsView(sumsOf(sums)),
    })),
  };
}

function sumsView(sums: UsageSums): Wire.UsageSums {
  return {
    requests: sums.requests,
    succeeded: sums.succeeded,
    failed: sums.failed,
    cancelled: sums.cancelled,
    interrupted: sums.interrupted,
    prompt_tokens: sums.promptTokens,
    completion_tokens: sums.completionTokens,
    cached_tokens: sums.cachedTokens,
    reasoning_tokens: sums.reasoningTokens,
    ...rarer(sums),
    cost_usd: dollars(sums.costMicroUsd),
    unpriced_requests: sums.unpriced,
  };
}

/** The classes that most requests have none of: they are shown where there are any. */
function rarer(sums: TokenSums): Partial<Wire.UsageSums> {
  const shown: Partial<Wire.UsageSums> = {};
  if (sums.cacheWrite5mTokens > 0) shown.cache_write_5m_tokens = sums.cacheWrite5mTokens;
  if (sums.cacheWrite1hTokens > 0) shown.cache_write_1h_tokens = sums.cacheWrite1hTokens;
  if (sums.audioPromptTokens > 0) shown.audio_prompt_tokens = sums.audioPromptTokens;
  if (sums.audioCompletionTokens > 0) shown.audio_completion_tokens = sums.audioCompletionTokens;
  if (sums.imagePromptTokens > 0) shown.image_prompt_tokens = sums.imagePromptTokens;
  if (sums.imageCompletionTokens > 0) shown.image_completion_tokens = sums.imageCompletionTokens;
  return shown;
}

export function tenantUsageView({ tenantId, ...sums }: UsageSums & { tenantId: string }): Wire.TenantUsage {
  return { tenant_id: tenantId, ...sumsView(sums) };
}

export function requestView(record: RequestRecord): Wire.RequestRecord {
  const { usage, timings } = record;
  return {
    request_id: record.requestId,
    key_id: record.keyId,
    operation: record.operation,
    tags: { ...record.tags },
    status: record.status,
    http_status: record.httpStatus,
    error_code: record.errorCode,
    model_asked: record.modelAsked,
    model: record.model,
    provider: record.provider,
    finish_reason: record.finishReason,
    usage: usage && tokensView({ tokens: tokensOf(usage), source: usage.source }),
    cost_usd: record.costMicroUsd === null ? null : dollars(record.costMicroUsd),
    price_versions: [...record.priceVersions],
    timings: { queue_ms: timings.queueMs, first_byte_ms: timings.firstByteMs, total_ms: timings.totalMs },
    attempts: record.attempts.map(attemptView),
    warnings: record.warnings.map(({ code, param }) => ({ code, param })),
    created_at: isoTime(record.createdAt),
    settled_at: record.settledAt === null ? null : isoTime(record.settledAt),
  };
}

export function limitView(status: LimitStatus): Wire.LimitStatus {
  const { name, limit, remaining, resetMs } = status;
  const reset = resetMs === null ? null : Math.ceil(resetMs / 1000);
  return { name, limit, remaining, reset_s: reset, window_s: windowLength(status) };
}

function attemptView({
  provider,
  model,
  outcome,
  errorCode,
  status,
  durationMs,
}: Attempt): Wire.RequestAttempt {
  return { provider, model, outcome, error_code: errorCode, status, duration_ms: Math.round(durationMs) };
}

function dollars(micro: number): number {
  return micro / 1_000_000;
}
