import { Argument, Command, Option } from 'commander';
import { snakeCase } from '../lib/names.ts';
import { type Overrides, planIds } from '../tenants/accounts/plans.ts';
import type { NewTenant, Tenant, TenantChange } from '../tenants/accounts/tenants.ts';
import { type Json, jsonOption, readLimit, readTagNames } from './arguments.ts';
import { actor, allItems, withAdministration } from './connection.ts';
import { type Column, show, time } from './output.ts';

const columns: readonly Column<Tenant>[] = [
  { title: 'tenant', value: ({ id }) => id },
  { title: 'plan', value: ({ plan }) => plan },
  { title: 'status', value: ({ suspendedAt }) => (suspendedAt === null ? 'active' : 'suspended') },
  { title: 'own limits', value: ({ overrides }) => limitsInWords(overrides) },
  { title: 'required tags', value: ({ requiredTags }) => requiredTags.join(',') },
  { title: 'created', value: ({ createdAt }) => time(createdAt) },
  { title: 'name', value: ({ name }) => name },
];

export function tenantsCommand(): Command {
  const tenants = new Command('tenants').description('Create, list and change tenants.');
  tenants
    .command('create')
    .description('Create a tenant.')
    .argument('<tenant>', 'its id: lower-case letters, digits and "-"')
    .addOption(new Option('--plan <plan>', 'its plan').choices(planIds).default('free'))
    .option('--name <name>', 'what people call it')
    .addOption(limitOption())
    .option('--no-idempotency', 'ignore the Idempotency-Key of its requests, and keep no answer of them')
    .option('--required-tags <names>', 'tags that its requests need, with commas between', readTagNames)
    .addOption(jsonOption())
    .action(async (id: string, { json, limit, ...rest }: Omit<NewTenant, 'id'> & LimitOption & Json) => {
      const fields = { id, ...rest, ...(limit && { overrides: limit }) };
      show(columns, await withAdministration(false, ({ tenants }) => tenants.create(fields, actor)), json);
    });
  tenants
    .command('list')
    .description('List all tenants.')
    .addOption(jsonOption())
    .action(async ({ json }: Json) => {
      const all = await withAdministration(true, ({ tenants }) =>
        allItems((request) => tenants.list(request)),
      );
      show(columns, all, json);
    });
  tenants
    .command('set-plan')
    .description('Put a tenant on another plan. Limits of its own are kept unless --limit gives new ones.')
    .argument('<tenant>', 'its id')
    .addArgument(new Argument('<plan>', 'its new plan').choices(planIds))
    .addOption(limitOption())
    .addOption(jsonOption())
    .action((id: string, plan: string, { json, limit }: LimitOption & Json) =>
      change(id, { plan, ...(limit && { overrides: limit }) }, json),
    );
  tenants
    .command('set-idempotency')
    .description(
      'Honour the Idempotency-Key of the requests of a tenant, or ignore it and keep no answer of them.',
    )
    .argument('<tenant>', 'its id')
    .addArgument(new Argument('<on|off>', 'whether Idempotency-Key is honoured').choices(['on', 'off']))
    .addOption(jsonOption())
    .action((id: string, honoured: string, { json }: Json) =>
      change(id, { idempotency: honoured === 'on' }, json),
    );
  tenants
    .command('set-required-tags')
    .description('Refuse requests of a tenant that lack certain tags.')
    .argument('<tenant>', 'its id')
    .argument('<names>', 'their names, with commas between; none for any request', readTagNames)
    .addOption(jsonOption())
    .action((id: string, requiredTags: readonly string[], { json }: Json) =>
      change(id, { requiredTags }, json),
    );
  tenants.addCommand(suspensionCommand('suspend', 'Refuse the keys of a tenant until it is resumed.', true));
  tenants.addCommand(suspensionCommand('resume', 'Take the keys of a suspended tenant again.', false));
  return tenants;
}

function suspensionCommand(name: string, description: string, suspended: boolean): Command {
  return new Command(name)
    .description(description)
    .argument('<tenant>', 'its id')
    .addOption(jsonOption())
    .action((id: string, { json }: Json) => change(id, { suspended }, json));
}

interface LimitOption {
  readonly limit?: Overrides;
}

function limitOption(): Option {
  const about = 'a limit of its own, as requests_per_minute=600 or requests_per_day=unlimited (repeatable)';
  return new Option('--limit <limit>', about).argParser<Overrides>(readLimit);
}

async function change(id: string, fields: TenantChange, json: true | undefined): Promise<void> {
  show(columns, await withAdministration(true, ({ tenants }) => tenants.change(id, fields, actor)), json);
}

function limitsInWords(overrides: Overrides): string {
  return Object.entries(overrides)
    .map(([name, value]) => `${snakeCase(name)}=${value ?? 'unlimited'}`)
    .join(' ');
}
