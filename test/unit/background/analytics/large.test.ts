/** How much of a large ledger is read for a batch: its rows, by their keys. */
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { Outbox, rowsAtOnce } from '../../../../src/background/analytics/outbox.ts';
import { onPostgres } from '../../../helpers/store.ts';
import { admitted, success, tenantOn, testAccounts } from '../../../helpers/store-accounts.ts';

onPostgres('a batch of the outbox', (on) => {
  it('is read without going through the ledger, whatever the planner thinks of its size', async () => {
    const accounts = await testAccounts(on);
    const { store } = accounts;
    const ask = await tenantOn(accounts, 'acme', 'enterprise');
    const outbox = new Outbox(store, 'test', accounts.instanceId);
    await outbox.open();
    const count = rowsAtOnce;
    const results = await Promise.all(Array.from({ length: count }, () => ask()));
    await Promise.all(results.map((result) => admitted(result).settle(success)));
    await sql`analyze`.execute(store.db);
    const scans = async () => {
      // What this session has counted is told to the others when it is asked for.
      await sql`select pg_stat_force_next_flush()`.execute(store.db);
      const { rows } = await sql<{ scans: number }>`select coalesce(sum(seq_scan), 0)::int as scans
        from pg_stat_user_tables where relname in ('ledger', 'admitted_other', 'settled_other')`.execute(
        store.db,
      );
      return rows[0]?.scans;
    };
    const before = await scans();
    expect((await outbox.next())?.rows).toHaveLength(count);
    expect(await scans()).toBe(before);
  });
});
