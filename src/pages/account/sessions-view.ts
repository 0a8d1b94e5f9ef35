import type { ListPage } from '../../store/list-page.ts';
import { mayUse } from '../../tenants/accounts/roles.ts';
import type { Session, SessionView } from '../../tenants/accounts/sessions.ts';
import { type Html, html } from '../html.ts';
import { adminHead, adminPath } from './admin-parts.ts';
import { badge, formHead, moment, nextListPage, table } from './parts.ts';

export interface SessionsView {
  readonly session: Session;
  readonly pending: number;
  readonly sessions: ListPage<SessionView>;
  readonly cursor: string | null;
}

/** Who is signed in to the admin area and the dashboards. */
export function sessionsView({ session, pending, sessions, cursor }: SessionsView): Html {
  const mayEnd = mayUse(session.rights, 'endSession');
  const rows = sessions.items.map((one) => [
    html`<span class="stack"><strong>${one.actor}</strong><code>${one.id}</code>${one.id === session.id && badge('this one', 'calm')}</span>`,
    html`<span class="stack"><span>${one.role}</span>${one.tenantId !== null && html`<a href="${adminPath}?${new URLSearchParams({ tenant: one.tenantId })}">${one.tenantId}</a>`}</span>`,
    html`${one.issuer === null ? ways[one.method] : html`<span>issuer <code>${one.issuer}</code></span>`}`,
    moment(one.createdAt),
    moment(one.lastSeenAt),
    moment(one.expiresAt),
    endForm(session, one, mayEnd),
  ]);
  const headings = ['Who', 'Role', 'By', 'Since (UTC)', 'Last seen (UTC)', 'Ends (UTC)', 'Actions'];
  return html`${adminHead({ title: 'Who is signed in', session, pending, current: 'sessions' })}
<section class="panel"><h2>Sessions</h2>
<p class="muted">Of the admin area and of the dashboards of tenants. One that is ended is over at once, on every server; whoever had it may sign in again.</p>
${table('Sessions', headings, rows)}
${nextListPage(`${adminPath}?view=sessions`, sessions.nextCursor, { older: true, cursor })}</section>`;
}

const ways: Readonly<Record<SessionView['method'], string>> = {
  password: 'password',
  link: 'sign-in link',
  oidc: 'issuer',
};

/** One's own session is ended by signing out, which everybody may and which leads on to the issuer. */
function endForm(session: Session, { id, actor }: SessionView, mayEnd: boolean): Html {
  const button = (head: Html, text: string, label: string) =>
    html`<form method="post" action="${adminPath}">${head}<button class="button" aria-label="${label}">${text}</button></form>`;
  if (id === session.id) return button(formHead(session, 'sign-out'), 'Sign out', 'Sign out: this session');
  if (!mayEnd) return html`<span class="muted">for owners</span>`;
  return button(formHead(session, 'end-session', { session: id }), 'End', `End: ${actor}, ${id}`);
}
