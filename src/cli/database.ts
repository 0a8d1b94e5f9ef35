import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { ConfigError } from '../lib/config-error.ts';
import type { Finding } from '../store/check/check-store.ts';
import { type Json, jsonOption } from './arguments.ts';
import { withStore } from './connection.ts';
import { print, printJson, time } from './output.ts';

const backupHelp = `
The copy is consistent, also while a server writes. It holds no key in clear, and not the secret that the keys
are checked with: keep KEY_SECRET, or the file key-secret of DATA_DIR, in another place.`;

export function backupCommand(): Command {
  return new Command('backup')
    .description('Copy the SQLite database to a file that does not exist yet.')
    .argument('<file>', 'where to')
    .addHelpText('after', backupHelp)
    .action(async (file: string) => {
      await withStore(true, async ({ store, config }) => {
        await store.backup(file);
        const secret = config.keySecret ? 'KEY_SECRET' : join(config.dataDir, 'key-secret');
        print(
          `The database is copied to ${file}. It opens with ${secret} only: keep that too, in another place.`,
        );
      });
    });
}

const restoreHelp = `
No server may run on it. The backup is checked first, and the database that was there is kept beside it under a dated
name. What came after the backup is lost: keys that were made since are unknown, and keys that were revoked since are good again.`;

export function restoreCommand(): Command {
  return new Command('restore')
    .description('Put a backup in the place of a damaged or missing SQLite database.')
    .argument('<file>', 'a file that `backup` has made')
    .addHelpText('after', restoreHelp)
    .action(async (backup: string) => {
      const { readConfig } = await import('../config/config.ts');
      const config = await readConfig(process.env);
      if (config.databaseUrl !== null) {
        throw new ConfigError([
          'A PostgreSQL database is restored by its own means; run pg_restore with DATABASE_URL.',
        ]);
      }
      const { restoreSqlite } = await import('../store/sqlite/restore.ts');
      const { path, replaced, latestRequestAt } = await restoreSqlite(backup, config.dataDir);
      print(`${backup} is restored to ${path}.`);
      if (latestRequestAt !== null)
        print(`Its latest request is of ${time(latestRequestAt)} UTC; what came after the backup is lost.`);
      print('Keys that were revoked since the backup are good again; look through them.');
      if (replaced !== null) print(`The database that was there is kept as ${replaced}.`);
      const file = join(config.dataDir, 'key-secret');
      if (config.keySecret) return print('It opens with the KEY_SECRET that it was made with.');
      if (existsSync(file)) return print(`It opens with the ${file} that it was made with.`);
      print(
        `${file} is missing, and without it none of its keys work: put the file key-secret there that belongs to the backup, or set KEY_SECRET.`,
      );
    });
}

const checkHelp = `
It reads everything and changes nothing, so it can run beside a server. Exit code 1: something is wrong.`;

export function checkCommand(): Command {
  return new Command('check')
    .description('Check the database: that its file is whole (SQLite), and that what is in it agrees.')
    .addOption(jsonOption())
    .addHelpText('after', checkHelp)
    .action(async ({ json }: Json) => {
      const { checkStore } = await import('../store/check/check-store.ts');
      const { checkPrices } = await import('../tenants/metering/price-book.ts');
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
