import type { Principal } from '../contract/registry.ts';
import type { Limits, PlanId } from './plans.ts';

/** Whose request it is and what it may use. */
export interface Caller extends Principal {
  readonly tenantId: string;
  readonly plan: PlanId;
  readonly limits: Limits;
}
