import { join } from 'node:path';
import { Command } from 'commander';
import { ConfigError } from '../lib/config-error.ts';
import { print, time } from './output.ts';

const explanation = `
No server may run on it. The backup is checked first, and the database that was there is kept beside it under a dated
name. What came after the backup is lost: keys that were made since are unknown, and keys that were revoked since are good again.`;

export function restoreCommand(): Command {
  return new Command('restore')
    .description('Put a backup in the place of a damaged or missing SQLite database.')
    .argument('<file>', 'a file that `backup` has made')
    .addHelpText('after', explanation)
    .action(async (file: string) => {
      const { readConfig } = await import('../config/config.ts');
      const config = await readConfig(process.env);
      if (config.databaseUrl !== null) {
        throw new ConfigError([
          'A PostgreSQL database is restored by its own means; run pg_restore with DATABASE_URL.',
        ]);
      }
      const { restoreSqlite } = await import('../store/sqlite/restore.ts');
      const { path, replaced, latestRequestAt } = await restoreSqlite(file, config.dataDir);
      print(`${file} is restored to ${path}.`);
      if (latestRequestAt !== null)
        print(`Its latest request is of ${time(latestRequestAt)} UTC; what came after the backup is lost.`);
      print('Keys that were revoked since the backup are good again; look through them.');
      if (replaced !== null) print(`The database that was there is kept as ${replaced}.`);
      const secret = config.keySecret ? 'KEY_SECRET' : join(config.dataDir, 'key-secret');
      print(`It opens with the ${secret} that it was made with.`);
    });
}
