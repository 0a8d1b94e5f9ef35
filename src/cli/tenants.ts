import { Argument, Command, Option } from 'commander';
import { snakeCase } from '../lib/names.ts';
import { type Overrides, planIds } from '../tenants/accounts/plans.ts';
import type { NewTenant, Tenant, TenantChange } from '../tenants/accounts/tenants.ts';
import { jsonOption, readLimit, readTagNames } from './arguments.ts';
import { actor, allItems, showing, withAdministration } from './connection.ts';
import { type Column, time } from './output.ts';

const columns: readonly Column<Tenant>[] = [
  { title: 'tenant', value: ({ id }) => id },
  { title: 'plan', value: ({ plan }) => plan },
  { title: 'status', value: ({ suspendedAt }) => (suspendedAt === null ? 'active' : 'suspended') },
  { title: 'own limits', value: ({ overrides }) => limitsInWords(overrides) },
  { title: 'required tags', value: ({ requiredTags }) => requiredTags.join(',') },
  { title: 'created', value: ({ createdAt }) => time(createdAt) },
  { title: 'name', value: ({ name }) => name },
];

const shows = showing(withAdministration, columns);

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
    .action(
      shows(
        ({ tenants }, id: string, { limit: overrides, ...rest }: Omit<NewTenant, 'id'> & LimitOption) =>
          tenants.create({ id, ...rest, overrides }, actor),
        false,
      ),
    );
  tenants
    .command('list')
    .description('List all tenants.')
    .addOption(jsonOption())
    .action(shows(({ tenants }) => allItems((request) => tenants.list(request))));
  tenants
    .command('set-plan')
    .description('Put a tenant on another plan. Limits of its own are kept unless --limit gives new ones.')
    .argument('<tenant>', 'its id')
    .addArgument(new Argument('<plan>', 'its new plan').choices(planIds))
    .addOption(limitOption())
    .addOption(jsonOption())
    .action(changing((plan: string, { limit }: LimitOption) => ({ plan, overrides: limit })));
  tenants
    .command('set-idempotency')
    .description(
      'Honour the Idempotency-Key of the requests of a tenant, or ignore it and keep no answer of them.',
    )
    .argument('<tenant>', 'its id')
    .addArgument(new Argument('<on|off>', 'whether Idempotency-Key is honoured').choices(['on', 'off']))
    .addOption(jsonOption())
    .action(changing((honoured: string) => ({ idempotency: honoured === 'on' })));
  tenants
    .command('set-required-tags')
    .description('Refuse requests of a tenant that lack certain tags.')
    .argument('<tenant>', 'its id')
    .argument('<names>', 'their names, with commas between; none for any request', readTagNames)
    .addOption(jsonOption())
    .action(changing((requiredTags: readonly string[]) => ({ requiredTags })));
  tenants.addCommand(suspensionCommand('suspend', 'Refuse the keys of a tenant until it is resumed.', true));
  tenants.addCommand(suspensionCommand('resume', 'Take the keys of a suspended tenant again.', false));
  return tenants;
}

function suspensionCommand(name: string, description: string, suspended: boolean): Command {
  return new Command(name)
    .description(description)
    .argument('<tenant>', 'its id')
    .addOption(jsonOption())
    .action(changing(() => ({ suspended })));
}

interface LimitOption {
  readonly limit?: Overrides;
}

function limitOption(): Option {
  const about = 'a limit of its own, as requests_per_minute=600 or requests_per_day=unlimited (repeatable)';
  return new Option('--limit <limit>', about).argParser<Overrides>(readLimit);
}

function changing<Given extends unknown[]>(fieldsOf: (...given: Given) => TenantChange) {
  return shows(({ tenants }, id: string, ...given: Given) => tenants.change(id, fieldsOf(...given), actor));
}

function limitsInWords(overrides: Overrides): string {
  return Object.entries(overrides)
    .map(([name, value]) => `${snakeCase(name)}=${value ?? 'unlimited'}`)
    .join(' ');
}
