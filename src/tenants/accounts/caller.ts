import type { Principal } from '../../contract/registry.ts';
import type { Tags } from '../../lib/tags.ts';
import type { Budget } from './budgets.ts';
import type { Limits, PlanId } from './plans.ts';

/** The owner of a request and what it may use. */
export interface Caller extends Principal {
  readonly tenantId: string;
  readonly plan: PlanId;
  readonly limits: Limits;
  /** Whether the `Idempotency-Key` of its requests is honoured; true if left out. */
  readonly idempotency?: boolean;
  /** Tags of its key, which its requests have before any others; left out: none. */
  readonly tags?: Tags;
  /** Names of tags without which a request is refused; left out: none. */
  readonly requiredTags?: readonly string[];
  /** Those of its tenant that may concern its requests; none if left out. */
  readonly budgets?: readonly Budget[];
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
