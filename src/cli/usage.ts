import { once } from 'node:events';
import { Command, Option } from 'commander';
import type { ExportFormat } from '../tenants/metering/exports/export-usage.ts';
import type { DayRange, DayUsage, UsageSums } from '../tenants/metering/usage.ts';
import { type Json, jsonOption, readDay } from './arguments.ts';
import { type AdministrationConnection, allItems, withAdministration } from './connection.ts';
import { type Column, print, printJson, table } from './output.ts';

interface UsageOptions extends Json {
  readonly tenant?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly by?: string | undefined;
}

const sums: readonly Column<UsageSums>[] = [
  { title: 'requests', value: ({ requests }) => requests, numeric: true },
  { title: 'failed', value: ({ failed }) => failed, numeric: true },
  { title: 'cancelled', value: ({ cancelled }) => cancelled, numeric: true },
  { title: 'interrupted', value: ({ interrupted }) => interrupted, numeric: true },
  { title: 'prompt tokens', value: ({ promptTokens }) => promptTokens, numeric: true },
  { title: 'completion tokens', value: ({ completionTokens }) => completionTokens, numeric: true },
];

/** Columns of classes that most requests have none of: they are shown where there are any. */
const classes: readonly Column<UsageSums>[] = [
  { title: 'cache read', value: ({ cachedTokens }) => cachedTokens, numeric: true },
  { title: 'cache write 5m', value: ({ cacheWrite5mTokens }) => cacheWrite5mTokens, numeric: true },
  { title: 'cache write 1h', value: ({ cacheWrite1hTokens }) => cacheWrite1hTokens, numeric: true },
  { title: 'audio in', value: ({ audioPromptTokens }) => audioPromptTokens, numeric: true },
  { title: 'images in', value: ({ imagePromptTokens }) => imagePromptTokens, numeric: true },
  { title: 'reasoning', value: ({ reasoningTokens }) => reasoningTokens, numeric: true },
  { title: 'audio out', value: ({ audioCompletionTokens }) => audioCompletionTokens, numeric: true },
  { title: 'images out', value: ({ imageCompletionTokens }) => imageCompletionTokens, numeric: true },
];

const costs: readonly Column<UsageSums>[] = [
  { title: 'USD', value: costOf, numeric: true },
  { title: 'unpriced', value: ({ unpriced }) => unpriced, numeric: true },
];

function columnsFor(all: UsageSums): readonly Column<UsageSums>[] {
  return [...sums, ...classes.filter(({ value }) => value(all) !== 0), ...costs];
}

export function usageCommand(): Command {
  return new Command('usage')
    .description('Show what was used: by tenant, or by day and model of one tenant. Days are those of UTC.')
    .option('--tenant <tenant>', 'only this one, by day and model')
    .option('--from <day>', 'first day; 29 days before the last if left out', readDay)
    .option('--to <day>', 'last day; today if left out', readDay)
    .option(
      '--by <dimensions>',
      'by one or two of tenant, day, model, provider, key, operation and tag:<name> instead',
    )
    .addOption(jsonOption())
    .addCommand(exportCommand())
    .action(async ({ by, ...options }: UsageOptions) => {
      if (by !== undefined) return showGroups(by, options);
      const { usageByDay, usageByTenant } = await import('../tenants/metering/usage.ts');
      await withUsage(options, async ({ store, range, show }) => {
        const { tenant: tenantId } = options;
        if (tenantId !== undefined) {
          const usage = await usageByDay(store, tenantId, range);
          const last = { day: 'total', model: null };
          return show(days, last, usage, (total) => ({ tenantId, ...range, usage, total }));
        }
        const usage = await allItems((request) => usageByTenant(store, range, request));
        show(tenantNames, { tenantId: 'total' }, usage, (total) => ({ ...range, usage, total }));
      });
    });
}

function exportCommand(): Command {
  return new Command('export')
    .description(
      'Write usage and cost as CSV, a row for each day, key, operation, provider, model and set of tags.',
    )
    .addOption(
      new Option('--format <format>', 'our own table, or FOCUS 1.2').choices(['csv', 'focus']).default('csv'),
    )
    .option('--tenant <tenant>', 'only of this one')
    .option('--from <day>', 'first day; 29 days before the last if left out', readDay)
    .option('--to <day>', 'last day; today if left out', readDay)
    .action(async function exportAll(this: Command) {
      // The command above it has options of the same names, and may have taken them.
      const { format, tenant, from, to } = this.optsWithGlobals<
        UsageOptions & { readonly format: ExportFormat }
      >();
      const { daysIn } = await import('../tenants/metering/usage.ts');
      const { exportUsage } = await import('../tenants/metering/exports/export-usage.ts');
      await withUsage({ tenant, from, to }, async ({ store, range }) => {
        const request = { format, tenantId: tenant ?? null, days: daysIn(range) };
        for await (const piece of exportUsage(store, request)) await write(piece);
      });
    });
}

interface UsageConnection extends AdministrationConnection {
  readonly range: DayRange;
  /**
   * Prints usage with its total.
   * @param columns what comes before the sums, of which `last` is that of the total
   * @param jsonOf what is printed as JSON
   */
  show<Names>(
    columns: readonly Column<Names>[],
    last: NoInfer<Names>,
    usage: readonly (NoInfer<Names> & UsageSums)[],
    jsonOf: (total: UsageSums) => object,
  ): void;
}

/** The same as `withAdministration`, once all that running servers have settled is in the sums, and with the range that is asked for. */
async function withUsage(
  { tenant, from, to, json }: UsageOptions,
  work: (connection: UsageConnection) => Promise<void>,
): Promise<void> {
  const { sumOfAll } = await import('../store/sums/recount.ts');
  const { dayRange, total } = await import('../tenants/metering/usage.ts');
  await withAdministration(true, async (connection) => {
    const { store, tenants } = connection;
    await sumOfAll(store.db);
    if (tenant !== undefined) await tenants.get(tenant);
    const range = dayRange(store.clock.now(), from ?? null, to ?? null);
    const show: UsageConnection['show'] = (columns, last, usage, jsonOf) => {
      const all = total(usage);
      if (json) return printJson(jsonOf(all));
      const lines = table([...columns, ...columnsFor(all)], [...usage, { ...last, ...all }]);
      print(`${range.from} to ${range.to}\n\n${lines}`);
    };
    await work({ ...connection, range, show });
  });
}

/** Waits for the reader. */
async function write(piece: string): Promise<void> {
  if (!process.stdout.write(piece)) await once(process.stdout, 'drain');
}

async function showGroups(by: string, options: UsageOptions): Promise<void> {
  const { daysIn, sumsOf } = await import('../tenants/metering/usage.ts');
  const { readDimensions, usageGroups } = await import('../tenants/metering/usage-groups.ts');
  await withUsage(options, async ({ store, range, show }) => {
    const tenantId = options.tenant ?? null;
    const groupBy = readDimensions(by, tenantId !== null);
    const found = await usageGroups(store, { by: groupBy, days: daysIn(range), tenantId });
    const groups = found.map(({ values, others, sums: some }) => ({ values, others, ...sumsOf(some) }));
    const columns = groupBy.map((title, n) => ({
      title,
      value: ({ values, others }: Pick<(typeof found)[number], 'values' | 'others'>) =>
        others && n === 0 ? 'others' : (values[n] ?? null),
    }));
    const last = { values: ['total'], others: false };
    show(columns, last, groups, (total) => ({ ...range, groupBy, groups, total }));
  });
}

const tenantNames: readonly Column<{ readonly tenantId: string }>[] = [
  { title: 'tenant', value: ({ tenantId }) => tenantId },
];

const days: readonly Column<Pick<DayUsage, 'day' | 'model'>>[] = [
  { title: 'day', value: ({ day }) => day },
  { title: 'model', value: ({ model }) => model },
];

function costOf({ costMicroUsd }: UsageSums): string {
  return (costMicroUsd / 1_000_000).toFixed(costMicroUsd > 0 && costMicroUsd < 10_000 ? 6 : 2);
}
