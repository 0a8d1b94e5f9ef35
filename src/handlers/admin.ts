import type { Handlers } from '../contract/wire-operations.ts';
import { setCookie } from '../lib/cookies.ts';
import { isoTime } from '../lib/utc.ts';
import { adminCookie, findAdminSession } from '../tenants/accounts/admin-access.ts';
import {
  approvedView,
  auditView,
  createdKeyView,
  keyView,
  listOf,
  overridesOf,
  serverView,
  sessionView,
  signupView,
  tenantView,
} from '../tenants/accounts/admin-view.ts';
import type { Accounts } from '../tenants/accounts/open-accounts.ts';
import { actorOf } from '../tenants/accounts/roles.ts';
import type { ServerProcess } from '../tenants/accounts/servers.ts';
import { sessionMs, signInLink } from '../tenants/accounts/sessions.ts';
import { tooManySignups } from '../tenants/accounts/signups.ts';
import type { UsageReports } from '../tenants/metering/usage-reports.ts';
import { groupsView, tenantUsageView } from '../tenants/metering/view.ts';
import { created, ok } from './replies.ts';
import { csvFile } from './usage.ts';

const dayS = 86_400;

interface AdminParts {
  readonly publicUrl: string;
  /** Throws `ServiceError` for a password that is not right. */
  readonly requireAdmin: (password: string, client: string) => Promise<void>;
  /** The servers on the database. */
  readonly servers: () => Promise<readonly ServerProcess[]>;
}

export function adminHandlers(
  accounts: Accounts,
  reports: UsageReports,
  { publicUrl, requireAdmin, servers }: AdminParts,
) {
  const { tenants, storedKeys, sessions, signups } = accounts;
  const secure = publicUrl.startsWith('https:');
  return {
    createAdminSession: async ({ body: { password } }, { client }) => {
      await requireAdmin(password, client);
      const { id, token, expiresAt } = await sessions.begin(null);
      const session = await findAdminSession(sessions, token);
      const csrf_token = session?.csrfToken ?? '';
      return {
        status: 201,
        body: { object: 'admin_session', id, csrf_token, expires_at: isoTime(expiresAt) },
        headers: { 'set-cookie': setCookie(adminCookie, token, { secure, maxAge: sessionMs / 1000 }) },
      };
    },
    deleteAdminSession: async (_request, scope) => {
      const token = scope.cookie(adminCookie);
      if (token !== null) await sessions.end(token);
      return { status: 204, headers: { 'set-cookie': setCookie(adminCookie, '', { secure, maxAge: 0 }) } };
    },

    listServers: async () => ok({ object: 'list' as const, data: (await servers()).map(serverView) }),
    listSessions: async ({ query }, scope) => {
      const current = await findAdminSession(sessions, scope.cookie(adminCookie) ?? '');
      const page = await sessions.list(query);
      return ok(listOf(page, (session) => sessionView(session, current?.id ?? null)));
    },
    endSession: async ({ path }, { principal }) => {
      await sessions.endById(path.session_id, actorOf(principal));
      return { status: 204 };
    },

    listTenants: async ({ query }) => ok(listOf(await tenants.list(query), tenantView)),
    createTenant: async (
      { body: { overrides = {}, required_tags: requiredTags = [], ...fields } },
      { principal },
    ) => {
      const all = { ...fields, requiredTags, overrides: overridesOf(overrides) };
      return created(tenantView(await tenants.create(all, actorOf(principal))));
    },
    getTenant: async ({ path }) => ok(tenantView(await tenants.get(path.tenant_id))),
    changeTenant: async ({ path, body: { overrides, required_tags, ...fields } }, { principal }) => {
      const change = {
        ...fields,
        ...(overrides && { overrides: overridesOf(overrides) }),
        ...(required_tags && { requiredTags: required_tags }),
      };
      return ok(tenantView(await tenants.change(path.tenant_id, change, actorOf(principal))));
    },
    createDashboardLink: async ({ path }, { principal }) => {
      const { token, expiresAt } = await sessions.invite(path.tenant_id, actorOf(principal));
      const url = signInLink(publicUrl, token);
      return created({ object: 'dashboard_link' as const, url, expires_at: isoTime(expiresAt) });
    },

    listKeys: async ({ query: { tenant_id = null, ...page } }) => {
      await accounts.flush();
      return ok(listOf(await storedKeys.list(tenant_id, page), keyView));
    },
    createKey: async ({ body: { tenant_id: tenantId, expires_at, ...fields } }, { principal }) => {
      const expiresAt = expires_at ? Date.parse(expires_at) : null;
      const made = await storedKeys.create({ ...fields, tenantId, expiresAt }, actorOf(principal));
      return created(createdKeyView(made));
    },
    changeKey: async ({ path, body }, { principal }) => {
      const address = { id: path.key_id, tenantId: null };
      return ok(keyView(await storedKeys.change(address, body, actorOf(principal))));
    },
    rotateKey: async ({ path, body: { grace_seconds = dayS } }, { principal }) => {
      const address = { id: path.key_id, tenantId: null };
      return created(
        createdKeyView(await storedKeys.rotate(address, grace_seconds * 1000, actorOf(principal))),
      );
    },
    revokeKey: async ({ path }, { principal }) => {
      const key = await storedKeys.revoke({ id: path.key_id, tenantId: null }, actorOf(principal));
      return ok(keyView(key));
    },

    listTenantUsage: async ({ query: { from = null, to = null, group_by, ...page } }) => {
      const range = reports.range(from, to);
      if (group_by) {
        const groups = groupsView(await reports.groups(null, range, group_by));
        return ok({ object: 'list' as const, data: [], next_cursor: null, ...range, ...groups });
      }
      return ok({ ...listOf(await reports.byTenant(range, page), tenantUsageView), ...range });
    },
    exportTenantUsage: async ({ query: { from = null, to = null, tenant_id = null, format } }) => {
      const range = reports.range(from, to);
      return csvFile(range, await reports.export(tenant_id, range, format));
    },
    listAuditLog: async ({ query: { tenant_id, ...page } }) => {
      const entries = await accounts.audit({ ...page, ...(tenant_id && { tenantId: tenant_id }) });
      return ok(listOf(entries, auditView));
    },

    signUp: async ({ body }, { client }) => {
      const waitMs = await signups.request(body, client);
      if (waitMs > 0) throw tooManySignups(waitMs);
      return { status: 202, body: { object: 'signup', status: 'pending' } };
    },
    listSignups: async ({ query }) => ok(listOf(await signups.list(query), signupView)),
    approveSignup: async ({ path, body: { give, tenant_id } }, { principal }) => {
      const approval = { ...(give && { give }), ...(tenant_id !== undefined && { tenantId: tenant_id }) };
      const approved = await signups.approve(path.signup_id, approval, actorOf(principal));
      return created(approvedView(approved, (token) => signInLink(publicUrl, token)));
    },
    rejectSignup: async ({ path }, { principal }) =>
      ok(signupView(await signups.reject(path.signup_id, actorOf(principal)))),
  } satisfies Partial<Handlers>;
}
