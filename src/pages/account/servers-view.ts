import type { Finding } from '../../lib/health-checks.ts';
import type { ServerProcess } from '../../tenants/accounts/servers.ts';
import type { Session } from '../../tenants/accounts/sessions.ts';
import { type Html, html } from '../layout.ts';
import { adminHead, badge, moment, table } from './parts.ts';

/** What the page of the servers shows comes from here. */
export interface ServersSource {
  readonly version: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  health(): Promise<Readonly<Record<string, Finding | undefined>>>;
  list(): Promise<readonly ServerProcess[]>;
}

export interface ServersView {
  readonly session: Session;
  readonly pending: number;
  readonly source: ServersSource;
}

/** How this server is, and which others are on the same database. */
export async function serversView({ session, pending, source }: ServersView): Promise<Html> {
  const { version, startedAt } = source;
  const [health, servers] = await Promise.all([source.health(), source.list()]);
  const checks = Object.entries(health).flatMap(([name, finding]) =>
    finding === undefined
      ? []
      : [
          [
            html`<code>${name}</code>`,
            finding.ok ? badge('ok', 'good') : badge('failed', 'bad'),
            html`${finding.detail}`,
          ],
        ],
  );
  const own = servers.find(({ current }) => current);
  const rows = servers.map((server) => [
    html`<span class="stack">${server.name !== null && html`<strong>${server.name}</strong>`}<code>${server.id}</code>${server.current && badge('this one', 'calm')}</span>`,
    stateBadge(server),
    told(server.version, own?.version),
    told(server.config, own?.config),
    html`${server.pid}`,
    moment(server.startedAt),
    moment(server.seenAt),
  ]);
  return html`${adminHead({ title: 'Servers', session, pending, current: 'servers' })}
<section class="panel"><h2>This server</h2>
<p>Version ${version}, running since ${moment(startedAt)} (UTC).</p>
${table('Checks of this server', ['Check', 'State', 'What'], checks)}</section>
<section class="panel"><h2>On the same database</h2>
<p class="muted">Each shows itself every few seconds; one that is gone leaves the list by itself. Servers whose digests differ use different configurations: one of them may have to be reloaded or restarted.</p>
${table('Servers', headings, rows)}</section>`;
}

const headings = ['Server', 'State', 'Version', 'Configuration', 'Process', 'Since (UTC)', 'Last seen (UTC)'];

const tones = {
  ready: 'good',
  starting: 'calm',
  draining: 'calm',
  degraded: 'bad',
  unavailable: 'bad',
} as const;

function stateBadge({ state }: ServerProcess): Html {
  return state === null ? unknown : badge(state, tones[state] ?? 'calm');
}

/** What a server tells, and whether this one tells something else. */
function told(what: string | null, own: string | null | undefined): Html {
  if (what === null) return unknown;
  return html`<span class="stack"><code>${what}</code>${what !== own && badge('differs', 'bad')}</span>`;
}

const unknown = html`<span class="muted">unknown</span>`;
