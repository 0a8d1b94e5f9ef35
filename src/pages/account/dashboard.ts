import type { Page, PageReply } from '../../http/page.ts';
import { setCookie } from '../../lib/cookies.ts';
import { AccountError } from '../../tenants/accounts/account-error.ts';
import { tenantCookie } from '../../tenants/accounts/admin-access.ts';
import type { SignIn } from '../../tenants/accounts/oidc/open-sign-in.ts';
import type { Accounts } from '../../tenants/accounts/open-accounts.ts';
import {
  linkPath,
  type NewToken,
  type Session,
  type Sessions,
  sessionMs,
} from '../../tenants/accounts/sessions.ts';
import type { UsageReports } from '../../tenants/metering/usage-reports.ts';
import type { Html } from '../assets/html.ts';
import type { AccountSources } from './admin.ts';
import { readBudgets } from './budgets.ts';
import { dashboardPath, dashboardView, exportPath, linkView } from './dashboard-views.ts';
import { keyAction, keyStep, refusalOf, unknownAction } from './keys.ts';
import { accountPage } from './parts.ts';
import {
  anchorOf,
  type Flash,
  flashCookie,
  privatePage,
  type RefusedKey,
  redirect,
  refused,
} from './reply.ts';
import { readUsageView } from './usage-view.ts';

type Sources = Pick<AccountSources, 'accounts' | 'signIn' | 'reports' | 'budgetReports'>;

type TenantSession = Session & { readonly tenantId: string };

interface SignedIn {
  readonly session: TenantSession;
  /** Whether the session may make, change and revoke keys: not by a key, which would outlive its own revocation in those it makes. */
  readonly mayChangeKeys: boolean;
}

/** The prefix of the actor of a session that a key began, before the id of the key. */
const keyActor = 'key:';

/** `/dashboard`: a tenant's view of its account, and its keys. Works without JavaScript. */
export function dashboardPage(sources: Sources, publicUrl: string): Page {
  const { accounts, signIn: ways } = sources;
  const secure = publicUrl.startsWith('https:');

  async function act(form: URLSearchParams, { session, mayChangeKeys }: SignedIn): Promise<Flash> {
    const { tenantId, actor } = session;
    if (!mayChangeKeys) return { tone: 'bad', message: needsLink };
    try {
      return (await keyAction(accounts.storedKeys, form, tenantId, actor)) ?? unknownAction;
    } catch (error) {
      if (!(error instanceof AccountError)) throw error;
      return refusalOf(error, form);
    }
  }

  return accountPage(sources, publicUrl, {
    path: dashboardPath,
    cookie: tenantCookie,
    title: 'Dashboard',
    find: (token) => signedInBy(accounts, token),
    entrance: async (token) =>
      token !== '' && (await accounts.sessions.isSuspended(token))
        ? linkReply(ways, suspended, 403)
        : linkReply(ways, null),
    view: (query, signedIn, refused) => viewOf(sources, query, signedIn, refused),
    async act(form, signedIn) {
      const flash = await act(form, signedIn);
      return redirect(dashboardPath + anchorOf(flash), [flashCookie(flash, secure)]);
    },
  });
}

/** `/dashboard/usage.csv`: a tenant's usage as a file, with a session. */
export function usageFile(accounts: Accounts, reports: UsageReports): Page {
  return {
    path: exportPath,
    signIn: true,
    async render({ query, cookie }) {
      const signedIn = await signedInBy(accounts, cookie(tenantCookie) ?? '');
      if (!signedIn) return redirect(dashboardPath);
      const { session } = signedIn;
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

/** `/dashboard/sign-in`: turns a key or a one-time link into a session. Both come by form, never in the address. */
export function linkPage({ sessions, keys }: Accounts, ways: SignIn, publicUrl: string): Page {
  const secure = publicUrl.startsWith('https:');
  return {
    path: linkPath,
    signIn: true,
    methods: ['GET', 'POST'],
    async render(request) {
      if (request.method !== 'POST') return linkReply(ways, null);
      if (!request.sameOrigin) return refused(linkPath);
      if (!ways.passwords)
        return linkReply(ways, 'This server does not accept keys and links for sign-in any more.');
      const given = (request.form.get('link') ?? '').trim();
      const caller = await keys.verify(given);
      const session = caller
        ? await sessions.begin(caller.tenantId, { role: null, actor: keyActor + caller.keyId, issuer: null })
        : await redeemed(sessions, given.split('#').at(-1) ?? '');
      if (session === 'suspended') return linkReply(ways, suspended, 403);
      if (!session) return linkReply(ways, notAccepted);
      const cookie = setCookie(tenantCookie, session.token, { secure, maxAge: sessionMs / 1000 });
      return redirect(dashboardPath, [cookie]);
    },
  };
}

const suspended =
  'This account is suspended: its dashboard is closed and its keys are refused. Ask the operator of this server.';

const notAccepted =
  'This is neither a valid key nor a valid link. A link works once, within 24 hours; ask the operator for a new one.';

const needsLink = 'You signed in with a key, which cannot change keys. Nothing was changed.';

/** Who is signed in; null once the key that began the session is no longer accepted. */
async function signedInBy({ sessions, keys }: Accounts, token: string): Promise<SignedIn | null> {
  const session = token === '' ? null : await sessions.find(token);
  if (!isOfTenant(session)) return null;
  if (session.issuer !== null || !session.actor.startsWith(keyActor)) return { session, mayChangeKeys: true };
  const keyId = session.actor.slice(keyActor.length);
  const caller = await keys.callerAgain({ tenantId: session.tenantId, keyId, scopes: new Set() });
  if (caller === null) return null;
  return { session, mayChangeKeys: false };
}

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
  { session, mayChangeKeys }: SignedIn,
  refused: RefusedKey | undefined,
): Promise<Html> {
  const { tenants, storedKeys } = accounts;
  const { tenantId } = session;
  const page = { path: dashboardPath, fields: {}, session, refused, readOnly: !mayChangeKeys };
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
