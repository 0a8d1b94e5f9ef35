import type { Principal } from '../contract/registry.ts';
import type { Limits, PlanId } from './plans.ts';

/** Whose request it is and what it may use. */
export interface Caller extends Principal {
  readonly tenantId: string;
  readonly plan: PlanId;
  readonly limits: Limits;
}

/** The caller of an operation that only callers reach. */
export function callerOf(principal: Principal | null): Caller {
  if (principal === null || !('tenantId' in principal))
    throw new Error('the operation was reached without a caller');
  return principal as Caller;
}
