import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { StoreError } from '../../../src/store/errors.ts';
import type { Store } from '../../../src/store/store.ts';
import { startTcpProxy } from '../../chaos/tcp-proxy.ts';
import { onPostgres, type StoreTests } from '../../helpers/store.ts';
import {
  admitted,
  askFor,
  ledgerRows,
  openAccountsAt,
  success,
  tenantOn,
  testAccounts,
} from '../../helpers/store-accounts.ts';
import type { Database } from '../../helpers/test-database.ts';

/** The store on a PostgreSQL whose connections break, go silent or answer late. */

onPostgres('a store whose database fails', (on) => {
  /** A database behind a proxy, and a connection of the test's past it. */
  async function behindProxy() {
    const database = await on.database();
    const direct = database.databaseUrl ?? '';
    const { hostname, port } = new URL(direct);
    const proxy = await startTcpProxy({ host: hostname, port: Number(port) });
    on.cleanUp(() => proxy.close());
    const operator = new pg.Client(direct);
    operator.on('error', () => undefined);
    await operator.connect();
    on.cleanUp(() => operator.end());
    const url = new URL(direct);
    url.port = String(proxy.port);
    return { database: { ...database, databaseUrl: url.href }, proxy, operator };
  }

  const failureOf = (work: Promise<unknown>) =>
    work.then(
      () => null,
      (error: unknown) => (error instanceof StoreError ? error.failure : error),
    );

  const terminate = (operator: pg.Client) =>
    operator.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`);

  it('pings: writable, read-only, unreachable', async () => {
    const { database, proxy, operator } = await behindProxy();
    const store = await on.open(database);
    expect(await failureOf(store.ping())).toBe(null);
    const name = new URL(database.databaseUrl).pathname.slice(1);
    await operator.query(`alter database ${name} set default_transaction_read_only = on`);
    await terminate(operator);
    await expect.poll(() => failureOf(store.ping())).toBe('read_only');
    await operator.query(`alter database ${name} reset default_transaction_read_only`);
    await expect.poll(() => failureOf(store.ping())).toBe(null);
    proxy.set('reset');
    await expect.poll(() => failureOf(store.ping())).toBe('unreachable');
    proxy.set('fair');
    await expect.poll(() => failureOf(store.ping())).toBe(null);
    proxy.set('silent');
    expect(['slow', 'unreachable']).toContain(await failureOf(store.ping()));
  });

  it('loses a transaction whose connection ends, in each of its steps, and nothing else', async () => {
    const { database, operator } = await behindProxy();
    const store = await on.open(database);
    await sql`create table steps (n int)`.execute(store.db);
    for (const step of [1, 2, 3]) {
      const work = store.db.transaction().execute(async (db) => {
        if (step === 1) await terminate(operator);
        await sql`insert into steps values (${step})`.execute(db);
        if (step === 2) {
          await terminate(operator);
          // The end reaches us while nothing is under way.
          await delay(100);
        }
        await sql`insert into steps values (${step})`.execute(db);
        if (step === 3) await terminate(operator);
      });
      expect(await failureOf(work)).toBe('unreachable');
      await expect.poll(() => failureOf(sql`select 1`.execute(store.db))).toBe(null);
    }
    expect((await sql`select * from steps`.execute(store.db)).rows).toEqual([]);
  });

  it('does not take a silent connection again, nor one as old', async () => {
    const { database, proxy } = await behindProxy();
    const store = await on.open(database);
    const read = (on: Store['db']) => failureOf(sql`select pg_sleep(0.05)`.execute(on));
    // Several connections, all idle afterwards.
    const several = () => Promise.all(Array.from({ length: 3 }, () => read(store.quick)));
    expect(await several()).toEqual([null, null, null]);
    expect(await read(store.db)).toBe(null);
    proxy.abandon();
    expect(await read(store.quick)).toBe('unreachable');
    // One has shown it; the others, of each pool, are not tried one by one.
    expect(await several()).toEqual([null, null, null]);
    expect(await read(store.db)).toBe(null);
    expect(await failureOf(store.ping())).toBe(null);
  });

  it('says of what only reads that nothing can have been done, though no answer came', async () => {
    const { database, proxy } = await behindProxy();
    const { ledger } = await on.open(database);
    expect(await ledger.countSince('acme', 0)).toBe(0);
    expect(await ledger.admitted('acme', 0)).toEqual([]);
    for (const read of [() => ledger.countSince('acme', 0), () => ledger.admitted('acme', 0)]) {
      await expect.poll(() => failureOf(read())).toBe(null);
      proxy.abandon();
      await expect(read()).rejects.toMatchObject({ failure: 'unreachable', mayBeDone: false });
    }
  });

  it('ends a statement that takes too long, and goes on', async () => {
    const { database } = await behindProxy();
    const store = await on.open(database);
    expect(await failureOf(sql`select pg_sleep(60)`.execute(store.quick))).toBe('slow');
    expect(await failureOf(sql`select 1`.execute(store.quick))).toBe(null);
    expect(await failureOf(store.ping())).toBe(null);
  });

  it('leaves no admission open that arrives after it was given up', async () => {
    const { database, proxy } = await behindProxy();
    const accounts = await testAccounts(on, {}, database);
    const ask = await tenantOn(accounts, 'acme', 'enterprise');
    await admitted(await ask()).settle(success);
    // The statement is on its way for longer than anybody waits for its answer.
    proxy.delay(4_000);
    const late = failureOf(ask({ requestId: 'late' }));
    await delay(500);
    proxy.delay(0);
    expect(await late).toBe('unreachable');
    // It is closed before it comes: its client got the failure.
    await expect.poll(() => accounts.admissions.waitingSettlements).toBe(0);
    await delay(4_000);
    const rows = await ledgerRows(accounts, 'acme');
    expect(rows.map(({ request_id, status }) => [request_id, status])).toEqual([
      [expect.any(String), 'succeeded'],
      ['late', 'failed'],
    ]);
    await admitted(await ask()).settle(success);
  });

  it('brings all settlements of an outage to the database after it', async () => {
    const { database, proxy } = await behindProxy();
    const accounts = await testAccounts(on, {}, database);
    const ask = await tenantOn(accounts, 'acme', 'enterprise');
    const admissions = await Promise.all(Array.from({ length: 1_200 }, () => ask()));
    proxy.set('reset');
    for (const admission of admissions) void admitted(admission).settle(success);
    await delay(1_000);
    expect(accounts.admissions.waitingSettlements).toBe(1_200);
    proxy.set('fair');
    await expect.poll(() => accounts.admissions.waitingSettlements).toBe(0);
    const rows = await ledgerRows(accounts, 'acme');
    expect(rows.map(({ status }) => status)).toEqual(Array(1_200).fill('succeeded'));
  });
});

/** A PostgreSQL that has too much to do: tables are locked and statements sleep for longer than a statement may take. */
describe('a slow database', () => {
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
});
