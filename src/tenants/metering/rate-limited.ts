import { ServiceError } from '../../contract/errors.ts';
import type { Budget } from '../accounts/budgets.ts';
import { budgetIdOf, limitTitle } from './budget-needs.ts';
import { type Rejection, rejectionMessage } from './limit-state.ts';

/** What the client is told when a limit refuses its request. */
export function rateLimited(rejection: Rejection, budgets: readonly Budget[] = []): ServiceError {
  const { state, retryAfterMs, shouldRetry } = rejection;
  return new ServiceError('rate_limited', rejectionMessage(rejection, titleOf(rejection, budgets)), {
    limits: state,
    retryable: retryAfterMs !== null,
    shouldRetry,
    ...(retryAfterMs !== null && { retryAfter: Math.ceil(retryAfterMs / 1000) }),
  });
}

/** What the budget is called that was hit; undefined: a limit of the plan was. */
function titleOf({ need }: Rejection, budgets: readonly Budget[]): string | undefined {
  const id = need ? budgetIdOf(need.bucket.id) : null;
  const budget = budgets.find((one) => one.id === id);
  return budget && limitTitle(budget);
}
