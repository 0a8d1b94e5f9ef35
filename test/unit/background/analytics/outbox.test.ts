import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { Exporter } from '../../../../src/background/analytics/open-analytics.ts';
import {
  type Batch,
  forgetSinks,
  forgottenAfterMs,
  type Outbox,
  openOutbox,
  rowsAtOnce,
  type Sink,
} from '../../../../src/background/analytics/outbox.ts';
import type { Store } from '../../../../src/store/store.ts';
import { Presence } from '../../../../src/tenants/metering/presence.ts';
import { present } from '../../../helpers/queues.ts';
import { onEveryStore, onPostgres } from '../../../helpers/store.ts';
import {
  admitted,
  success,
  type TestAccounts,
  tenantOn,
  testAccounts,
} from '../../../helpers/store-accounts.ts';
import { TestClock } from '../../../helpers/test-database.ts';

/** What leaves for analytics: each settled request, and nothing else, whatever fails in between. */

async function outboxAt(store: Store, instanceId = 'one', sink = 'test'): Promise<Outbox> {
  await present(store, instanceId);
  const outbox = openOutbox(store, sink, instanceId);
  await outbox.open();
  return outbox;
}

async function settle(accounts: TestAccounts, ids: readonly string[]): Promise<void> {
  const ask = await askFor(accounts);
  const admissions = await Promise.all(ids.map((requestId) => ask({ requestId })));
  await Promise.all(admissions.map((result) => admitted(result).settle(success)));
}

const asks = new WeakMap<TestAccounts, ReturnType<typeof tenantOn>>();
function askFor(accounts: TestAccounts): ReturnType<typeof tenantOn> {
  const ask = asks.get(accounts) ?? tenantOn(accounts, 'acme', 'enterprise');
  asks.set(accounts, ask);
  return ask;
}

const idsOf = (batch: Batch | null) => batch?.rows.map(({ request_id }) => request_id).sort();

/** A sink that fails a given number of times, and keeps what arrived, by the id of its batch. */
function keeping(failures = 0, arrivesAllTheSame = false) {
  const sends: Batch[] = [];
  const arrived = new Map<string, Batch>();
  let left = failures;
  const sink: Sink = {
    name: 'test',
    async send(batch) {
      sends.push(batch);
      left -= 1;
      if (left < 0 || arrivesAllTheSame) arrived.set(batch.id, batch);
      if (left >= 0) throw new Error('away');
    },
    close: () => Promise.resolve(),
  };
  const ids = () => [...arrived.values()].flatMap((batch) => idsOf(batch) ?? []).sort();
  return { sink, sends, ids };
}

const pace = { everyMs: 10, maxPauseMs: 20 };

onEveryStore('the outbox of analytics', (on) => {
  it('has each request once it is settled, as it stands in the ledger', async () => {
    const accounts = await testAccounts(on, { clock: new TestClock() });
    await settle(accounts, ['before there was a sink']);
    const outbox = await outboxAt(accounts.store);
    expect(await outbox.next()).toBeNull();
    const ask = await askFor(accounts);
    const running = admitted(await ask({ requestId: 'running' }));
    await settle(accounts, ['one', 'two']);
    const batch = await outbox.next();
    expect(idsOf(batch)).toEqual(['one', 'two']);
    expect(batch?.rows[0]).toMatchObject({
      tenant_id: 'acme',
      key_id: 'testkey00000',
      operation: 'createChat',
      status: 'succeeded',
      model_asked: 'gpt-4o',
      model: 'gpt-4o',
      provider: 'openai',
      prompt_tokens: 100,
      completion_tokens: 20,
      cached_tokens: 40,
      usage_source: 'provider',
      cost_micro_usd: 400,
      first_byte_ms: 7,
      created_at: '2026-03-10T12:00:00.000Z',
      settled_at: '2026-03-10T12:00:00.000Z',
      tags: {},
    });
    if (batch) await outbox.sent(batch);
    expect(await outbox.next()).toBeNull();
    await running.settle({ ...success, status: 'failed', errorCode: 'provider_error' });
    expect((await outbox.next())?.rows).toMatchObject([{ request_id: 'running', status: 'failed' }]);
  });

  it('gives the same batch again until it has arrived, also to another process', async () => {
    const accounts = await testAccounts(on);
    const outbox = await outboxAt(accounts.store);
    await settle(accounts, ['one', 'two']);
    const first = await outbox.next();
    await settle(accounts, ['three']);
    expect(await outbox.next()).toEqual(first);
    const other = await outboxAt(accounts.store, 'other');
    expect(await other.next()).toEqual(first);
    if (first) await other.sent(first);
    expect(idsOf(await outbox.next())).toEqual(['three']);
  });

  it('has what was taken for interrupted, and again what it really became', async () => {
    const accounts = await testAccounts(on);
    const outbox = await outboxAt(accounts.store);
    const ask = await askFor(accounts);
    const admission = admitted(await ask({ requestId: 'slow' }));
    await accounts.store.db.deleteFrom('instances').where('id', '=', accounts.instanceId).execute();
    await new Presence(accounts.store, 'judge').sweep();
    const interrupted = await outbox.next();
    expect(interrupted?.rows).toMatchObject([{ request_id: 'slow', status: 'interrupted' }]);
    if (interrupted) await outbox.sent(interrupted);
    await admission.settle(success);
    await accounts.admissions.flush();
    const corrected = await outbox.next();
    expect(corrected?.rows).toMatchObject([{ request_id: 'slow', status: 'succeeded' }]);
    expect(corrected?.rows[0]?.id).toBe(interrupted?.rows[0]?.id);
  });

  it('is emptied by one process at a time, and by another when that is gone', async () => {
    const { store } = await testAccounts(on);
    const [one, two] = [await outboxAt(store, 'one'), await outboxAt(store, 'two')];
    expect([await one.hold(), await two.hold(), await one.hold()]).toEqual([true, false, true]);
    await store.db.deleteFrom('instances').where('id', '=', 'one').execute();
    expect([await two.hold(), await one.hold()]).toEqual([true, false]);
    await two.release();
    expect(await one.hold()).toBe(true);
  });

  it('loses nothing while the sink is away, and tells of it once', async () => {
    const accounts = await testAccounts(on);
    const outbox = await outboxAt(accounts.store);
    const { sink, sends, ids } = keeping(4);
    const errors: unknown[] = [];
    const failed: number[] = [];
    const sent: number[] = [];
    await settle(accounts, ['one', 'two', 'three']);
    const exporter = new Exporter({
      outbox,
      sink,
      pace,
      onError: (error) => errors.push(error),
      onFailed: () => failed.push(1),
      onSent: (rows) => sent.push(rows),
    });
    on.cleanUp(() => exporter.close());
    await expect.poll(ids).toEqual(['one', 'three', 'two']);
    expect(new Set(sends.map(({ id }) => id)).size).toBe(1);
    expect(sends).toHaveLength(5);
    await expect.poll(() => sent).toEqual([3]);
    expect(failed).toHaveLength(4);
    expect(errors).toMatchObject([{ message: 'away' }]);
    await expect.poll(() => outbox.lagMs()).toBe(0);
  });

  it('sends what may have arrived under the same id, so that it is there once', async () => {
    const accounts = await testAccounts(on);
    const outbox = await outboxAt(accounts.store);
    const { sink, sends, ids } = keeping(2, true);
    await settle(accounts, ['one', 'two']);
    const exporter = new Exporter({ outbox, sink, pace, onError: () => undefined });
    on.cleanUp(() => exporter.close());
    await expect.poll(() => sends.length).toBe(3);
    expect(ids()).toEqual(['one', 'two']);
  });

  it('goes out in batches of bounded size', async () => {
    const accounts = await testAccounts(on);
    const outbox = await outboxAt(accounts.store);
    const given = Array.from({ length: rowsAtOnce + 5 }, (_, n) => `r${String(n).padStart(4, '0')}`);
    await settle(accounts, given);
    const { sink, sends, ids } = keeping();
    const exporter = new Exporter({ outbox, sink, pace, onError: () => undefined });
    on.cleanUp(() => exporter.close());
    await expect.poll(ids).toEqual(given);
    expect(Math.max(...sends.map(({ rows }) => rows.length))).toBeLessThanOrEqual(rowsAtOnce);
    // The sink has the rows before the outbox forgets them.
    await expect.poll(() => outbox.lagMs()).toBe(0);
  });

  it('tells for how long the oldest has waited', async () => {
    const clock = new TestClock();
    const accounts = await testAccounts(on, { clock });
    const outbox = await outboxAt(accounts.store);
    await settle(accounts, ['one']);
    clock.time += 5_000;
    await settle(accounts, ['two']);
    clock.time += 1_000;
    expect(await outbox.lagMs()).toBe(6_000);
    await outbox.next();
    expect(await outbox.lagMs()).toBe(6_000);
  });

  it('is filled for each sink, and no more for one that nobody has had for a week', async () => {
    const clock = new TestClock();
    const accounts = await testAccounts(on, { clock });
    const old = await outboxAt(accounts.store, 'one', 'old');
    const kept = await outboxAt(accounts.store, 'one', 'kept');
    await settle(accounts, ['one']);
    expect([idsOf(await old.next()), idsOf(await kept.next())]).toEqual([['one'], ['one']]);
    clock.time += forgottenAfterMs + 1;
    await kept.hold();
    expect(await forgetSinks(accounts.store)).toEqual(['old']);
    expect(await old.next()).toBeNull();
    clock.time += forgottenAfterMs + 1;
    expect(await forgetSinks(accounts.store)).toEqual(['kept']);
    await settle(accounts, ['two']);
    const rows = await accounts.store.db.selectFrom('analytics_outbox').selectAll().execute();
    expect(rows).toEqual([]);
  });
});

/** How much of a large ledger is read for a batch: its rows, by their keys. */

onPostgres('a batch of the outbox', (on) => {
  it('is read without going through the ledger, whatever the planner thinks of its size', async () => {
    const accounts = await testAccounts(on);
    const { store } = accounts;
    const ask = await tenantOn(accounts, 'acme', 'enterprise');
    const outbox = openOutbox(store, 'test', accounts.instanceId);
    await outbox.open();
    const count = rowsAtOnce;
    const results = await Promise.all(Array.from({ length: count }, () => ask()));
    await Promise.all(results.map((result) => admitted(result).settle(success)));
    await sql`analyze`.execute(store.db);
    const scans = async () => {
      // Other sessions see the counts of this one after a flush.
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
