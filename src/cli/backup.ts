import { join } from 'node:path';
import { Command } from 'commander';
import { withStore } from './connection.ts';
import { print } from './output.ts';

const explanation = `
The copy is consistent, also while a server writes. It holds no key in clear, and not the secret that the keys
are checked with: keep KEY_SECRET, or the file key-secret of DATA_DIR, in another place.`;

export function backupCommand(): Command {
  return new Command('backup')
    .description('Copy the SQLite database to a file that does not exist yet.')
    .argument('<file>', 'where to')
    .addHelpText('after', explanation)
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
