import { ServiceError } from '../../contract/errors.ts';
import type { ProviderCheck } from '../../gateway/routing/discovery/check-provider.ts';
import type { Page, PageReply, PageRequest } from '../../http/page.ts';
import { setCookie } from '../../lib/cookies.ts';
import type { ConfigControl } from '../../lib/loaded-config.ts';
import { AccountError } from '../../tenants/accounts/account-error.ts';
import { adminCookie, requirePassword } from '../../tenants/accounts/admin-access.ts';
import { requirePasswords, type SignIn } from '../../tenants/accounts/oidc/open-sign-in.ts';
import type { Accounts } from '../../tenants/accounts/open-accounts.ts';
import { type Session, sessionMs } from '../../tenants/accounts/sessions.ts';
import type { Tenant } from '../../tenants/accounts/tenants.ts';
import type { BudgetReports } from '../../tenants/metering/budget-reports.ts';
import type { UsageReports } from '../../tenants/metering/usage-reports.ts';
import { type Html, html } from '../assets/html.ts';
import { addressOfRecord, adminAction, recordOf } from './admin-actions.ts';
import {
  allUsageView,
  changesView,
  signInView,
  suspendForm,
  tenantsView,
  tenantView,
} from './admin-views.ts';
import { budgetView, deleteBudgetForm, ownBudget, readBudget, readBudgets } from './budgets.ts';
import { type KeysPage, keyStep, refusalOf } from './keys.ts';
import { type McpSource, mcpAction, mcpView } from './mcp-view.ts';
import {
  configAction,
  configView,
  providersView,
  type ServersSource,
  serversView,
  sessionsView,
  signupStatus,
  signupsView,
  signupView,
} from './operation-views.ts';
import { accountPage, adminHead, adminPath, listNamed, requireRight } from './parts.ts';
import { anchorOf, flashCookie, privatePage, type RefusedKey, redirect } from './reply.ts';
import { readUsageView } from './usage-view.ts';
import { deleteWebhookForm, type WebhooksParts, webhooksView, webhookView } from './webhooks.ts';

/** `/admin`: a short address of the admin area. */
export const adminEntrance: Page = { path: '/admin', render: () => redirect(adminPath) };

/** `/admin/factory/settings/api-keys`: tenants and their keys, for the administrator. Works without JavaScript. */
export function adminPage(sources: AccountSources, publicUrl: string): Page {
  const { accounts, signIn: ways } = sources;
  const secure = publicUrl.startsWith('https:');
  const { sessions } = accounts;

  async function enter(request: PageRequest): Promise<PageReply> {
    try {
      requirePasswords(ways.passwords);
      await requirePassword(accounts.admin, request.form.get('password') ?? '', request.client);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const { status } = error.info;
      return privatePage({ title: 'Sign in', main: signInView(ways, error.message), status });
    }
    const { token } = await sessions.begin(null);
    return redirect(adminPath, [setCookie(adminCookie, token, { secure, maxAge: sessionMs / 1000 })]);
  }

  async function act(form: URLSearchParams, session: Session): Promise<PageReply> {
    try {
      if (form.get('action') === 'reload-config') {
        requireRight('reload-config', session.rights);
        const flash = await configAction(sources.config, session.actor);
        return redirect(addressOfRecord({ view: 'config' }), [flashCookie(flash, secure)]);
      }
      const ofMcp = await mcpAction(sources.mcp, accounts, form, session);
      if (ofMcp) return ofMcp;
      const { flash, next } = await adminAction(accounts, sources, publicUrl, form, session);
      return redirect(addressOfRecord(next), [flashCookie(flash, secure)]);
    } catch (error) {
      if (!(error instanceof AccountError)) throw error;
      const flash = refusalOf(error, form);
      return redirect(addressOfRecord(recordOf(form)) + anchorOf(flash), [flashCookie(flash, secure)]);
    }
  }

  return accountPage(sources, publicUrl, {
    path: adminPath,
    cookie: adminCookie,
    title: 'Admin',
    async find(token) {
      const session = await sessions.find(token);
      return session?.tenantId === null ? { session } : null;
    },
    entrance: () => privatePage({ title: 'Sign in', main: signInView(ways, null) }),
    enter,
    view: (query, { session }, refused) => viewOf(sources, query, session, refused),
    act: (form, { session }) => act(form, session),
  });
}

/** The sources of the pages of accounts. */
export interface AccountSources extends WebhooksParts {
  readonly accounts: Accounts;
  readonly signIn: SignIn;
  readonly reports: UsageReports;
  readonly budgetReports: BudgetReports;
  readonly checkProviders: () => Promise<readonly ProviderCheck[]>;
  readonly config: ConfigControl;
  readonly servers: ServersSource;
  readonly mcp: McpSource;
}

/** The view that the query names. Throws `AccountError`. */
async function viewOf(
  sources: AccountSources,
  query: URLSearchParams,
  session: Session,
  refused: RefusedKey | undefined,
): Promise<Html> {
  const { accounts } = sources;
  const tenantId = query.get('tenant');
  if (tenantId !== null) {
    const page = { path: adminPath, fields: { tenant: tenantId }, session, refused };
    return viewOfTenant(sources, query, page, tenantId);
  }
  const signupId = query.get('signup');
  if (signupId !== null) return signupView(await accounts.signups.get(signupId), session);
  const webhookId = query.get('webhook');
  if (webhookId !== null) {
    const webhook = await sources.webhooks.get(webhookId);
    if (query.has('delete')) return deleteWebhookForm(webhook, session);
    const cursor = query.get('cursor');
    const deliveries = await sources.deliveries.list(webhook.id, { limit: 20, cursor });
    return webhookView(session, webhook, deliveries, cursor);
  }
  const pending = await accounts.signups.countPending();
  const list = listNamed(query.get('view'));
  return html`${adminHead(list, session, pending)}${await viewOfList(list, sources, query, session)}`;
}

async function viewOfList(
  list: ReturnType<typeof listNamed>,
  { accounts, reports, ...sources }: AccountSources,
  query: URLSearchParams,
  session: Session,
): Promise<Html> {
  const cursor = query.get('cursor');
  switch (list) {
    case 'signups': {
      const status = signupStatus(query);
      return signupsView(status, await accounts.signups.list({ status, cursor }), cursor);
    }
    case 'webhooks':
      return webhooksView(session, await sources.webhooks.list(null, { cursor }), cursor);
    case 'providers':
      return providersView(await sources.checkProviders());
    case 'mcp':
      return mcpView(session, sources.mcp);
    case 'config':
      return configView(session, sources.config.current());
    case 'servers':
      return serversView(sources.servers);
    case 'sessions':
      return sessionsView(session, await accounts.sessions.list({ cursor }), cursor);
    case 'usage':
      return allUsageView(await readUsageView(reports, query, null));
    case 'changes':
      return changesView(await accounts.audit({ cursor }), cursor);
    case 'tenants': {
      const tenants = await accounts.tenants.list({ cursor });
      return tenantsView(session, tenants, cursor, await requestsOf(reports, tenants.items));
    }
  }
}

/** Requests of the last 30 days, by tenant. */
async function requestsOf(reports: UsageReports, tenants: readonly Tenant[]): Promise<Map<string, number>> {
  if (tenants.length === 0) return new Map();
  const tenantIds = tenants.map(({ id }) => id);
  const usage = await reports.byTenant(reports.daysUpToNow(30), { tenantIds, limit: tenants.length });
  return new Map(usage.items.map(({ tenantId, requests }) => [tenantId, requests]));
}

/** A tenant, one of its budgets, or the step before one of its keys changes. */
async function viewOfTenant(
  { accounts, reports, budgetReports }: AccountSources,
  query: URLSearchParams,
  page: KeysPage,
  tenantId: string,
): Promise<Html> {
  const { tenants, storedKeys, plans } = accounts;
  const step = await keyStep(storedKeys, query, page, tenantId);
  if (step) return step;
  const tenant = await tenants.get(tenantId);
  const budgetId = query.get('budget');
  if (budgetId !== null) {
    const budget = await ownBudget(accounts.budgets, budgetId, tenantId);
    if (query.has('delete')) return deleteBudgetForm(budget, page);
    return budgetView({ page, ...(await readBudget(budgetReports, budget)) });
  }
  if (query.has('suspend') && tenant.suspendedAt === null) return suspendForm(tenant, page);
  const cursor = query.get('cursor');
  await accounts.flush();
  const keys = await storedKeys.list(tenantId, { cursor });
  const usage = await readUsageView(reports, query, tenantId);
  const budgets = await readBudgets(accounts.budgets, budgetReports, tenantId);
  return tenantView({ page, tenant, plans, keys, cursor, usage, budgets });
}
