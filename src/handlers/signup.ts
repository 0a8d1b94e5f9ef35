import type { Handlers } from '../contract/wire-operations.ts';
import { approvedView, listOf, signupView } from '../tenants/accounts/admin-view.ts';
import { actorOf } from '../tenants/accounts/roles.ts';
import { signInLink } from '../tenants/accounts/sessions.ts';
import type { Signups } from '../tenants/accounts/signups.ts';
import { tooManySignups } from '../tenants/accounts/signups.ts';

export function signupHandlers(signups: Signups, publicUrl: string) {
  return {
    signUp: async ({ body }, { client }) => {
      const waitMs = await signups.request(body, client);
      if (waitMs > 0) throw tooManySignups(waitMs);
      return { status: 202, body: { object: 'signup', status: 'pending' } };
    },
    listSignups: async ({ query }) => ({
      status: 200,
      body: listOf(await signups.list(query), signupView),
    }),
    approveSignup: async ({ path, body: { give, tenant_id } }, { principal }) => {
      const approval = { ...(give && { give }), ...(tenant_id !== undefined && { tenantId: tenant_id }) };
      const approved = await signups.approve(path.signup_id, approval, actorOf(principal));
      return { status: 201, body: approvedView(approved, (token) => signInLink(publicUrl, token)) };
    },
    rejectSignup: async ({ path }, { principal }) => ({
      status: 200,
      body: signupView(await signups.reject(path.signup_id, actorOf(principal))),
    }),
  } satisfies Partial<Handlers>;
}
