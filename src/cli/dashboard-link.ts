import { Command } from 'commander';
import { signInLink } from '../tenants/accounts/sessions.ts';
import { jsonOption } from './arguments.ts';
import { actor, withAdministration } from './connection.ts';
import { print, printJson, time } from './output.ts';

export function dashboardLinkCommand(): Command {
  return new Command('dashboard-link')
    .description('Print a link by which a tenant signs in to its dashboard, once.')
    .argument('<tenant>', 'its id')
    .addOption(jsonOption())
    .action(async (tenantId: string, { json }: { readonly json?: true }) => {
      const link = await withAdministration(true, async ({ config, sessions }) => {
        const { token, expiresAt } = await sessions.invite(tenantId, actor);
        return { tenantId, url: signInLink(config.publicUrl, token), expiresAt };
      });
      if (json) printJson(link);
      else print(`${link.url}\n\nIt works once, until ${time(link.expiresAt)} UTC.`);
    });
}
