import type { ServerProcess } from '../../accounts/servers.ts';
import type { Session } from '../../accounts/sessions.ts';
import type { Finding } from '../../lib/health-checks.ts';
import { type Html, html } from '../html.ts';
import { adminHead } from './admin-parts.ts';
import { badge, moment, table } from './parts.ts';

/** What the page of the servers shows comes from here. */
export interface ServersSource {
  /** Of the process that answers. */
  readonly id: string;
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
  const { id, version, startedAt } = source;
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
  const rows = servers.map((server) => [
    html`<span class="stack"><code>${server.id}</code>${server.id === id && badge('this one', 'calm')}</span>`,
    html`${server.pid}`,
    moment(server.startedAt),
    moment(server.seenAt),
  ]);
  return html`${adminHead({ title: 'Servers', session, pending, current: 'servers' })}
<section class="panel"><h2>This server</h2>
<p>Version ${version}, running since ${moment(startedAt)} (UTC).</p>
${table('Checks of this server', ['Check', 'State', 'What'], checks)}</section>
<section class="panel"><h2>On the same database</h2>
<p class="muted">Each shows itself every few seconds; one that is gone leaves the list by itself.</p>
${table('Servers', ['Server', 'Process', 'Since (UTC)', 'Last seen (UTC)'], rows)}</section>`;
}
