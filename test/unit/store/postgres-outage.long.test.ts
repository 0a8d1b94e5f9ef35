/** The store on a PostgreSQL whose connections break, go silent or answer late. */
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { expect, it } from 'vitest';
import { StoreError } from '../../../src/store/errors.ts';
import type { Store } from '../../../src/store/store.ts';
import { startTcpProxy } from '../../chaos/tcp-proxy.ts';
import { onPostgres } from '../../helpers/store.ts';
import { admitted, ledgerRows, success, tenantOn, testAccounts } from '../../helpers/store-accounts.ts';

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
    // It is closed before it comes: its client was told that it failed.
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
