import { Command } from 'commander';
import { sessionView } from '../tenants/accounts/admin-view.ts';
import { type SessionView, signInLink } from '../tenants/accounts/sessions.ts';
import { type Json, jsonOption } from './arguments.ts';
import { actor, allItems, withAdministration } from './connection.ts';
import { type Column, print, printJson, table, time } from './output.ts';

const columns: readonly Column<SessionView>[] = [
  { title: 'session', value: ({ id }) => id },
  { title: 'who', value: (session) => session.actor },
  { title: 'role', value: ({ role }) => role },
  { title: 'by', value: ({ method, issuer }) => issuer ?? method },
  { title: 'since', value: ({ createdAt }) => time(createdAt) },
  { title: 'last seen', value: ({ lastSeenAt }) => time(lastSeenAt) },
  { title: 'ends', value: ({ expiresAt }) => time(expiresAt) },
];

export function sessionsCommand(): Command {
  const sessions = new Command('sessions').description('List who is signed in, and sign them out.');
  sessions
    .command('list')
    .description('List the sessions of the admin area and of dashboards, latest first.')
    .addOption(jsonOption())
    .action(async ({ json }: Json) => {
      const all = await withAdministration(true, ({ sessions }) =>
        allItems((request) => sessions.list(request)),
      );
      if (json) printJson(all.map((session) => sessionView(session, null)));
      else print(table(columns, all));
    });
  sessions
    .command('end')
    .description('End a session, on all servers at once.')
    .argument('<session>', 'its id')
    .action(async (id: string) => {
      await withAdministration(true, ({ sessions }) => sessions.endById(id, actor));
      print(`The session ${id} is over.`);
    });
  return sessions;
}

export function dashboardLinkCommand(): Command {
  return new Command('dashboard-link')
    .description('Print a link by which a tenant signs in to its dashboard, once.')
    .argument('<tenant>', 'its id')
    .addOption(jsonOption())
    .action(async (tenantId: string, { json }: Json) => {
      const link = await withAdministration(true, async ({ config, sessions }) => {
        const { token, expiresAt } = await sessions.invite(tenantId, actor);
        return { tenantId, url: signInLink(config.publicUrl, token), expiresAt };
      });
      if (json) printJson(link);
      else print(`${link.url}\n\nIt works once, until ${time(link.expiresAt)} UTC.`);
    });
}
