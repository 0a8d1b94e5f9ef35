import { Command, Option } from 'commander';
import type { Budget as BudgetView } from '../../generated/types.gen.ts';
import type { Tags } from '../lib/tags.ts';
import type { Store } from '../store/store.ts';
import type { Budget } from '../tenants/accounts/budgets.ts';
import type { BudgetStatus } from '../tenants/accounts/budgets-view.ts';
import type { CanonicalOf } from '../tenants/metering/budget-needs.ts';
import { type Json, jsonOption, readAmount, readKeyId, readPercents, readTag } from './arguments.ts';
import {
  type AdministrationConnection,
  actor,
  allItems,
  showing,
  type TenantOption,
  withAdministration,
} from './connection.ts';
import { type Column, print } from './output.ts';

interface Change {
  readonly label?: string;
  readonly limit?: number;
  readonly kind?: BudgetView['kind'];
  readonly alerts?: readonly number[];
}

interface CreateOptions extends Change, Json {
  readonly tenant: string;
  readonly unit: BudgetView['unit'];
  readonly window: BudgetView['window'];
  readonly limit: number;
  readonly key?: string;
  readonly tag?: Tags;
  readonly model?: string;
}

const units = ['requests', 'tokens', 'money', 'concurrency'];
const windows = ['minute', 'day', 'month', 'ever', 'running'];

const columns: readonly Column<BudgetView>[] = [
  { title: 'budget', value: ({ id }) => id },
  { title: 'tenant', value: ({ tenant_id: tenantId }) => tenantId },
  { title: 'requests of', value: ({ scope }) => scopeInWords(scope) },
  { title: 'kind', value: ({ kind }) => kind },
  { title: 'unit', value: ({ unit }) => unit },
  { title: 'window', value: ({ window }) => window },
  { title: 'limit', value: ({ limit }) => limit, numeric: true },
  { title: 'used', value: ({ state }) => state.used, numeric: true },
  { title: 'alerts at %', value: ({ alerts_at: alertsAt }) => alertsAt.join(',') },
  { title: 'label', value: ({ label }) => label },
];

const explanation = `
What is used is what the ledger says: it has no part of what running requests have set aside, and nothing for "concurrency".
Money is in US dollars. Days and months are those of UTC.`;

export function budgetsCommand(): Command {
  const budgets = new Command('budgets').description('Create, list, change and delete budgets of tenants.');
  budgets
    .command('create')
    .description("Create a budget: a limit on what some of a tenant's requests may use.")
    .requiredOption('--tenant <tenant>', 'whose requests count')
    .addOption(new Option('--unit <unit>', 'what is counted').choices(units).makeOptionMandatory())
    .addOption(new Option('--window <window>', 'within which time').choices(windows).makeOptionMandatory())
    .requiredOption('--limit <amount>', 'so much may be used; US dollars for money', readAmount)
    .option('--key <key>', 'only requests of this key', readKeyId)
    .option('--tag <tag>', 'only requests with this tag, as team=search', readTag)
    .option('--model <model>', 'only requests for this model')
    .addOption(kindOption('hard'))
    .addOption(alertsOption())
    .option('--label <label>', 'what it is for')
    .addOption(jsonOption())
    .action((options: CreateOptions, command: Command) => {
      const tags = Object.entries(options.tag ?? {});
      if (tags.length > 1) command.error("error: option '--tag <tag>' is given more than once");
      const [tag] = tags.map(([name, value]) => ({ name, value }));
      const { tenant: tenant_id, key: key_id, model, alerts: alerts_at, ...rest } = options;
      const create = shows(({ budgets, newBudgetOf }) => {
        const fields = { ...rest, tenant_id, scope: { key_id, tag, model: model || undefined }, alerts_at };
        return budgets.create(newBudgetOf(fields), actor);
      }, false);
      return create(options, command);
    });
  budgets
    .command('list')
    .description('List budgets, with what is used of each.')
    .option('--tenant <tenant>', 'only those of a tenant')
    .addOption(jsonOption())
    .addHelpText('after', explanation)
    .action(
      shows(async ({ budgets, tenants }, { tenant }: TenantOption) => {
        if (tenant !== undefined) await tenants.get(tenant);
        return allItems((request) => budgets.list(tenant ?? null, request));
      }),
    );
  budgets
    .command('change')
    .description('Change the given values, within a second on every server. Use so far still counts.')
    .argument('<budget>', 'its id')
    .option('--limit <amount>', 'so much may be used; US dollars for money', readAmount)
    .addOption(kindOption())
    .addOption(alertsOption())
    .option('--label <label>', 'what it is for')
    .addOption(jsonOption())
    .action((id: string, options: Change & Json, command: Command) => {
      const { json: _, ...given } = options;
      if (Object.keys(given).length === 0)
        command.error('error: give at least one of --limit, --kind, --alerts, --label');
      const change = shows(async ({ budgets, budgetChangeOf }) => {
        const { unit } = await budgets.get(id);
        const { alerts: alerts_at, ...rest } = given;
        return budgets.change(id, budgetChangeOf({ ...rest, alerts_at }, unit), actor);
      });
      return change(options, command);
    });
  budgets
    .command('delete')
    .description('Delete a budget. It stops applying within a second on every server.')
    .argument('<budget>', 'its id')
    .action(async (id: string) => {
      await withAdministration(true, ({ budgets }) => budgets.delete(id, actor));
      print(`The budget ${id} is deleted.`);
    });
  return budgets;
}

function kindOption(value?: BudgetView['kind']): Option {
  const option = new Option('--kind <kind>', 'hard refuses what exceeds it, soft only alerts');
  return option.choices(['hard', 'soft']).default(value);
}

function alertsOption(): Option {
  const about = 'at which percentages alerts are sent, as 50,80,100, or none';
  return new Option('--alerts <percents>', about).argParser(readPercents);
}

type OnWire = typeof import('../tenants/accounts/budgets-view.ts');

/** Shows the budgets that work has to do with: one as it is, several as a list. */
function shows<Given extends unknown[]>(
  work: (parts: AdministrationConnection & OnWire, ...given: Given) => Promise<Budget | readonly Budget[]>,
  mustExist = true,
) {
  return showing(withAdministration, columns)(async (connection, ...given: Given) => {
    const onWire = await import('../tenants/accounts/budgets-view.ts');
    const { store, config } = connection;
    const found = await work({ ...connection, ...onWire }, ...given);
    const now = store.clock.now();
    const budgets = [found].flat();
    const standings = await standingsOf(store, budgets, now, await namesOf(config, budgets));
    const all = budgets.map((budget, index) => onWire.budgetView(budget, standings[index] ?? unknown));
    return Array.isArray(found) ? all : (all[0] as BudgetView);
  }, mustExist);
}

/** The names of models, where a budget is on one. */
async function namesOf(
  config: AdministrationConnection['config'],
  budgets: readonly Budget[],
): Promise<CanonicalOf> {
  if (budgets.every(({ scope }) => scope.model === null)) return () => null;
  const { modelsSettings } = await import('../config/models-config.ts');
  const { createCatalogue } = await import('../gateway/routing/catalogue.ts');
  const catalogue = createCatalogue(modelsSettings(config));
  return (name) => catalogue.canonicalOf(name ?? catalogue.defaultModel);
}

const unknown = { used: 0, resetsAt: null };

function scopeInWords({ key_id: keyId, tag, model }: BudgetView['scope']): string {
  const parts = [keyId && `key ${keyId}`, tag && `${tag.name}=${tag.value}`, model && `model ${model}`];
  return parts.filter(Boolean).join(', ') || 'all';
}

/**
 * The state of budgets at a time, in milliseconds since the epoch, by the ledger, in their order: only servers know what running requests
 * have reserved. Loads metering by then only, so that help shows at once. Rejects with `StoreError`.
 */
async function standingsOf(
  store: Store,
  budgets: readonly Budget[],
  now: number,
  canonicalOf: CanonicalOf,
): Promise<readonly BudgetStatus[]> {
  const { endOf } = await import('../tenants/metering/budget-needs.ts');
  const { periodOf, usedSince } = await import('../tenants/metering/budget-usage.ts');
  const asked = budgets.map((budget) => ({
    budget,
    since: budget.window === 'minute' ? now - 60_000 : periodOf(budget, now),
  }));
  const used = await usedSince(store, asked, canonicalOf);
  return budgets.map((budget, index) => ({ used: used[index] ?? 0, resetsAt: endOf(budget, now) }));
}
