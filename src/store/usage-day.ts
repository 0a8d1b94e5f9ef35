import type { UsageDayRow } from './schema.ts';

/** A day's sums with nothing in them yet. The model is empty for requests that none served. */
export function emptyDay(tenant_id: string, day: number, operation: string, model: string): UsageDayRow {
  return {
    tenant_id,
    day,
    operation,
    model,
    requests: 0,
    succeeded: 0,
    failed: 0,
    cancelled: 0,
    interrupted: 0,
    prompt_tokens: 0,
    completion_tokens: 0,
    cached_tokens: 0,
    reasoning_tokens: 0,
    cost_micro_usd: 0,
    unpriced: 0,
  };
}
