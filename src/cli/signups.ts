import { Command, Option } from 'commander';
import { signInLink } from '../tenants/accounts/sessions.ts';
import type { ApprovedSignup, Handover, Signup } from '../tenants/accounts/signups.ts';
import { type Json, jsonOption } from './arguments.ts';
import { actor, allItems, showing, withAdministration } from './connection.ts';
import { type Column, print, printJson, table, time } from './output.ts';

interface ApproveOptions extends Json {
  readonly give: Handover;
  readonly tenant?: string;
}

const columns: readonly Column<Signup>[] = [
  { title: 'sign-up', value: ({ id }) => id },
  { title: 'status', value: ({ status }) => status },
  { title: 'tier', value: ({ tier }) => tier },
  { title: 'received', value: ({ createdAt }) => time(createdAt) },
  { title: 'tenant', value: ({ tenantId }) => tenantId },
  { title: 'e-mail', value: ({ email }) => email },
  { title: 'organisation', value: ({ orgName }) => orgName },
];

const shows = showing(withAdministration, columns);

export function signupsCommand(): Command {
  const signups = new Command('signups').description('List, approve and reject sign-ups.');
  const statuses = ['pending', 'approved', 'rejected', 'all'];
  signups
    .command('list')
    .description('List sign-ups, latest first.')
    .addOption(new Option('--status <status>', 'which').choices(statuses).default('pending'))
    .addOption(jsonOption())
    .action(
      shows(({ signups }, { status }: { readonly status: Signup['status'] | 'all' }) =>
        allItems((request) => signups.list({ ...request, ...(status !== 'all' && { status }) })),
      ),
    );
  const give = new Option('--give <what>', 'what the new tenant gets').choices(['dashboard_link', 'key']);
  signups
    .command('approve')
    .description('Make a tenant of a sign-up, and a link to its dashboard or a key, printed this once.')
    .argument('<sign-up>', 'its id')
    .addOption(give.default('dashboard_link'))
    .option('--tenant <tenant>', 'the id of the new tenant; made from the name if left out')
    .addOption(jsonOption())
    .action(async (id: string, { give, tenant, json }: ApproveOptions) => {
      await withAdministration(true, async ({ config, signups }) => {
        const approved = await signups.approve(id, { give, tenantId: tenant }, actor);
        const handover = handoverOf(approved, config.publicUrl);
        if (json) printJson({ signup: approved.signup, tenant: approved.tenant, ...handover });
        else print(`${table(columns, [approved.signup])}\n\n${Object.values(handover)[0]}`);
      });
    });
  signups
    .command('reject')
    .description('Reject a sign-up. No message is sent, and the address may sign up again.')
    .argument('<sign-up>', 'its id')
    .addOption(jsonOption())
    .action(shows(({ signups }, id: string) => signups.reject(id, actor)));
  return signups;
}

/** The credential that is handed over in clear, by its name on the wire. */
function handoverOf({ link, key }: ApprovedSignup, publicUrl: string): Readonly<Record<string, string>> {
  return {
    ...(link && { dashboardLink: signInLink(publicUrl, link.token) }),
    ...(key && { key: key.text }),
  };
}
