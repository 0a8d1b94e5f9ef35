import type { Taking } from '../../limits/lessee.ts';
import type { Need } from '../../limits/need.ts';
import type { LimitName, Rejection } from './limit-state.ts';
import { planLimitOf, planState, statusOf } from './plan-needs.ts';

/**
 * What a request is told that does not get what it needs.
 * @param now by the time of the store
 */
export function rejectionOf(
  needs: readonly Need[],
  { index, waitMs, standings }: Extract<Taking, { readonly granted: false }>,
  now: number,
): Rejection {
  const need = needs[index] as Need;
  const standing = standings[index] ?? { used: 0, resetMs: null };
  const plan = planLimitOf(need);
  const { window } = need.bucket;
  const untilNextWindow = window === 'day' || window === 'month';
  return {
    state: planState(needs, standings, now, false),
    limit: statusOf(plan ?? (need.name as LimitName), need, standing, now, false),
    need: { ...need, ...standing },
    // A minute is never waited for longer than it has, whatever it counts for the doubt of clocks.
    retryAfterMs: waitMs === null || window !== 'minute' ? waitMs : Math.min(waitMs, 60_000),
    shouldRetry: waitMs !== null && !untilNextWindow,
  };
}
