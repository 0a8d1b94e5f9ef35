import type { ListPage } from '../../store/list-page.ts';
import type { Session } from '../../tenants/accounts/sessions.ts';
import type { Signup } from '../../tenants/accounts/signups.ts';
import { type Html, html } from '../layout.ts';
import { adminHead, adminPath, badge, formHead, moment, nextListPage, planNames, table } from './parts.ts';

const tones = { pending: 'calm', approved: 'good', rejected: 'bad' } as const;
const statuses = ['pending', 'approved', 'rejected'] as const;

export type SignupStatus = (typeof statuses)[number];

/** The status of which a page lists the sign-ups. */
export function signupStatus(query: URLSearchParams): SignupStatus {
  return statuses.find((status) => status === query.get('status')) ?? 'pending';
}

export interface SignupsView {
  readonly session: Session;
  readonly pending: number;
  readonly status: SignupStatus;
  readonly signups: ListPage<Signup>;
  readonly cursor: string | null;
}

export function signupsView({ session, pending, status, signups, cursor }: SignupsView): Html {
  const base = `${adminPath}?view=signups`;
  const choices = statuses.map(
    (each) =>
      html`<a href="${base}&status=${each}" ${each === status && html`aria-current="true"`}>${each}</a>`,
  );
  const rows = signups.items.map((signup) => [
    html`<span class="stack"><a href="${adminPath}?signup=${signup.id}"><strong>${signup.orgName}</strong></a><span class="muted">${signup.email}</span></span>`,
    html`${planNames[signup.tier]}`,
    badge(signup.status, tones[signup.status]),
    moment(signup.createdAt),
  ]);
  return html`${adminHead({ title: 'Sign-ups', session, pending, current: 'signups' })}
<section class="panel"><nav class="choices" aria-label="Status">${choices}</nav>
${rows.length === 0 ? html`<p class="muted">There are no ${status} sign-ups${cursor !== null && ' on this page'}.</p>` : table('Sign-ups', ['Organisation', 'Tier', 'Status', 'Received (UTC)'], rows)}
${nextListPage(`${base}&status=${status}`, signups.nextCursor, { older: true, cursor })}</section>`;
}

/** One sign-up, and the two ways to decide on it. */
export function signupView(signup: Signup, session: Session): Html {
  const fields = { signup: signup.id };
  const facts: [string, Html][] = [
    ['E-mail', html`${signup.email}`],
    ['Tier', html`${planNames[signup.tier]}`],
    ['Received (UTC)', moment(signup.createdAt)],
    ['Status', badge(signup.status, tones[signup.status])],
  ];
  if (signup.decidedAt !== null) facts.push(['Decided (UTC)', moment(signup.decidedAt)]);
  if (signup.tenantId !== null) {
    const address = `${adminPath}?tenant=${signup.tenantId}`;
    facts.push(['Tenant', html`<a href="${address}"><code>${signup.tenantId}</code></a>`]);
  }
  return html`<section class="panel narrow"><p><a href="${adminPath}?view=signups">All sign-ups</a></p>
<h1>${signup.orgName}</h1>
<dl class="details">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
${signup.status === 'pending' && decisionForms(signup, session, fields)}</section>`;
}

function decisionForms({ tier }: Signup, session: Session, fields: Record<string, string>): Html {
  return html`<h2>Approve</h2>
<p class="muted">Makes a tenant on the plan ${planNames[tier]}, and what opens it, which you hand over to this address.</p>
<form class="fields" method="post" action="${adminPath}">${formHead(session, 'approve-signup', fields)}
<label>Tenant id (made from the name if empty) <input name="id" pattern="[a-z0-9][a-z0-9\\-]{0,62}" title="Lower-case letters, digits and -" autocomplete="off"></label>
<label>Hand over <select name="give"><option value="dashboard_link">a sign-in link to the dashboard</option><option value="key">an API key</option></select></label>
<button class="button primary">Approve</button></form>
<h2>Reject</h2>
<p class="muted">No message is sent, and the address may sign up again.</p>
<form method="post" action="${adminPath}">${formHead(session, 'reject-signup', fields)}<button class="button danger">Reject</button></form>`;
}
