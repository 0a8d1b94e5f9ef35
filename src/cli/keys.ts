import { Command, Option } from 'commander';
import type { Tags } from '../lib/tags.ts';
import { AccountError } from '../tenants/accounts/account-error.ts';
import { planIds } from '../tenants/accounts/plans.ts';
import type { KeyView, MadeKey } from '../tenants/accounts/stored-keys.ts';
import type { Tenant, Tenants } from '../tenants/accounts/tenants.ts';
import {
  type Json,
  jsonOption,
  readDuration,
  readKeyId,
  readScopes,
  readTag,
  readTime,
} from './arguments.ts';
import { actor, allItems, showing, type TenantOption, withAdministration } from './connection.ts';
import { type Column, print, printJson, table, time } from './output.ts';

interface CreateOptions extends Json {
  readonly tenant: string;
  readonly plan?: string;
  readonly scopes?: readonly string[];
  readonly label?: string;
  readonly expires?: number;
  readonly tag?: Tags;
}

const columns: readonly Column<KeyView>[] = [
  { title: 'key', value: ({ id }) => id },
  { title: 'tenant', value: ({ tenantId }) => tenantId },
  { title: 'status', value: ({ status }) => status },
  { title: 'scopes', value: ({ scopes }) => scopes.join(',') },
  { title: 'tags', value: ({ tags }) => tagsInWords(tags) },
  { title: 'created', value: ({ createdAt }) => time(createdAt) },
  // A replaced key ends with its grace.
  {
    title: 'ends',
    value: ({ revokedAt, graceUntil, expiresAt }) => time(revokedAt ?? graceUntil ?? expiresAt),
  },
  { title: 'last used', value: ({ lastUsedAt }) => time(lastUsedAt) },
  { title: 'label', value: ({ label }) => label },
];

const shows = showing(withAdministration, columns);

export function keysCommand(): Command {
  const keys = new Command('keys').description('Create, list, rotate and revoke API keys.');
  keys
    .command('create')
    .description('Create a key and print it, this once.')
    .requiredOption('--tenant <tenant>', 'whose key it is')
    .addOption(
      new Option('--plan <plan>', 'create the tenant on this plan if there is none').choices(planIds),
    )
    .option('--scopes <scopes>', 'what it may call, separated by commas; everything if left out', readScopes)
    .option('--label <label>', 'what it is for')
    .option('--expires <time>', 'when it ends: a day or a time; never if left out', readTime)
    .option('--tag <tag>', 'a tag of its requests, as team=search (repeatable)', readTag)
    .addOption(jsonOption())
    .action(async ({ tenant, plan, scopes, label, expires, tag, json }: CreateOptions) => {
      const fields = { tenantId: tenant, scopes, label, expiresAt: expires, tags: tag };
      const made = await withAdministration(false, async ({ tenants, storedKeys }) => {
        if (plan !== undefined) await requireTenant(tenants, tenant, plan);
        return storedKeys.create(fields, actor);
      });
      showMade(made, json);
    });
  keys
    .command('list')
    .description(
      'List keys, latest first. A key is named by the id in its middle; its secret is kept nowhere.',
    )
    .option('--tenant <tenant>', 'only those of a tenant')
    .addOption(jsonOption())
    .action(
      shows(async ({ tenants, storedKeys }, { tenant }: TenantOption) => {
        if (tenant !== undefined) await tenants.get(tenant);
        return allItems((request) => storedKeys.list(tenant ?? null, request));
      }),
    );
  keys
    .command('set-tags')
    .description(
      'Replace the tags of the requests of a key; without --tag it has none. No client can change them.',
    )
    .argument('<key>', 'the id of the key', readKeyId)
    .option('--tag <tag>', 'a tag, as team=search (repeatable)', readTag)
    .addOption(jsonOption())
    .action(
      shows(({ storedKeys }, id: string, { tag: tags = {} }: { readonly tag?: Tags }) =>
        storedKeys.change({ id, tenantId: null }, { tags }, actor),
      ),
    );
  keys
    .command('rotate')
    .description(
      'Replace a key by a new one, printed this once. The old one stays valid for the grace period.',
    )
    .argument('<key>', 'the id of the key', readKeyId)
    .option(
      '--grace <duration>',
      'how long the old key stays valid: 0, 15m, 24h, at most 30d',
      readDuration,
      86_400_000,
    )
    .addOption(jsonOption())
    .action(async (id: string, { grace, json }: Json & { readonly grace: number }) => {
      const address = { id, tenantId: null };
      showMade(
        await withAdministration(true, ({ storedKeys }) => storedKeys.rotate(address, grace, actor)),
        json,
      );
    });
  keys
    .command('revoke')
    .description('End a key, within a second on every server.')
    .argument('<key>', 'the id of the key', readKeyId)
    .addOption(jsonOption())
    .action(shows(({ storedKeys }, id: string) => storedKeys.revoke({ id, tenantId: null }, actor)));
  return keys;
}

function tagsInWords(tags: Tags): string {
  return Object.entries(tags)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
}

/** The key in clear comes last, alone on its line, to be copied. */
function showMade({ key, text }: MadeKey, json: true | undefined): void {
  if (json) printJson({ ...key, key: text });
  else print(`${table(columns, [key])}\n\nThe key, shown this once:\n\n${text}`);
}

/**
 * The tenant on this plan; it is created if there is none. One that is on another plan is left alone: a script that
 * asks for a key must not change what a tenant pays for. Throws `AccountError`.
 */
async function requireTenant(tenants: Tenants, id: string, plan: string): Promise<Tenant> {
  const tenant = await tenants.create({ id, plan }, actor).catch((error: unknown) => {
    if (error instanceof AccountError && error.reason === 'exists') return tenants.get(id);
    throw error;
  });
  if (tenant.plan === plan) return tenant;
  throw new AccountError(
    'not_allowed',
    `The tenant ${id} is on the plan ${tenant.plan}, not ${plan}; change it with tenants set-plan, or leave out --plan.`,
  );
}
