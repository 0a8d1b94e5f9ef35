/** Metered usage in the words of the contract: snake_case, times as ISO 8601, money in US dollars. */
import type * as Wire from '../../../generated/types.gen.ts';
import { windowLength } from '../../contract/limit-state.ts';
import { onWire } from '../../lib/names.ts';
import type { Attempt } from '../../model/port.ts';
import type { LimitStatus } from './limit-state.ts';
import type { RequestRecord } from './requests.ts';
import { tokensOf } from './settlements.ts';
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

function sumsView({ costMicroUsd, unpriced, ...counts }: UsageSums): Wire.UsageSums {
  // Classes of tokens that most requests have none of are shown where there are any.
  const shown = Object.entries(onWire(counts)).filter(
    ([name, n]) => n > 0 || !/^(cache_write|audio|image)_/.test(name),
  );
  return {
    ...(Object.fromEntries(shown) as Omit<Wire.UsageSums, 'cost_usd' | 'unpriced_requests'>),
    cost_usd: dollars(costMicroUsd),
    unpriced_requests: unpriced,
  };
}

export function tenantUsageView({ tenantId, ...sums }: UsageSums & { tenantId: string }): Wire.TenantUsage {
  return { tenant_id: tenantId, ...sumsView(sums) };
}

export function requestView({ usage, costMicroUsd, attempts, ...record }: RequestRecord): Wire.RequestRecord {
  return {
    ...onWire(record),
    usage: usage && tokensView({ tokens: tokensOf(usage), source: usage.source }),
    cost_usd: costMicroUsd === null ? null : dollars(costMicroUsd),
    attempts: attempts.map(attemptView),
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

export function dollars(micro: number): number {
  return micro / 1_000_000;
}
