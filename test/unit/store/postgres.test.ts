import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../../src/lib/config-error.ts';
import { StoreError } from '../../../src/store/errors.ts';
import { clientConfig } from '../../../src/store/postgres/client.ts';
import { indexOnly } from '../../../src/store/postgres/open.ts';
import { Places } from '../../../src/store/postgres/pool.ts';
import { countSince } from '../../../src/store/postgres/statements.ts';
import { listRequests } from '../../../src/tenants/metering/requests.ts';
import { onPostgres } from '../../helpers/store.ts';
import { admitted, success, tenantOn, testAccounts } from '../../helpers/store-accounts.ts';
import { openDatabase } from '../../helpers/test-database.ts';

onPostgres('a failing database', (on) => {
  it('that cannot be used stops the start without showing its password', async () => {
    const database = await on.emptyDatabase();
    const good = database.databaseUrl ?? '';
    for (const [databaseUrl, expected] of [
      ['postgres://app:canary-password@127.0.0.1:1/db', /cannot be reached/],
      [
        good.replace(/\w+$/, 'nowhere').replace('postgres@', 'postgres:canary-password@'),
        /cannot be reached/,
      ],
      [good.replace('postgres@', 'nobody:canary-password@'), /refuses the user/],
    ] as const) {
      const error = await openDatabase({ ...database, databaseUrl }).catch((error: unknown) => error);
      expect(error).toBeInstanceOf(ConfigError);
      expect(String(error)).toMatch(/- The database of DATABASE_URL cannot be used: /);
      expect(String(error)).toMatch(expected);
      expect(`${(error as Error).stack} ${JSON.stringify(error)}`).not.toContain('canary-password');
    }
  });

  it('that cuts its connections costs no settlement, and opens no row for good', async () => {
    const accounts = await testAccounts(on);
    const ask = await tenantOn(accounts, 'acme', 'enterprise');
    const cut = () =>
      sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()
        order by random() limit 1`.execute(accounts.store.db);
    let failed = 0;
    for (let n = 0; n < 20; n += 1) {
      const [result] = await Promise.allSettled([ask(), cut()]);
      if (result.status === 'rejected') {
        expect(result.reason).toBeInstanceOf(StoreError);
        failed += 1;
      } else {
        void admitted(result.value).settle(success);
      }
    }
    await delay(600);
    await accounts.admissions.flush();
    const { items } = await listRequests(accounts.store, 'acme', { limit: 100 });
    expect(items.filter(({ status }) => status === 'running')).toEqual([]);
    expect(items.filter(({ status }) => status === 'succeeded')).toHaveLength(20 - failed);
  });

  it('has the statements of the hot path interpreted, however dear their plans look', async () => {
    const database = await on.database();
    await on.open(database);
    const limits = { max: 1, connectMs: 5_000, statementMs: 5_000, answerMs: 5_000 };
    const client = new pg.Client(
      clientConfig({ url: database.databaseUrl ?? '', ...limits, options: indexOnly }),
    );
    on.cleanUp(() => client.end());
    await client.connect();
    await client.query({ ...countSince, values: ['acme', 0, 0] });
    const plan = async () => {
      const explained = `explain (analyze, format json) execute ${countSince.name}('acme', 0, 0)`;
      return JSON.stringify((await client.query(explained)).rows);
    };
    expect(await plan()).not.toContain('JIT');
    // The same where the server is left to decide.
    await client.query('set jit = on');
    const { rows } = await client.query('select pg_jit_available() as available');
    if (rows[0].available) expect(await plan()).toContain('JIT');
  });

  it('is backed up by its own means', async () => {
    const store = await on.open(await on.database());
    await expect(store.backup('/tmp/anything')).rejects.toThrow(/run pg_dump/);
  });
});

describe('places in a pool', () => {
  it('are given in the order in which they were asked for', async () => {
    const places = new Places(1);
    await places.take(1_000);
    const order: number[] = [];
    const all = [1, 2, 3].map(async (number) => {
      await places.take(60_000);
      order.push(number);
      places.leave();
    });
    expect(order).toEqual([]);
    places.leave();
    await Promise.all(all);
    expect(order).toEqual([1, 2, 3]);
  });

  it('are refused to who has waited for long enough, who then is not given one', async () => {
    const places = new Places(1);
    await places.take(1_000);
    await expect(places.take(20)).rejects.toMatchObject({ failure: 'slow', mayBeDone: false });
    places.leave();
    await places.take(20);
  });

  it('are refused at once where too many wait', async () => {
    const places = new Places(0);
    const waiting = Array.from({ length: 10_000 }, () => places.take(60_000));
    await expect(places.take(60_000)).rejects.toMatchObject({ failure: 'slow', mayBeDone: false });
    for (const _ of waiting) places.leave();
    await Promise.all(waiting);
  });
});
