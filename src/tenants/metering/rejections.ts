import { ServiceError } from '../../contract/errors.ts';
import { type Need, type ReservationResult, runningWaitMs } from '../../limits/authority.ts';
import type { Budget } from '../accounts/budgets.ts';
import { budgetIdOf, limitTitle } from './budget-needs.ts';
import { type LimitName, type Rejection, rejectionMessage } from './limit-state.ts';
import { planLimitOf, planState, statusOf } from './plan-needs.ts';

/**
 * The rejection of a request that does not get what it needs.
 * @param now by the time of the store
 * @param setAside what requests under way have set aside of what was refused
 */
export function rejectionOf(
  needs: readonly Need[],
  { index, waitMs, standings }: Extract<ReservationResult, { readonly granted: false }>,
  now: number,
  setAside = 0,
): Rejection {
  const need = needs[index] as Need;
  const standing = standings[index] ?? { used: 0, resetMs: null };
  const plan = planLimitOf(need);
  const { window, limit } = need.bucket;
  const untilNextWindow = window === 'day' || window === 'month';
  const refused = {
    state: planState(needs, standings, now, false),
    limit: statusOf(plan ?? (need.name as LimitName), need, standing, now, false),
    need: { ...need, ...standing },
  };
  // A minute is over soon anyway.
  if (window !== 'minute' && setAside > 0 && standing.used - setAside + need.amount <= (limit ?? 0))
    return { ...refused, setAside, retryAfterMs: runningWaitMs, shouldRetry: true };
  return {
    ...refused,
    // A minute is never waited for longer than it has, whatever it counts for the doubt of clocks.
    retryAfterMs: waitMs === null || window !== 'minute' ? waitMs : Math.min(waitMs, 60_000),
    shouldRetry: waitMs !== null && !untilNextWindow,
  };
}

/** The client's error when a limit refuses its request. */
export function rateLimited(rejection: Rejection, budgets: readonly Budget[] = []): ServiceError {
  const { state, retryAfterMs, shouldRetry } = rejection;
  return new ServiceError('rate_limited', rejectionMessage(rejection, titleOf(rejection, budgets)), {
    limits: state,
    retryable: shouldRetry,
    shouldRetry,
    ...(retryAfterMs !== null && { retryAfter: Math.ceil(retryAfterMs / 1000) }),
  });
}

/** The name of the budget that was hit; undefined: a limit of the plan was. */
function titleOf({ need }: Rejection, budgets: readonly Budget[]): string | undefined {
  const id = need ? budgetIdOf(need.bucket.id) : null;
  const budget = budgets.find((one) => one.id === id);
  return budget && limitTitle(budget);
}
