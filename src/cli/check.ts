import { Command } from 'commander';
import { ConfigError } from '../lib/config-error.ts';
import type { Finding } from '../store/check/check-store.ts';
import { jsonOption } from './arguments.ts';
import { withStore } from './connection.ts';
import { print, printJson } from './output.ts';

const explanation = `
It reads everything and changes nothing, so it can run beside a server. Exit code 1: something is wrong.`;

export function checkCommand(): Command {
  return new Command('check')
    .description('Check the database: that its file is whole (SQLite), and that what is in it agrees.')
    .addOption(jsonOption())
    .addHelpText('after', explanation)
    .action(async ({ json }: { readonly json?: true }) => {
      const { checkStore } = await import('../store/check/check-store.ts');
      const { checkPrices } = await import('../tenants/metering/check-prices.ts');
      const findings = await withStore(true, async ({ store }) => [
        ...(await checkStore(store)),
        ...(await checkPrices(store)),
      ]).catch((error: unknown) => {
        // A script that asks for JSON gets it, also from a database that is too damaged to be opened.
        if (json && error instanceof ConfigError) return [unopened(error)];
        throw error;
      });
      if (findings.length > 0) process.exitCode = 1;
      if (json) return printJson({ sound: findings.length === 0, findings });
      if (findings.length === 0) return print('The database is sound.');
      for (const { rule, message, count, examples } of findings) {
        print(`${rule}: ${message}`);
        print(
          `  broken ${count} ${count === 1 ? 'time' : 'times'}${examples.map((one) => `\n  - ${one}`).join('')}`,
        );
      }
    });
}

function unopened({ problems }: ConfigError): Finding {
  return { rule: 'database_can_be_opened', message: problems.join(' '), count: 1, examples: [] };
}
