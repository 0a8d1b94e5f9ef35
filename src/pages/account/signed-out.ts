import type { PageReply } from '../../http/page.ts';
import type { SignIns } from '../../tenants/accounts/oidc/sign-in.ts';
import type { Session } from '../../tenants/accounts/sessions.ts';
import { html } from '../html.ts';
import { privatePage, redirect } from './reply.ts';

/**
 * The answer to somebody who has signed out here: on to the issuer by which they had signed in, if it can sign them out
 * too (OpenID Connect RP-Initiated Logout 1.0). By a page, as no form of ours may lead to another site.
 */
export async function signedOut(
  signIns: SignIns,
  { issuer }: Session,
  path: string,
  noCookie: string,
): Promise<PageReply> {
  const url = await signIns.endSessionUrl(issuer, path);
  if (url === null) return redirect(path, [noCookie]);
  const main = html`<section class="panel narrow"><h1>You are signed out here</h1>
<p>Sign out of ${url.host}, too, or it will let you in again without asking.</p>
<p><a class="button primary" href="${url.href}">Go on to ${url.host}</a> <a class="button" href="${path}">Stay here</a></p></section>`;
  return privatePage({ title: 'Signed out', main }, [noCookie]);
}
