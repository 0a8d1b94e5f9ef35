/** Sign-ups in the words of the contract. */
import type * as T from '../../../generated/types.gen.ts';
import { isoTime } from '../../lib/utc.ts';
import { createdKeyView, tenantView, timeOrNull } from './admin-view.ts';
import type { ApprovedSignup, Signup } from './signups.ts';

export function signupView(signup: Signup): T.SignupRecord {
  return {
    object: 'signup',
    id: signup.id,
    email: signup.email,
    orgName: signup.orgName,
    tier: signup.tier,
    status: signup.status,
    tenant_id: signup.tenantId,
    created_at: isoTime(signup.createdAt),
    decided_at: timeOrNull(signup.decidedAt),
  };
}

/** @param linkOf the address of a sign-in link by its token. */
export function approvedView(
  { signup, tenant, link, key }: ApprovedSignup,
  linkOf: (token: string) => string,
): T.ApprovedSignup {
  return {
    object: 'approved_signup',
    signup: signupView(signup),
    tenant: tenantView(tenant),
    dashboard_link: link && {
      object: 'dashboard_link',
      url: linkOf(link.token),
      expires_at: isoTime(link.expiresAt),
    },
    created_key: key && createdKeyView(key),
  };
}
