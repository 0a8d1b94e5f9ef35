import type { Page, PageReply, PageRequest } from '../../http/page.ts';
import type { McpServers } from '../../services/mcp/servers.ts';
import { adminCookie } from '../../tenants/accounts/admin-access.ts';
import type { Accounts } from '../../tenants/accounts/open-accounts.ts';
import { mayUse } from '../../tenants/accounts/roles.ts';
import type { Session } from '../../tenants/accounts/sessions.ts';
import { type Html, html } from '../assets/html.ts';
import { adminPath, badge, count, formHead, listAddress, requireRight, table } from './parts.ts';
import { onward, privatePage } from './reply.ts';

/** The source of the page of the MCP servers. */
export type McpSource = Pick<McpServers, 'list' | 'begin' | 'finish' | 'forget'>;

const viewPath = listAddress('mcp');

/** The MCP servers of the configuration, asked while the page is made, and the way to connect those that need a person. */
export async function mcpView(session: Session, source: McpSource): Promise<Html> {
  const mayConnect = mayUse(session.rights, 'reloadConfig');
  const servers = await source.list();
  const rows = servers.map(({ id, address, tools, failure, connected, missing }) => [
    html`<span class="stack"><strong>${id}</strong><code>${address}</code></span>`,
    failure === null ? badge('ok', 'good') : badge('failed', 'bad'),
    html`${count(tools)}`,
    html`${problemOf(failure, missing)}`,
    connected === null
      ? html`<span class="muted">by the configuration</span>`
      : connectForms(session, id, connected, mayConnect),
  ]);
  return html`<section class="panel">
${servers.length === 0 ? html`<p>The configuration has no MCP server.</p>` : html`<p class="muted">Each server was asked for its tools when this page loaded. If a server needs a person to grant access, connect it here, once, for all tenants and all servers on this database.</p>${table('MCP servers', ['Server', 'State', 'Tools', 'What', 'Access'], rows)}`}</section>`;
}

function problemOf(failure: string | null, missing: string | null): string {
  if (failure !== null) return `It ${failure}.`;
  return missing === null
    ? ''
    : `Some calls need the scope ${missing} in addition. Connect it again to grant that.`;
}

function connectForms(session: Session, id: string, connected: boolean, mayConnect: boolean): Html {
  if (!mayConnect) return html`<span class="muted">for owners</span>`;
  const form = (action: string, text: string) =>
    html`<form method="post" action="${adminPath}">${formHead(session, action, { server: id })}<button class="button" aria-label="${text}: ${id}">${text}</button></form>`;
  if (!connected) return form('connect-mcp', 'Connect');
  return html`${form('connect-mcp', 'Connect again')}${form('disconnect-mcp', 'Disconnect')}`;
}

/** Sends the browser to the authorization server of a server; null: the form is about something else. Throws `AccountError`. */
export async function mcpAction(
  source: McpSource,
  { changes }: Pick<Accounts, 'changes'>,
  form: URLSearchParams,
  session: Session,
): Promise<PageReply | null> {
  const action = form.get('action');
  if (action !== 'connect-mcp' && action !== 'disconnect-mcp') return null;
  requireRight(action, session.rights);
  const id = form.get('server') ?? '';
  try {
    if (action === 'connect-mcp') return onward((await source.begin(id, session.id)).href, 'Grant access');
    await source.forget(id);
    await changes.perform(async () => ({ result: null, act: actOf('mcp.disconnect', id, session) }));
    return onward(viewPath, 'The server is disconnected');
  } catch (error) {
    return notConnected(error);
  }
}

/** Where an authorization server sends browsers back to. */
export function mcpCallback(
  source: McpSource,
  { sessions, changes }: Pick<Accounts, 'sessions' | 'changes'>,
  path: string,
): Page {
  return {
    path,
    signIn: true,
    async render({ query, cookie }: PageRequest): Promise<PageReply> {
      // A way that began elsewhere carries no cookie of ours: the page asks once more, by itself.
      if (!query.has('own')) {
        const own = new URLSearchParams([...query, ['own', '1']]);
        return onward(`${path}?${own}`, 'Back from the authorization server');
      }
      const session = await sessions.find(cookie(adminCookie) ?? '');
      if (session?.tenantId !== null)
        return notConnected(new Error('You are not signed in to the admin area.'));
      try {
        requireRight('connect-mcp', session.rights);
        const id = await source.finish(query, session.id);
        await changes.perform(async () => ({ result: null, act: actOf('mcp.connect', id, session) }));
        return onward(viewPath, 'The server is connected');
      } catch (error) {
        return notConnected(error);
      }
    },
  };
}

function actOf(action: string, id: string, { actor }: Session) {
  return { actor, action, target: `mcp_server:${id}`, tenantId: null, before: null, after: null };
}

function notConnected(error: unknown): PageReply {
  const message = error instanceof Error ? error.message : String(error);
  const main = html`<section class="panel narrow"><h1>The server is not connected</h1>
<p class="notice bad" role="alert">${message}</p>
<p><a class="button" href="${viewPath}">Back to the MCP servers</a></p></section>`;
  return privatePage({ title: 'Not connected', main, status: 400 });
}
