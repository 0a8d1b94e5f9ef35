import { once } from 'node:events';
import { Command, Option } from 'commander';
import type { ExportFormat } from '../tenants/metering/exports/export-usage.ts';
import type { DayUsage, UsageSums } from '../tenants/metering/usage.ts';
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
    .action(async ({ tenant, from, to, by, json }: UsageOptions) => {
      if (by !== undefined) return showGroups({ tenant, from, to, by, json });
      const { dayRange, total, usageByDay, usageByTenant } = await import('../tenants/metering/usage.ts');
      await withUsage(async ({ store, tenants }) => {
        const range = dayRange(store.clock.now(), from ?? null, to ?? null);
        if (tenant === undefined) {
          const usage = await allItems((request) => usageByTenant(store, range, request));
          const all = total(usage);
          const columns = [
            { title: 'tenant', value: (row: (typeof usage)[number]) => row.tenantId },
            ...columnsFor(all),
          ];
          if (json) printJson({ ...range, usage, total: all });
          else print(withTotal(table(columns, [...usage, { tenantId: 'total', ...all }]), range));
          return;
        }
        await tenants.get(tenant);
        const usage = await usageByDay(store, tenant, range);
        const all = total(usage);
        const columns = [...days, ...columnsFor(all)];
        if (json) printJson({ tenantId: tenant, ...range, usage, total: all });
        else print(withTotal(table(columns, [...usage, { day: 'total', model: null, ...all }]), range));
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
      const { dayRange, daysIn } = await import('../tenants/metering/usage.ts');
      const { exportUsage } = await import('../tenants/metering/exports/export-usage.ts');
      await withUsage(async ({ store, tenants }) => {
        if (tenant !== undefined) await tenants.get(tenant);
        const days = daysIn(dayRange(store.clock.now(), from ?? null, to ?? null));
        for await (const piece of exportUsage(store, { format, tenantId: tenant ?? null, days }))
          await write(piece);
      });
    });
}

/** The same as `withAdministration`, once all that running servers have settled is in the sums. */
async function withUsage(work: (connection: AdministrationConnection) => Promise<void>): Promise<void> {
  const { sumOfAll } = await import('../store/sums/recount.ts');
  await withAdministration(true, async (connection) => {
    await sumOfAll(connection.store.db);
    await work(connection);
  });
}

/** Waits for the reader. */
async function write(piece: string): Promise<void> {
  if (!process.stdout.write(piece)) await once(process.stdout, 'drain');
}

async function showGroups({
  tenant,
  from,
  to,
  by,
  json,
}: UsageOptions & { readonly by: string }): Promise<void> {
  const { dayRange, daysIn, sumsOf, total } = await import('../tenants/metering/usage.ts');
  const { readDimensions, usageGroups } = await import('../tenants/metering/usage-groups.ts');
  await withUsage(async ({ store, tenants }) => {
    if (tenant !== undefined) await tenants.get(tenant);
    const range = dayRange(store.clock.now(), from ?? null, to ?? null);
    const dimensions = readDimensions(by, tenant !== undefined);
    const request = { by: dimensions, days: daysIn(range), tenantId: tenant ?? null };
    const groups = await usageGroups(store, request);
    const usage = groups.map(({ values, others, sums: some }) => ({ values, others, ...sumsOf(some) }));
    const all = total(usage);
    if (json) return printJson({ ...range, groupBy: dimensions, groups: usage, total: all });
    const columns = dimensions.map((title, n) => ({
      title,
      value: ({ values, others }: Pick<(typeof usage)[number], 'values' | 'others'>) =>
        others && n === 0 ? 'others' : (values[n] ?? null),
    }));
    const last = { values: ['total'], others: false, ...all };
    print(withTotal(table([...columns, ...columnsFor(all)], [...usage, last]), range));
  });
}

const days: readonly Column<DayUsage>[] = [
  { title: 'day', value: ({ day }) => day },
  { title: 'model', value: ({ model }) => model },
];

function withTotal(lines: string, { from, to }: { readonly from: string; readonly to: string }): string {
  return `${from} to ${to}\n\n${lines}`;
}

function costOf({ costMicroUsd }: UsageSums): string {
  return (costMicroUsd / 1_000_000).toFixed(costMicroUsd > 0 && costMicroUsd < 10_000 ? 6 : 2);
}
