import type { Principal } from '../contract/registry.ts';
import type { Limits, PlanId } from './plans.ts';

/** Whose request it is and what it may use. */
export interface Caller extends Principal {
  readonly tenantId: string;
  readonly plan: PlanId;
  readonly limits: Limits;
}

/** Whether a principal is a tenant's, not the administrator or a reader of metrics. */
export function isCaller(principal: Principal | null): principal is Caller {
  return principal !== null && 'tenantId' in principal;
}

/** The caller of an operation that only callers reach. */
export function callerOf(principal: Principal | null): Caller {
  if (isCaller(principal)) return principal;
  throw new Error('the operation was reached without a caller');
}
