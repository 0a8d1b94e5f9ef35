import { ServiceError } from '../../contract/errors.ts';
import type { Page, PageReply, PageRequest } from '../../http/page.ts';
import { setCookie } from '../../lib/cookies.ts';
import { adminCookie, tenantCookie } from '../../tenants/accounts/admin-access.ts';
import type { Area } from '../../tenants/accounts/oidc/claims.ts';
import { SignInError } from '../../tenants/accounts/oidc/issuer.ts';
import type { SignIn } from '../../tenants/accounts/oidc/open-sign-in.ts';
import { signInMs } from '../../tenants/accounts/oidc/sign-in.ts';
import type { Accounts } from '../../tenants/accounts/open-accounts.ts';
import { sessionMs } from '../../tenants/accounts/sessions.ts';
import { html } from '../assets/html.ts';
import { dashboardPath } from './dashboard-views.ts';
import { adminPath } from './parts.ts';
import { onward, privatePage, redirect } from './reply.ts';

/** Carries a sign-in from where it begins to where it ends, past the issuer. */
const ticketCookie = 'switchyard_sign_in';

/** The path of each area, and the cookie of its sessions. Sign-ins never redirect anywhere else. */
const areas: Readonly<Record<Area, { readonly path: string; readonly cookie: string }>> = {
  admin: { path: adminPath, cookie: adminCookie },
  dashboard: { path: dashboardPath, cookie: tenantCookie },
};

/** `/sign-in/:issuer`, which leads to an issuer, and `/sign-in/:issuer/callback`, where it sends browsers back to. */
export function signInPages({ sessions }: Accounts, { signIns }: SignIn, publicUrl: string): readonly Page[] {
  const secure = publicUrl.startsWith('https:');
  const noTicket = setCookie(ticketCookie, '', { secure, maxAge: 0, sameSite: 'Lax' });

  async function begin({ params, query, cookie }: PageRequest): Promise<PageReply> {
    const id = knownIssuer(params['issuer']);
    const area = query.get('for') === 'dashboard' ? 'dashboard' : 'admin';
    try {
      const { url, ticket } = await signIns.begin(id, area);
      // A new sign-in ends the old session.
      const old = cookie(areas[area].cookie);
      if (old) await sessions.end(old);
      const maxAge = signInMs / 1000;
      return redirect(url.href, [setCookie(ticketCookie, ticket, { secure, maxAge, sameSite: 'Lax' })]);
    } catch (error) {
      return refusal(error, area, []);
    }
  }

  async function finish({ params, query, cookie }: PageRequest): Promise<PageReply> {
    const id = knownIssuer(params['issuer']);
    const ticket = cookie(ticketCookie);
    const area = signIns.areaOf(ticket);
    try {
      const { token } = await signIns.finish(id, query, ticket);
      const session = setCookie(areas[area].cookie, token, { secure, maxAge: sessionMs / 1000 });
      return onward(areas[area].path, 'You are signed in', [noTicket, session], 'Signed in');
    } catch (error) {
      return refusal(error, area, [noTicket]);
    }
  }

  /** There is no page of an issuer that is not configured. */
  function knownIssuer(id = ''): string {
    if (signIns.has(id)) return id;
    throw new ServiceError('not_found', 'There is nothing at this path.');
  }

  return [
    { path: '/sign-in/:issuer', signIn: true, render: begin },
    { path: '/sign-in/:issuer/callback', signIn: true, render: finish },
  ];
}

const statuses = { away: 503, refused: 400, no_rule: 403 } as const;

function refusal(error: unknown, area: Area, cookies: readonly string[]): PageReply {
  if (!(error instanceof SignInError)) throw error;
  const main = html`<section class="panel narrow"><h1>You are not signed in</h1>
<p class="notice bad" role="alert">${error.message}</p>
<p><a class="button" href="${areas[area].path}">Back to the sign-in</a></p></section>`;
  return privatePage({ title: 'Not signed in', main, status: statuses[error.reason] }, cookies);
}
