/** A PostgreSQL that has too much to do: tables are locked and statements sleep for longer than a statement may take. */
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { expect, it } from 'vitest';
import { onPostgres, type StoreTests } from '../../helpers/store.ts';
import { askFor, openAccountsAt, tenantOn, testAccounts } from '../../helpers/store-accounts.ts';
import type { Database } from '../../helpers/test-database.ts';

/** Longer than a statement of the hot path may take, and than it may wait for a lock; and longer than a request waits at all. */
const slowMs = 2_500;
const tooSlowMs = 11_000;

/** Locks a table against everybody; resolves with what lets go of it. */
async function locked(
  on: StoreTests,
  { databaseUrl }: Database,
  table: string,
): Promise<() => Promise<void>> {
  const client = new pg.Client(databaseUrl ?? '');
  client.on('error', () => undefined);
  await client.connect();
  on.cleanUp(() => client.end());
  await client.query('begin');
  await client.query(`lock table ${table} in access exclusive mode`);
  return async () => {
    await client.query('rollback');
  };
}

onPostgres('a slow database', (on) => {
  /** A new server, of which nothing has been asked, on a database with a tenant. */
  async function newServer() {
    const database = await on.database();
    const first = await openAccountsAt(database);
    await tenantOn(first, 'acme', 'free');
    await first.close();
    await first.store.close();
    const accounts = await openAccountsAt(database);
    on.cleanUp(async () => {
      await accounts.close();
      await accounts.store.close();
    });
    return { database, accounts };
  }

  it('keeps the first requests of a new server waiting, and ends none of them', async () => {
    for (const table of ['admitted', 'usage_sums', 'limit_buckets']) {
      const { database, accounts } = await newServer();
      const ask = askFor(accounts, 'acme', accounts.plans.free);
      const release = await locked(on, database, table);
      const asked = Promise.all(Array.from({ length: 40 }, () => ask()));
      await delay(slowMs);
      // The breaker is closed: others are served meanwhile.
      await accounts.store.ping();
      await release();
      const results = await asked;
      expect(results.filter((result) => result.admitted)).toHaveLength(10);
    }
  });

  it('keeps a statement of what every request waits for waiting, and its connection as it was', async () => {
    const store = await on.open(await on.database());
    await sql`select pg_sleep(${slowMs / 1000})`.execute(store.quick);
    // All connections of the pool.
    const limits = await Promise.all(
      Array.from({ length: 6 }, () =>
        sql<{
          statement: string;
          lock: string;
        }>`select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock
          from pg_sleep(0.1)`.execute(store.quick),
      ),
    );
    for (const { rows } of limits) expect(rows).toEqual([{ statement: '1500ms', lock: '750ms' }]);
  });

  it('ends a statement in a transaction, of which nothing is done', async () => {
    const store = await on.open(await on.database());
    const transaction = store.quick.transaction().execute(async (db) => {
      await db.insertInto('settings').values({ name: 'half', value: 'done' }).execute();
      await sql`select pg_sleep(${slowMs / 1000})`.execute(db);
    });
    await expect(transaction).rejects.toMatchObject({ failure: 'slow', mayBeDone: false });
    expect(await store.db.selectFrom('settings').where('name', '=', 'half').selectAll().execute()).toEqual(
      [],
    );
  });

  it('fails what has waited for too long, and serves what comes after', async () => {
    const { database, accounts } = await newServer();
    const ask = askFor(accounts, 'acme', accounts.plans.free);
    const unheard: unknown[] = [];
    const hear = (reason: unknown) => unheard.push(reason);
    process.on('unhandledRejection', hear);
    on.cleanUp(() => process.off('unhandledRejection', hear));
    const release = await locked(on, database, 'admitted');
    const results = await Promise.allSettled([ask(), ask(), delay(tooSlowMs)]);
    for (const result of results.slice(0, 2))
      expect(result).toMatchObject({
        status: 'rejected',
        // Both of its times are over at the same moment.
        reason: { failure: expect.stringMatching(/^(locked|slow)$/), mayBeDone: false },
      });
    await release();
    expect(await ask()).toMatchObject({ admitted: true });
    expect(unheard).toEqual([]);
  });

  it('has many wait for its few connections', async () => {
    const accounts = await testAccounts(on);
    const { quick } = accounts.store;
    const asked = Array.from({ length: 30 }, (_, number) =>
      sql<{ number: number }>`select ${number}::int as number from pg_sleep(0.4)`.execute(quick),
    );
    const numbers = (await Promise.all(asked)).map(({ rows }) => rows[0]?.number);
    expect(numbers).toEqual(Array.from({ length: 30 }, (_, number) => number));
  });
});
