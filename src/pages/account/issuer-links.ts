import type { Area } from '../../tenants/accounts/oidc/claims.ts';
import type { SignIns } from '../../tenants/accounts/oidc/sign-in.ts';
import { type Html, html } from '../html.ts';

/** The ways to sign in to an area by an issuer. Links, as browsers let no form lead to another site from here. */
export function issuerLinks(signIns: SignIns, area: Area): Html {
  const offered = signIns.offered(area);
  if (offered.length === 0) return html``;
  return html`<div class="actions">${offered.map(
    ({ id, name }) => html`<a class="button" href="/sign-in/${id}?for=${area}">Sign in with ${name}</a>`,
  )}</div>`;
}
