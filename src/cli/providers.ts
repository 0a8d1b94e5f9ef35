import { Command } from 'commander';
import type { ProviderCheck } from '../gateway/routing/discovery/check-provider.ts';
import { type Json, jsonOption } from './arguments.ts';
import { type Column, print, printJson, table } from './output.ts';

const explanation = `
Each configured provider is asked for its models, by its vendor's own client; no model is called and nothing is spent.
Vendors may answer to names that they do not list, such as an alias of a dated one. Exit code 1: a provider has a problem.`;

const columns: readonly Column<ProviderCheck>[] = [
  { title: 'provider', value: ({ id }) => id },
  { title: 'state', value: ({ problem }) => problem ?? 'ok' },
  { title: 'ms', value: ({ latencyMs }) => latencyMs, numeric: true },
  { title: 'models', value: ({ models }) => models, numeric: true },
  { title: 'address', value: ({ baseUrl }) => baseUrl },
  { title: 'what', value: ({ message }) => message },
];

export function providersCommand(): Command {
  const providers = new Command('providers').description('Check the providers of models.');
  providers
    .command('check')
    .description('Ask each provider for its models: whether it is there and takes the key.')
    .addOption(jsonOption())
    .addHelpText('after', explanation)
    .action(async ({ json }: Json) => {
      const checks = await checkConfigured();
      if (checks.some(({ problem }) => problem !== null)) process.exitCode = 1;
      if (json) return printJson(checks);
      if (checks.length === 0) return print('No provider is configured; the sandbox answers.');
      print(table(columns, checks));
      for (const { id, unknownModels } of checks)
        if (unknownModels.length > 0) print(`${id} does not list: ${unknownModels.join(', ')}`);
    });
  return providers;
}

/** Loaded by then only, so that help shows at once. */
async function checkConfigured(): Promise<readonly ProviderCheck[]> {
  const { readConfig } = await import('../config/config.ts');
  const { modelsSettings } = await import('../config/models-config.ts');
  const { checkProviders } = await import('../gateway/routing/discovery/check-provider.ts');
  const { useProxy } = await import('../lib/outgoing.ts');
  const settings = modelsSettings(await readConfig(process.env));
  if (settings.proxy) useProxy(settings.proxy);
  return checkProviders(settings);
}
