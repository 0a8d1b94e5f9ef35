import type { LimitState, LimitStatus } from '../../contract/limit-state.ts';
import type { WireName } from '../../contract/wire-operations.ts';

/**
 * The headers by which a vendor tells how its limits stand, beside those of all replies, which are OpenAI's
 * (https://docs.anthropic.com/en/api/rate-limits#response-headers). Google has none.
 */
export function rateHeaders(wire: WireName, state: LimitState): Record<string, string> {
  if (wire !== 'anthropic') return {};
  const headers: Record<string, string> = {};
  const requests =
    state.find(({ name }) => name === 'minute') ??
    state.find(({ name }) => name === 'day' || name === 'month');
  if (requests) Object.assign(headers, anthropicHeaders('requests', requests));
  const tokens = state.find(({ name }) => name === 'tokens');
  if (tokens) Object.assign(headers, anthropicHeaders('tokens', tokens));
  return headers;
}

function anthropicHeaders(kind: string, { limit, remaining, resetMs }: LimitStatus): Record<string, string> {
  const reset = new Date(Date.now() + (resetMs ?? 0));
  return {
    [`anthropic-ratelimit-${kind}-limit`]: String(limit),
    [`anthropic-ratelimit-${kind}-remaining`]: String(remaining),
    [`anthropic-ratelimit-${kind}-reset`]: `${reset.toISOString().slice(0, 19)}Z`,
  };
}
