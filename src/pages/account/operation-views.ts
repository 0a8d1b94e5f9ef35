import type { ProviderCheck } from '../../gateway/routing/discovery/check-provider.ts';
import { ConfigError } from '../../lib/config-error.ts';
import type { Finding } from '../../lib/health-checks.ts';
import type { ConfigChange, ConfigControl, LoadedConfig } from '../../lib/loaded-config.ts';
import type { ListPage } from '../../store/list-page.ts';
import { mayUse } from '../../tenants/accounts/roles.ts';
import type { ServerProcess } from '../../tenants/accounts/servers.ts';
import type { Session, SessionView } from '../../tenants/accounts/sessions.ts';
import type { Signup } from '../../tenants/accounts/signups.ts';
import { type Html, html } from '../assets/html.ts';
import {
  adminPath,
  badge,
  count,
  formHead,
  listAddress,
  moment,
  nextListPage,
  planNames,
  table,
} from './parts.ts';
import { type Flash, good } from './reply.ts';

/** The source of the page of the servers. */
export interface ServersSource {
  readonly version: string;
  readonly startedAt: number;
  health(): Promise<Readonly<Record<string, Finding | undefined>>>;
  list(): Promise<readonly ServerProcess[]>;
}

/** How this server is, and which others are on the same database. */
export async function serversView(source: ServersSource): Promise<Html> {
  const { version, startedAt } = source;
  const [health, servers] = await Promise.all([source.health(), source.list()]);
  const checks = Object.entries(health).flatMap(([name, finding]) => {
    if (finding === undefined) return [];
    const state = finding.ok ? badge('ok', 'good') : badge('failed', 'bad');
    return [[html`<code>${name}</code>`, state, html`${finding.detail}`]];
  });
  const own = servers.find(({ current }) => current);
  const rows = servers.map((server) => [
    html`<span class="stack">${server.name !== null && html`<strong>${server.name}</strong>`}<code>${server.id}</code>${server.current && badge('this one', 'calm')}</span>`,
    stateBadge(server),
    reportedView(server.version, own?.version),
    reportedView(server.config, own?.config),
    html`${server.pid}`,
    moment(server.startedAt),
    moment(server.seenAt),
  ]);
  return html`<section class="panel"><h2>This server</h2>
<p>Version ${version}, running since ${moment(startedAt)} (UTC).</p>
${table('Checks of this server', ['Check', 'State', 'What'], checks)}</section>
<section class="panel"><h2>On the same database</h2>
<p class="muted">Each server reports every few seconds; one that has stopped disappears from the list. Servers with different digests use different configurations: one of them may have to be reloaded or restarted.</p>
${table('Servers', headings, rows)}</section>`;
}

const headings = ['Server', 'State', 'Version', 'Configuration', 'Process', 'Since (UTC)', 'Last seen (UTC)'];

const serverTones = {
  ready: 'good',
  starting: 'calm',
  draining: 'calm',
  degraded: 'bad',
  unavailable: 'bad',
} as const;

function stateBadge({ state }: ServerProcess): Html {
  return state === null ? unknown : badge(state, serverTones[state] ?? 'calm');
}

/** A server's report, and whether this server's differs. */
function reportedView(what: string | null, own: string | null | undefined): Html {
  if (what === null) return unknown;
  return html`<span class="stack"><code>${what}</code>${what !== own && badge('differs', 'bad')}</span>`;
}

const unknown = html`<span class="muted">unknown</span>`;

const ways: Readonly<Record<SessionView['method'], string>> = {
  password: 'password',
  link: 'sign-in link',
  oidc: 'issuer',
};

/** How the providers of models stand, asked while the page is made. */
export function providersView(checks: readonly ProviderCheck[]): Html {
  const headings = ['Provider', 'State', 'Milliseconds', 'Models', 'What'];
  const rows = checks.map((check) => [
    html`<span class="stack"><strong>${check.id}</strong><code>${check.baseUrl}</code></span>`,
    check.problem === null ? badge('ok', 'good') : badge(check.problem.replaceAll('_', ' '), 'bad'),
    html`${count(check.latencyMs)}`,
    html`${check.models === null ? '–' : count(check.models)}`,
    html`<span class="stack"><span>${check.message}</span>${unlisted(check)}</span>`,
  ]);
  return html`<section class="panel">
${checks.length === 0 ? html`<p>No provider is configured; the sandbox answers.</p>` : html`<p class="muted">Each provider was asked for its models when this page loaded. Reload the page to ask again. A provider may also accept models that it does not list.</p>${table('Providers', headings, rows)}`}</section>`;
}

function unlisted({ unknownModels }: ProviderCheck): Html | false {
  return (
    unknownModels.length > 0 &&
    html`<span>Configured, but not listed: ${unknownModels.map((name, n) => html`${n > 0 && ', '}<code>${name}</code>`)}</span>`
  );
}

export function sessionsView(session: Session, sessions: ListPage<SessionView>, cursor: string | null): Html {
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
  return html`<section class="panel">
<p class="muted">Everyone who is signed in to the admin area or to the dashboard of a tenant. Ending a session takes effect at once on every server; its holder can sign in again.</p>
${table('Sessions', headings, rows)}
${nextListPage(listAddress('sessions'), sessions.nextCursor, { older: true, cursor })}</section>`;
}

/** One's own session is ended by signing out, which everybody may and which leads on to the issuer. */
function endForm(session: Session, { id, actor }: SessionView, mayEnd: boolean): Html {
  const button = (head: Html, text: string, label: string) =>
    html`<form method="post" action="${adminPath}">${head}<button class="button" aria-label="${label}">${text}</button></form>`;
  if (id === session.id) return button(formHead(session, 'sign-out'), 'Sign out', 'Sign out: this session');
  if (!mayEnd) return html`<span class="muted">for owners</span>`;
  return button(formHead(session, 'end-session', { session: id }), 'End', `End: ${actor}, ${id}`);
}

const signupTones = { pending: 'calm', approved: 'good', rejected: 'bad' } as const;
const statuses = ['pending', 'approved', 'rejected'] as const;

type SignupStatus = (typeof statuses)[number];

export function signupStatus(query: URLSearchParams): SignupStatus {
  return statuses.find((status) => status === query.get('status')) ?? 'pending';
}

export function signupsView(status: SignupStatus, signups: ListPage<Signup>, cursor: string | null): Html {
  const base = listAddress('signups');
  const choices = statuses.map(
    (each) =>
      html`<a href="${base}&status=${each}" ${each === status && html`aria-current="true"`}>${each}</a>`,
  );
  const rows = signups.items.map((signup) => [
    html`<span class="stack"><a href="${adminPath}?signup=${signup.id}"><strong>${signup.orgName}</strong></a><span class="muted">${signup.email}</span></span>`,
    html`${planNames[signup.tier]}`,
    badge(signup.status, signupTones[signup.status]),
    moment(signup.createdAt),
  ]);
  return html`<section class="panel"><nav class="choices" aria-label="Status">${choices}</nav>
${rows.length === 0 ? html`<p class="muted">There are no ${status} sign-ups${cursor !== null && ' on this page'}.</p>` : table('Sign-ups', ['Organisation', 'Tier', 'Status', 'Received (UTC)'], rows)}
${nextListPage(`${base}&status=${status}`, signups.nextCursor, { older: true, cursor })}</section>`;
}

export function signupView(signup: Signup, session: Session): Html {
  const fields = { signup: signup.id };
  const facts: [string, Html][] = [
    ['E-mail', html`${signup.email}`],
    ['Tier', html`${planNames[signup.tier]}`],
    ['Received (UTC)', moment(signup.createdAt)],
    ['Status', badge(signup.status, signupTones[signup.status])],
  ];
  if (signup.decidedAt !== null) facts.push(['Decided (UTC)', moment(signup.decidedAt)]);
  if (signup.tenantId !== null) {
    const address = `${adminPath}?tenant=${signup.tenantId}`;
    facts.push(['Tenant', html`<a href="${address}"><code>${signup.tenantId}</code></a>`]);
  }
  return html`<section class="panel narrow"><p><a href="${listAddress('signups')}">All sign-ups</a></p>
<h1>${signup.orgName}</h1>
<dl class="details">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
${signup.status === 'pending' && decisionForms(signup, session, fields)}</section>`;
}

function decisionForms({ tier }: Signup, session: Session, fields: Record<string, string>): Html {
  return html`<h2>Approve</h2>
<p class="muted">Creates a tenant on the plan ${planNames[tier]}, and a sign-in link or a key, which you pass on to this address.</p>
<form class="fields" method="post" action="${adminPath}">${formHead(session, 'approve-signup', fields)}
<label>Tenant id (made from the name if empty) <input name="id" pattern="[a-z0-9][a-z0-9\\-]{0,62}" title="Lower-case letters, digits and -" autocomplete="off"></label>
<label>Hand over <select name="give"><option value="dashboard_link">a sign-in link to the dashboard</option><option value="key">an API key</option></select></label>
<button class="button primary">Approve</button></form>
<h2>Reject</h2>
<p class="muted">No message is sent, and the address may sign up again.</p>
<form method="post" action="${adminPath}">${formHead(session, 'reject-signup', fields)}<button class="button danger">Reject</button></form>`;
}

/** Names that a section shows; the rest are counted. */
const shownNames = 40;

/** The names in this server's file and settings, and the button that reads them again. */
export function configView(session: Session, config: LoadedConfig): Html {
  const { file, loadedAt, digest, sections, needsRestart, refused } = config;
  const rows = sections.map(({ name, entries, reloadable }) => [
    html`<code>${name}</code>`,
    namesView(entries),
    html`${reloadable ? 'after a reload' : 'after a restart'}`,
  ]);
  return html`<section class="panel"><h2>Configuration of this server</h2>
<p>${file === null ? html`There is no YAML file: <code>SWITCHYARD_CONFIG</code> is not set.` : html`The file is <code>${file}</code>.`} The configuration below has applied since ${moment(loadedAt)} (UTC). Its digest, which servers with the same configuration have in common, is <code>${digest}</code>.</p>
${
  refused !== null &&
  html`<div class="notice bad" role="alert"><p><strong>The reload at ${moment(refused.at)} (UTC) was refused, and nothing changed.</strong></p><ul>${refused.problems.map((problem) => html`<li>${problem}</li>`)}</ul></div>`
}
${needsRestart.length > 0 && html`<p><strong>Changed, and needs a restart:</strong></p><ul>${needsRestart.map((change) => html`<li>${changeInWords(change)}</li>`)}</ul>`}
<form method="post" action="${adminPath}">${formHead(session, 'reload-config')}<div class="actions"><button class="button primary">Reload</button></div></form>
<p class="muted">Reads the file and the files of secrets again and applies the changes that need no restart, on this server only. Running requests finish with the old configuration.</p></section>
<section class="panel"><h2>Sections</h2>${table('Sections', ['Section', 'Entries', 'Changes apply'], rows)}</section>`;
}

function changeInWords({ section, name, change, fields }: ConfigChange): string {
  const what = fields.length > 0 ? ` (${fields.join(', ')})` : '';
  return section === name ? `${name} ${change}${what}` : `${section}: ${name} ${change}${what}`;
}

function namesView(names: readonly string[]): Html {
  if (names.length === 0) return html`<span class="muted">none</span>`;
  const more = names.length - shownNames;
  return html`<span class="chips">${names.slice(0, shownNames).map((name) => html`<span class="chip">${name}</span>`)}${more > 0 && html`<span class="muted">and ${more} more</span>`}</span>`;
}

/** Changes that a message names; it travels in a cookie. */
const shownChanges = 10;

export async function configAction(config: ConfigControl, actor: string): Promise<Flash> {
  try {
    const changes = await config.reload(actor);
    const words = changes.slice(0, shownChanges).map(changeInWords);
    const more = changes.length - words.length;
    if (more > 0) words.push(`${more} more`);
    const message =
      changes.length === 0
        ? 'The configuration was read again. Nothing that a reload exchanges has changed.'
        : `The configuration was reloaded: ${words.join('; ').slice(0, 800)}.`;
    return good(message);
  } catch (thrown) {
    if (!(thrown instanceof ConfigError)) throw thrown;
    return { tone: 'bad', message: 'The configuration was not reloaded: its files are wrong.' };
  }
}
