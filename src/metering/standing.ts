import { isCaller } from '../accounts/caller.ts';
import type { Principal } from '../contract/registry.ts';
import type { Admissions } from './admissions.ts';
import { rateLimitHeaders } from './rate-limit-headers.ts';

/**
 * The headers that tell how the limits of a caller stand when its request uses nothing up. None for who is not limited,
 * and none when they cannot be had, as no request is to fail for them.
 */
export async function standingHeaders(
  admissions: Pick<Admissions, 'standing'>,
  principal: Principal,
): Promise<Record<string, string>> {
  if (!isCaller(principal)) return {};
  try {
    return rateLimitHeaders(await admissions.standing(principal.tenantId, principal.limits));
  } catch {
    return {};
  }
}
