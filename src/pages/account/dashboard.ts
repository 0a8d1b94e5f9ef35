import type { Page, PageReply, PageRequest } from '../../http/page.ts';
import { setCookie } from '../../lib/cookies.ts';
import { AccountError } from '../../tenants/accounts/account-error.ts';
import { tenantCookie } from '../../tenants/accounts/admin-sign-in.ts';
import type { SignIn } from '../../tenants/accounts/oidc/open-sign-in.ts';
import type { Accounts } from '../../tenants/accounts/open-accounts.ts';
import {
  isCsrfToken,
  linkPath,
  type NewToken,
  type Session,
  type Sessions,
  sessionMs,
} from '../../tenants/accounts/sessions.ts';
import type { BudgetReports } from '../../tenants/metering/budget-reports.ts';
import type { UsageReports } from '../../tenants/metering/usage-reports.ts';
import { type Html, html } from '../layout.ts';
import { readBudgets } from './budgets-view.ts';
import { dashboardPath, dashboardView, exportPath, linkView } from './dashboard-views.ts';
import {
  anchorOf,
  type Flash,
  flashCookie,
  flashOf,
  flashView,
  noFlashCookie,
  type RefusedKey,
} from './flash.ts';
import { keyAction, keyStep, refusalOf, unknownAction } from './key-actions.ts';
import { signedOut } from './parts.ts';
import { privatePage, redirect, refused } from './reply.ts';
import { readUsageView } from './usage-view.ts';

/** What the page shows comes from here. */
interface Sources {
  readonly accounts: Accounts;
  readonly signIn: SignIn;
  readonly reports: UsageReports;
  readonly budgetReports: BudgetReports;
}

type TenantSession = Session & { readonly tenantId: string };

/** `/dashboard`: what a tenant sees of its account, and its keys. Works without JavaScript. */
export function dashboardPage(sources: Sources, publicUrl: string): Page {
  const { accounts, signIn: ways } = sources;
  const secure = publicUrl.startsWith('https:');
  const { sessions } = accounts;

  async function show(request: PageRequest, session: TenantSession): Promise<PageReply> {
    const flash = flashOf(request);
    const view = await viewOf(sources, request.query, session, flash?.refusedKey);
    const main = html`${flashView(flash, publicUrl)}${view}`;
    return privatePage({ title: 'Dashboard', main }, flash === null ? [] : [noFlashCookie(secure)]);
  }

  async function act(form: URLSearchParams, { tenantId, actor }: TenantSession): Promise<Flash> {
    try {
      return (await keyAction(accounts.storedKeys, form, tenantId, actor)) ?? unknownAction;
    } catch (error) {
      if (!(error instanceof AccountError)) throw error;
      return refusalOf(error, form);
    }
  }

  return {
    path: dashboardPath,
    signIn: true,
    methods: ['GET', 'POST'],
    async render(request) {
      const token = request.cookie(tenantCookie) ?? '';
      const found = token === '' ? null : await sessions.find(token);
      const session = isOfTenant(found) ? found : null;
      if (request.method !== 'POST') {
        if (session) return show(request, session);
        return token !== '' && (await sessions.isSuspended(token))
          ? linkReply(ways, suspended, 403)
          : linkReply(ways, null);
      }
      const { form, sameOrigin } = request;
      if (!sameOrigin || !session || !isCsrfToken(session, form.get('csrf') ?? '')) {
        return refused(dashboardPath);
      }
      if (form.get('action') !== 'sign-out') {
        const flash = await act(form, session);
        return redirect(dashboardPath + anchorOf(flash), [flashCookie(flash, secure)]);
      }
      await sessions.end(token);
      return signedOut(
        ways.signIns,
        session,
        dashboardPath,
        setCookie(tenantCookie, '', { secure, maxAge: 0 }),
      );
    },
  };
}

/** `/dashboard/usage.csv`: a tenant's usage as a file, for whoever is signed in. */
export function usageFile({ sessions }: Accounts, reports: UsageReports): Page {
  return {
    path: exportPath,
    signIn: true,
    async render({ query, cookie }) {
      const token = cookie(tenantCookie) ?? '';
      const session = token === '' ? null : await sessions.find(token);
      if (!isOfTenant(session)) return redirect(dashboardPath);
      const range = reports.range(query.get('from'), query.get('to'));
      const format = query.get('format') === 'focus' ? 'focus' : 'csv';
      const chunks = await reports.export(session.tenantId, range, format);
      const name = `usage-${range.from}-${range.to}.csv`;
      const headers = { 'content-disposition': `attachment; filename="${name}"` };
      return {
        status: 200,
        mediaType: 'text/csv; charset=utf-8',
        body: '',
        chunks,
        cacheControl: 'no-store',
        headers,
      };
    },
  };
}

/** `/dashboard/sign-in`: turns a one-time link into a session. Its token comes by form, never in the address. */
export function linkPage({ sessions }: Accounts, ways: SignIn, publicUrl: string): Page {
  const secure = publicUrl.startsWith('https:');
  return {
    path: linkPath,
    signIn: true,
    methods: ['GET', 'POST'],
    async render(request) {
      if (request.method !== 'POST') return linkReply(ways, null);
      if (!request.sameOrigin) return refused(linkPath);
      if (!ways.passwords) return linkReply(ways, 'Links do not sign anybody in to this server any more.');
      const token = (request.form.get('link') ?? '').trim().split('#').at(-1) ?? '';
      const session = await redeemed(sessions, token);
      if (session === 'suspended') return linkReply(ways, suspended, 403);
      if (!session)
        return linkReply(ways, 'This link was used already, is too old, or is not whole. Ask for a new one.');
      const cookie = setCookie(tenantCookie, session.token, { secure, maxAge: sessionMs / 1000 });
      return redirect(dashboardPath, [cookie]);
    },
  };
}

const suspended =
  'This account is suspended: its dashboard is closed and its keys are refused. Ask the operator of this server.';

async function redeemed(sessions: Sessions, token: string): Promise<NewToken | 'suspended' | null> {
  try {
    return await sessions.redeem(token);
  } catch (error) {
    if (error instanceof AccountError && error.reason === 'not_allowed') return 'suspended';
    throw error;
  }
}

function linkReply(ways: SignIn, problem: string | null, status = problem === null ? 200 : 401): PageReply {
  return privatePage({
    title: 'Sign in',
    main: linkView(ways, problem),
    status,
    script: '/assets/sign-in.js',
  });
}

function isOfTenant(session: Session | null): session is TenantSession {
  return session !== null && session.tenantId !== null;
}

/** The dashboard, or the step before a key changes. Throws `AccountError`. */
async function viewOf(
  { accounts, reports, budgetReports }: Sources,
  query: URLSearchParams,
  session: TenantSession,
  refused: RefusedKey | undefined,
): Promise<Html> {
  const { tenants, storedKeys } = accounts;
  const { tenantId } = session;
  const page = { path: dashboardPath, fields: {}, session, refused };
  const step = await keyStep(storedKeys, query, page, tenantId);
  if (step) return step;
  await accounts.flush();
  const cursors = { keys: query.get('cursor'), requests: query.get('requests') };
  const [tenant, usageView, usage, budgets, keys, requests] = await Promise.all([
    tenants.get(tenantId),
    readUsageView(reports, query, tenantId),
    reports.own(tenantId),
    readBudgets(accounts.budgets, budgetReports, tenantId),
    storedKeys.list(tenantId, { cursor: cursors.keys }),
    reports.requests(tenantId, { limit: 20, cursor: cursors.requests }),
  ]);
  return dashboardView({ page, tenant, usageView, usage, budgets, keys, requests, cursors });
}
