import { AccountError } from '../tenants/accounts/account-error.ts';
import type { Tenant, Tenants } from '../tenants/accounts/tenants.ts';
import { actor } from './connection.ts';

/**
 * The tenant on this plan; it is created if there is none. One that is on another plan is left alone: a script that
 * asks for a key must not change what a tenant pays for. Throws `AccountError`.
 */
export async function requireTenant(tenants: Tenants, id: string, plan: string): Promise<Tenant> {
  const tenant = await tenants.create({ id, plan }, actor).catch((error: unknown) => {
    if (error instanceof AccountError && error.reason === 'exists') return tenants.get(id);
    throw error;
  });
  if (tenant.plan === plan) return tenant;
  throw new AccountError(
    'not_allowed',
    `The tenant ${id} is on the plan ${tenant.plan}, not ${plan}; change it with tenants set-plan, or leave out --plan.`,
  );
}
