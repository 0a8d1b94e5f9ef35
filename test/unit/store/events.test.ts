/** The events of the ledger, as they are written. */
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { checkStore } from '../../../src/store/check/check-store.ts';
import type { AdmissionRow, LedgerKey, Settlement } from '../../../src/store/ledger.ts';
import { Breaker } from '../../../src/store/postgres/breaker.ts';
import { PostgresLedger } from '../../../src/store/postgres/ledger.ts';
import { kyselyOn, Pool } from '../../../src/store/postgres/pool.ts';
import type { Tables } from '../../../src/store/schema.ts';
import type { AdmissionResult } from '../../../src/tenants/metering/admission.ts';
import { uncounted } from '../../../src/tenants/metering/settlements.ts';
import { usageByDay } from '../../../src/tenants/metering/usage.ts';
import { onEveryStore, onPostgres } from '../../helpers/store.ts';
import {
  admitted,
  askFor,
  ledgerRows,
  success,
  tenantOn,
  testAccounts,
} from '../../helpers/store-accounts.ts';
import { openDatabase, TestClock } from '../../helpers/test-database.ts';

const begun = (id: string): AdmissionRow => ({
  tenant_id: 'acme',
  created_at: 1_000,
  id,
  request_id: id,
  key_id: 'k',
  operation: 'createChat',
  model_asked: null,
  queue_ms: 0,
  tags: null,
});

const ended = (key: LedgerKey, sequence: number, status: Settlement['status'] = 'succeeded'): Settlement => ({
  ...key,
  ...uncounted,
  key_id: 'k',
  operation: 'createChat',
  tags: null,
  sequence,
  status,
  http_status: 200,
  model: null,
  provider: null,
  usage_source: null,
  cost_micro_usd: null,
  price_versions: null,
  error_code: null,
  finish_reason: null,
  first_byte_ms: null,
  total_ms: 1,
  attempts: null,
  warnings: null,
  settled_at: 2_000,
});

onEveryStore('a request', (on) => {
  it('ends once, whoever writes an end again', async () => {
    const accounts = await testAccounts(on, { clock: new TestClock() });
    const { store } = accounts;
    await tenantOn(accounts, 'acme', 'enterprise');
    const rows = [begun('1')];
    const of = (settlements: readonly Settlement[]) => ({
      instanceId: 'i',
      rows: [],
      settlements,
    });
    await store.ledger.commit({ instanceId: 'i', rows, settlements: [] });
    const [row] = rows as [AdmissionRow];
    await store.ledger.commit(of([ended(row, 1)]));
    await store.ledger.commit(of([ended(row, 2, 'failed')]));
    await store.ledger.commit({ ...of([ended(row, 1, 'cancelled')]), instanceId: 'other' });
    expect(await ledgerRows(accounts, 'acme')).toMatchObject([{ status: 'succeeded', settled_by: 'i' }]);
    const days = await usageByDay(store, 'acme', { from: '1970-01-01', to: '1970-01-01' });
    expect(days).toMatchObject([{ requests: 1, succeeded: 1 }]);
    expect(await checkStore(store)).toEqual([]);
  });

  it('of the version before is settled by this one, and one that was closed there is corrected', async () => {
    const clock = new TestClock('2026-03-10T12:00:00Z');
    const accounts = await testAccounts(on, { clock });
    const { store, admissions } = accounts;
    await tenantOn(accounts, 'acme', 'enterprise');
    const older = (seq: number, status: string, settledAt: number | null) =>
      sql`insert into ledger (tenant_id, created_at, seq, id, request_id, key_id, operation, instance_id, status, queue_ms,
          settled_at) values ('acme', ${clock.time}, ${seq}, ${`0${seq}`}, ${`r${seq}`}, 'k', 'createChat',
          ${accounts.instanceId}, ${status}, 0, ${settledAt})`.execute(store.db);
    await older(1, 'running', null);
    await older(2, 'interrupted', clock.time);
    await older(3, 'running', null);
    await sql`insert into usage_days (tenant_id, day, operation, model, requests, succeeded, failed, cancelled, interrupted,
        prompt_tokens, completion_tokens, cached_tokens, reasoning_tokens, cost_micro_usd, unpriced)
      values ('acme', ${Math.floor(clock.time / 86_400_000)}, 'createChat', '', 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0)`.execute(
      store.db,
    );
    const caller = { tenantId: 'acme', keyId: 'k', limits: accounts.plans.enterprise };
    for (const seq of [1, 2]) {
      // As in the row of a build.
      const key = { tenant_id: 'acme', created_at: clock.time, seq, id: `0${seq}` };
      const request = { caller, requestId: `r${seq}`, operation: 'createChat', model: null };
      await admissions.takeOver({ key, request, receivedAt: clock.time }).settle(success);
    }
    await accounts.close();
    expect((await ledgerRows(accounts, 'acme')).map(({ status }) => status)).toEqual([
      'succeeded',
      'succeeded',
      'interrupted',
    ]);
    const days = await usageByDay(store, 'acme', { from: '2026-03-10', to: '2026-03-10' });
    expect(
      days.map(({ model, requests, succeeded, interrupted }) => [model, requests, succeeded, interrupted]),
    ).toEqual([
      [null, 1, 0, 1],
      ['gpt-4o', 2, 2, 0],
    ]);
    expect(await checkStore(store)).toEqual([]);
  });

  it('is in the sums before they are many, though nobody asks for them', async () => {
    const accounts = await testAccounts(on, { clock: new TestClock() });
    const { store } = accounts;
    await tenantOn(accounts, 'acme', 'enterprise');
    const rows = Array.from({ length: 600 }, (_, n) => begun(String(n).padStart(3, '0')));
    await store.ledger.commit({ instanceId: 'i', rows, settlements: [] });
    const settlements = rows.map((row, n) => ({ ...ended(row, n + 1), model: `model ${n}` }));
    await store.ledger.commit({ instanceId: 'i', rows: [], settlements });
    const sums = () => store.db.selectFrom('usage_sums').select('model').execute();
    await expect.poll(async () => (await sums()).length).toBe(600);
    expect(await checkStore(store)).toEqual([]);
  });

  it('counts as running for others until it has ended', async () => {
    const database = await on.database();
    const accounts = await testAccounts(on, {}, database);
    const limits = { concurrentRequests: 2 };
    const ask = await tenantOn(accounts, 'acme', 'enterprise', limits);
    const [first] = [admitted(await ask()), admitted(await ask())];
    // Others know of requests that are younger than the published open ones, and older.
    await accounts.store.ledger.sum(accounts.store.clock.now());
    const other = await testAccounts(on, {}, database);
    const askOther = askFor(other, 'acme', { ...other.plans.enterprise, ...limits });
    expect((await askOther()).admitted).toBe(false);
    await first.settle(success);
    // Its place is given back at once, in the background.
    await expect.poll(async () => (await askOther()).admitted).toBe(true);
    expect((await ask()).admitted).toBe(false);
  });
});

onPostgres('a batch', (on) => {
  it('is one statement, however many requests begin and end in it', async () => {
    const database = await on.database();
    const accounts = await testAccounts(on, {}, database);
    await tenantOn(accounts, 'acme', 'enterprise');
    const breaker = new Breaker({ probe: async () => undefined, suspectAll: () => undefined });
    const limits = { connectMs: 5_000, statementMs: 5_000, answerMs: 5_000, max: 2 };
    const pool = new Pool({ url: database.databaseUrl ?? '', ...limits }, breaker);
    on.cleanUp(() => pool.end());
    const asked: (string | undefined)[] = [];
    const counting = Object.assign(Object.create(pool), {
      query: (query: Parameters<Pool['query']>[0]) => {
        asked.push(query.name);
        return pool.query(query);
      },
    }) as Pool;
    const ledger = new PostgresLedger(counting, kyselyOn<Tables>(pool));
    const rows = Array.from({ length: 100 }, (_, n) => begun(String(n).padStart(3, '0')));
    const of = { instanceId: 'i', rows, settlements: [] };
    await ledger.commit(of);
    const more = rows.map((row) => ({ ...row, id: `1${row.id}` }));
    const settlements = rows.map((row, n) => ended(row, n + 1));
    await ledger.commit({ ...of, rows: more, settlements });
    await ledger.commit({
      ...of,
      rows: [],
      settlements: more.map((row, n) => ended(row, n + 101)),
    });
    await ledger.sum(3_000);
    expect(asked).toEqual(['commit_begins', 'commit_both', 'commit_ends', 'sum']);
    const found = await ledgerRows(accounts, 'acme');
    expect(found.map(({ status }) => status)).toEqual(Array(200).fill('succeeded'));
    const days = await usageByDay(accounts.store, 'acme', { from: '1970-01-01', to: '1970-01-01' });
    expect(days).toMatchObject([{ requests: 200 }]);
  });

  it('settles what has ended while nothing can be admitted, and admits once it can', async () => {
    const database = await on.database();
    const accounts = await testAccounts(on, {}, database);
    const ask = await tenantOn(accounts, 'acme', 'enterprise');
    const first = admitted(await ask());
    const operator = await openDatabase(database);
    on.cleanUp(() => operator.close());
    const asked = await operator.db.transaction().execute(async (db) => {
      await sql`lock table admitted in share mode`.execute(db);
      const asked = ask();
      await first.settle(success);
      expect(await ledgerRows(accounts, 'acme')).toMatchObject([{ status: 'succeeded' }]);
      return [asked];
    });
    expect(admitted((await Promise.all(asked))[0] as AdmissionResult).createdAt).toBeGreaterThan(0);
    expect(await ledgerRows(accounts, 'acme')).toHaveLength(2);
  });

  it('that was given up leaves nothing open when it comes late', async () => {
    const accounts = await testAccounts(on);
    const { ledger } = accounts.store;
    await tenantOn(accounts, 'acme', 'enterprise');
    const row = begun('1');
    const closed = { ...ended(row, 1, 'failed'), begins: row };
    await ledger.commit({ instanceId: 'i', rows: [row], settlements: [closed] });
    await ledger.commit({ instanceId: 'i', rows: [row], settlements: [] });
    expect(await ledgerRows(accounts, 'acme')).toMatchObject([{ status: 'failed' }]);
  });
});
