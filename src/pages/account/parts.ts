import type { PageReply } from '../../http/page.ts';
import type { Area } from '../../tenants/accounts/oidc/claims.ts';
import type { SignIns } from '../../tenants/accounts/oidc/sign-in.ts';
import type { Session } from '../../tenants/accounts/sessions.ts';
import { type Html, html } from '../html.ts';
import { privatePage, redirect } from './reply.ts';

/** The small pieces that the admin area and the dashboard are made of. */

/** What a form has to send back to show that it is ours, and what it asks for. */
export function formHead({ csrfToken }: Session, action: string, fields: Record<string, string> = {}): Html {
  const all = { csrf: csrfToken, action, ...fields };
  return html`${Object.entries(all).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`;
}

export function badge(text: string, tone: 'good' | 'bad' | 'calm'): Html {
  return html`<span class="badge ${tone}">${text}</span>`;
}

/** A moment in UTC, to the minute. */
export function moment(ms: number | null, none = 'never'): Html {
  if (ms === null) return html`<span class="muted">${none}</span>`;
  const iso = new Date(ms).toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')}</time>`;
}

export function count(value: number): string {
  return value.toLocaleString('en');
}

/** Millionths of a US dollar as an amount; null where no price is known. */
export function dollars(micro: number | null): string {
  if (micro === null) return 'no price';
  if (micro === 0) return '$0';
  return `$${(micro / 1_000_000).toFixed(micro < 1_000_000 ? 4 : 2)}`;
}

/** A table whose rows become cards on a narrow screen. */
export function table(caption: string, headings: readonly string[], rows: readonly Html[][]): Html {
  return html`<table class="records"><caption class="hidden">${caption}</caption>
<thead><tr>${headings.map((heading) => html`<th scope="col">${heading}</th>`)}</tr></thead>
<tbody>${rows.map((cells) => html`<tr>${cells.map((cell, n) => html`<td data-label="${headings[n]}">${cell}</td>`)}</tr>`)}</tbody></table>`;
}

/** The title of a page that somebody is signed in to, and the way out. */
export function head(title: string, session: Session, path: string, back: Html | null = null): Html {
  return html`<div class="head"><div>${back}<h1>${title}</h1></div>
<form method="post" action="${path}">${formHead(session, 'sign-out')}<button class="button">Sign out</button></form></div>`;
}

interface ListLinks {
  /** Name of the cursor in the query. */
  readonly name?: string;
  /** Whether the list begins with the latest. */
  readonly older?: boolean;
  /** The cursor of this page; null on the first. */
  readonly cursor: string | null;
  /** The part of the page that has the list. */
  readonly anchor?: string;
}

/** The ways to the first and to the next page of a list. */
export function nextListPage(base: string, next: string | null, ways: ListLinks): Html {
  const { name = 'cursor', older = false, cursor, anchor } = ways;
  if (next === null && cursor === null) return html``;
  const end = anchor === undefined ? '' : `#${anchor}`;
  const join = base.includes('?') ? '&' : '?';
  const address = `${base}${join}${name}=${encodeURIComponent(next ?? '')}${end}`;
  return html`<div class="actions">${cursor !== null && html`<a class="button" href="${base}${end}">${older ? 'Latest' : 'First page'}</a>`}
${next !== null && html`<a class="button" href="${address}">${older ? 'Older' : 'Next page'}</a>`}</div>`;
}

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

/** The ways to sign in to an area by an issuer. Links, as browsers let no form lead to another site from here. */
export function issuerLinks(signIns: SignIns, area: Area): Html {
  const offered = signIns.offered(area);
  if (offered.length === 0) return html``;
  return html`<div class="actions">${offered.map(
    ({ id, name }) => html`<a class="button" href="/sign-in/${id}?for=${area}">Sign in with ${name}</a>`,
  )}</div>`;
}
