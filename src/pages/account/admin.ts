import { AccountError } from '../../accounts/account-error.ts';
import { adminCookie, requirePassword } from '../../accounts/admin-sign-in.ts';
import { listAudit } from '../../accounts/audit.ts';
import type { Accounts } from '../../accounts/open-accounts.ts';
import { isCsrfToken, type Session, sessionMs } from '../../accounts/sessions.ts';
import { dayRange, usageByDay, usageByTenant } from '../../accounts/usage.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { Page, PageReply, PageRequest } from '../../http/page.ts';
import { setCookie } from '../../lib/cookies.ts';
import { type Html, html } from '../html.ts';
import { adminAction } from './admin-actions.ts';
import { adminPath, signInView, tenantsView, tenantView } from './admin-views.ts';
import { flashCookie, flashOf, flashView, noFlashCookie } from './flash.ts';
import { revokeForm, rotateForm } from './keys-view.ts';
import { privatePage, redirect, refused } from './reply.ts';

/** `/admin/factory/settings/api-keys`: tenants and their keys, for the administrator. Works without JavaScript. */
export function adminPage(accounts: Accounts, publicUrl: string): Page {
  const secure = publicUrl.startsWith('https:');
  const { sessions } = accounts;

  async function show(request: PageRequest, session: Session): Promise<PageReply> {
    const flash = flashOf(request);
    const view = await viewOf(accounts, request.query, session);
    const main = html`${flashView(flash, publicUrl)}${view}`;
    return privatePage({ title: 'API keys', main }, flash === null ? [] : [noFlashCookie(secure)]);
  }

  async function signIn(request: PageRequest): Promise<PageReply> {
    try {
      await requirePassword(accounts.admin, request.form.get('password') ?? '', request.client);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const { status } = error.info;
      return privatePage({ title: 'Sign in', main: signInView(error.message), status });
    }
    const { token } = await sessions.begin(null);
    return redirect(adminPath, [setCookie(adminCookie, token, { secure, maxAge: sessionMs / 1000 })]);
  }

  async function act({ form }: PageRequest): Promise<PageReply> {
    const back = (tenantId: string | null) =>
      tenantId ? `${adminPath}?tenant=${encodeURIComponent(tenantId)}` : adminPath;
    try {
      const { flash, tenantId } = await adminAction(accounts, publicUrl, form);
      return redirect(back(tenantId), [flashCookie(flash, secure)]);
    } catch (error) {
      if (!(error instanceof AccountError)) throw error;
      const flash = { tone: 'bad', message: error.message } as const;
      return redirect(back(form.get('tenant')), [flashCookie(flash, secure)]);
    }
  }

  return {
    path: adminPath,
    methods: ['GET', 'POST'],
    async render(request) {
      const token = request.cookie(adminCookie) ?? '';
      const found = token === '' ? null : await sessions.find(token);
      const session = found?.tenantId === null ? found : null;
      if (request.method !== 'POST') {
        return session ? show(request, session) : privatePage({ title: 'Sign in', main: signInView(null) });
      }
      if (!request.sameOrigin) return refused(adminPath);
      const action = request.form.get('action');
      if (action === 'sign-in') return signIn(request);
      if (!session || !isCsrfToken(session, request.form.get('csrf') ?? '')) return refused(adminPath);
      if (action !== 'sign-out') return act(request);
      await sessions.end(token);
      return redirect(adminPath, [setCookie(adminCookie, '', { secure, maxAge: 0 })]);
    },
  };
}

/** The view that the query names: all tenants, one of them, or the step before one of its keys changes. */
async function viewOf(accounts: Accounts, query: URLSearchParams, session: Session): Promise<Html> {
  const { store, tenants, storedKeys, plans } = accounts;
  const range = dayRange(store.clock.now());
  const page = { cursor: query.get('cursor') };
  const id = query.get('tenant');
  try {
    if (id === null) {
      const [list, usage, audit] = await Promise.all([
        tenants.list(page),
        usageByTenant(store, range, { limit: 200 }),
        listAudit(store, { limit: 10 }),
      ]);
      const requests = new Map(usage.items.map(({ tenantId, requests }) => [tenantId, requests]));
      return tenantsView({ session, tenants: list, requests, audit: audit.items });
    }
    const place = { path: adminPath, fields: { tenant: id }, session };
    const [rotate, revoke] = [query.get('rotate'), query.get('revoke')];
    if (rotate !== null) return rotateForm(await storedKeys.get({ id: rotate, tenantId: id }), place);
    if (revoke !== null) return revokeForm(await storedKeys.get({ id: revoke, tenantId: id }), place);
    const tenant = await tenants.get(id);
    const [keys, usage] = await Promise.all([storedKeys.list(id, page), usageByDay(store, id, range)]);
    return tenantView({ place, tenant, plans, keys, range, usage });
  } catch (error) {
    if (!(error instanceof AccountError)) throw error;
    return html`<section class="panel narrow"><h1>Not found</h1><p>${error.message}</p><p><a class="button" href="${adminPath}">All tenants</a></p></section>`;
  }
}
