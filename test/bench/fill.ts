/** A database as it is after a year: tenants, and requests of theirs in the ledger. */

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';

export interface Filling {
  readonly tenants: number;
  readonly requests: number;
}

/** Requests of the last days, five of a second, each settled; of the tenants in turn. */
function statements({ tenants, requests }: Filling, numbers: (count: number) => string, now: number) {
  const [every, last] = [200, now - 60_000];
  const at = `${last} - i * ${every}`;
  const id = (name: string) => `'${name}-' || i`;
  return [
    `insert into tenants (id, name, plan, overrides, created_at)
     select ${id('filled')}, ${id('Filled')}, 'pro', '{}', ${now} from ${numbers(tenants)}`,
    `insert into admitted (tenant_id, created_at, id, request_id, key_id, operation, model_asked, instance_id, queue_ms)
     select 'filled-' || (i % ${tenants}), ${at}, ${id('row')}, ${id('req')}, ${id('key')}, 'createChat', 'gpt-4o', 'filled', 0
     from ${numbers(requests)}`,
    `insert into settled (tenant_id, created_at, id, instance_id, sequence, status, http_status, model, provider, prompt_tokens,
       completion_tokens, cost_micro_usd, total_ms, settled_at)
     select 'filled-' || (i % ${tenants}), ${at}, ${id('row')}, 'filled', i, 'succeeded', 200, 'gpt-4o', 'one', 100, 20, 450, 900, ${at} + 900
     from ${numbers(requests)}`,
  ];
}

/** Fills the database of a server that runs, whose tables are there by then. */
export async function fill(filling: Filling, env: Readonly<Record<string, string>>): Promise<void> {
  const now = Date.now();
  const { DATABASE_URL: url, DATA_DIR: folder = '' } = env;
  if (url === undefined) {
    const database = new DatabaseSync(join(folder, 'switchyard.db'));
    database.exec('pragma busy_timeout = 60000');
    const numbers = (count: number) =>
      `(with recursive n(i) as (select 0 union all select i + 1 from n where i < ${count - 1}) select i from n)`;
    for (const statement of statements(filling, numbers, now)) database.exec(statement);
    // What grows bit by bit never has so long a log.
    database.exec('pragma wal_checkpoint(truncate)');
    database.close();
    return;
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const numbers = (count: number) => `generate_series(0, ${count - 1}) as n(i)`;
  for (const statement of statements(filling, numbers, now)) await client.query(statement);
  await client.query('analyze');
  await client.end();
}
