import type { LimitState } from '../../contract/limit-state.ts';
import type { Principal } from '../../contract/registry.ts';
import { isCaller } from '../accounts/caller.ts';
import type { Admissions } from './admissions.ts';

/**
 * How the limits of a caller stand when its request uses nothing up, as far as this process knows. Empty for who is not
 * limited, and when it cannot be had, as no request is to fail for it.
 */
export async function knownLimitState(
  admissions: Pick<Admissions, 'knownLimitState'>,
  principal: Principal,
): Promise<LimitState> {
  if (!isCaller(principal)) return [];
  try {
    return await admissions.knownLimitState(principal.tenantId, principal.limits);
  } catch {
    return [];
  }
}
