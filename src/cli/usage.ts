import { Command } from 'commander';
import type { DayUsage, UsageSums } from '../metering/usage.ts';
import { allItems } from './all-items.ts';
import { jsonOption, readDay } from './arguments.ts';
import { withAdministration } from './connection.ts';
import { type Column, print, printJson, table } from './output.ts';

interface UsageOptions {
  readonly tenant?: string;
  readonly from?: string;
  readonly to?: string;
  readonly json?: true;
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
    .addOption(jsonOption())
    .action(async ({ tenant, from, to, json }: UsageOptions) => {
      const { dayRange, total, usageByDay, usageByTenant } = await import('../metering/usage.ts');
      await withAdministration(true, async ({ store, tenants }) => {
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
