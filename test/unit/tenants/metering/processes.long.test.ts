import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { checkStore } from '../../../../src/store/check/check-store.ts';
import { dayRange, total, usageByDay } from '../../../../src/tenants/metering/usage.ts';
import { onEveryStore } from '../../../helpers/store.ts';
import {
  admitted,
  askFor,
  ledgerRows,
  type TestAccounts,
  tenantOn,
  testAccounts,
} from '../../../helpers/store-accounts.ts';
import { admitOnProcesses, startProcess } from '../../../helpers/store-process.ts';

onEveryStore('several processes', (on) => {
  it('admit together exactly 10 of 500 requests at a limit of 10', async () => {
    const database = await on.database();
    const accounts = await testAccounts(on, {}, database);
    await tenantOn(accounts, 'acme', 'free');
    const children = await Promise.all(
      ['167', '167', '166'].map((count) => startProcess(on, database, 'admit', count)),
    );
    for (const child of children) child.say('go');
    const counts = await Promise.all(children.map((child) => child.next()));
    expect(counts.reduce((sum, count) => sum + Number(count), 0)).toBe(10);
    await Promise.all(children.map(({ ended }) => ended));
    expect(await ledgerRows(accounts, 'acme')).toHaveLength(10);
  });

  it('lose nothing that they acknowledged when they are killed', async () => {
    const database = await on.database();
    const accounts = await testAccounts(on, {}, database);
    await tenantOn(accounts, 'acme', 'enterprise');
    const acknowledged = new Map<string, string>();
    const rounds = 21;
    for (let round = 0; round < rounds; round += 3) {
      const children = await Promise.all(
        [0, 1, 2].map((n) => startProcess(on, database, 'load', `r${round + n}`)),
      );
      for (const child of children) child.say('go');
      for (const { child, lines, ended } of children) {
        await delay(Math.random() * 60);
        child.kill('SIGKILL');
        await ended;
        for (const line of lines) {
          const [what = '', id = ''] = line.split(' ');
          acknowledged.set(id, what);
        }
      }
    }
    await othersAreDone(accounts);
    await accounts.beat();
    expect(acknowledged.size).toBeGreaterThan(rounds * 5);
    const rows = await ledgerRows(accounts, 'acme');
    const found = new Map(rows.map((row) => [row.request_id, row.status]));
    expect(found.size).toBe(rows.length);
    for (const [id, what] of acknowledged) {
      if (what === 'settled') expect(found.get(id)).toBe('succeeded');
      else expect(['succeeded', 'interrupted']).toContain(found.get(id));
    }
    // Each had at most 8 requests whose admission it could not acknowledge any more.
    expect(rows.length - acknowledged.size).toBeLessThanOrEqual(8 * rounds);
    expect(rows.filter(({ status }) => status === 'running')).toEqual([]);
    expect(await checkStore(accounts.store)).toEqual([]);
    const sums = total(await usageByDay(accounts.store, 'acme', dayRange(Date.now())));
    expect(sums.requests).toBe(rows.length);
    expect(sums.succeeded).toBe(rows.filter(({ status }) => status === 'succeeded').length);
    // A limit that is set now counts all of them.
    const { enterprise } = accounts.plans;
    const all = { ...enterprise, requestsPerMonth: rows.length };
    expect((await askFor(accounts, 'acme', all)()).admitted).toBe(false);
    admitted(await askFor(accounts, 'acme', { ...enterprise, requestsPerMonth: rows.length + 1 })());
  });

  it.each([1, 10, 1_000])('of which there are ten admit of 2,000 at once as many as %d', async (limit) => {
    const { admitted: count, rows } = await admitOnProcesses(on, 10, 2_000, limit);
    expect(rows).toBe(count);
    expect(count).toBeLessThanOrEqual(limit);
    // Of a limit that is leased, a little may be with a process that does not need it any more.
    expect(count).toBeGreaterThanOrEqual(limit > 10 ? 0.9 * limit : limit);
  });

  it('that are killed while they press on a limit never exceed it, and hold nothing in the end', async () => {
    const database = await on.database();
    const accounts = await testAccounts(on, {}, database);
    await tenantOn(accounts, 'acme', 'enterprise');
    const limit = 300;
    let acknowledged = 0;
    for (let round = 0; round < 6; round += 1) {
      const children = await Promise.all(
        [0, 1, 2].map(() => startProcess(on, database, 'press', String(limit))),
      );
      for (const child of children) child.say('go');
      for (const { child, lines, ended } of children) {
        await delay(100 + Math.random() * 400);
        child.kill('SIGKILL');
        await ended;
        acknowledged += lines.length;
      }
    }
    await othersAreDone(accounts);
    await accounts.beat();
    const times = (await ledgerRows(accounts, 'acme'))
      .map(({ created_at }) => created_at)
      .sort((a, b) => a - b);
    for (const [index, at] of times.entries())
      expect(times[index + limit] ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(at + 60_000);
    // What a process was granted and could not tell of any more is lost to its tenant; it is little.
    expect(acknowledged).toBeGreaterThan(limit / 2);
    const limits = { ...accounts.plans.enterprise, concurrentRequests: limit };
    expect(await accounts.admissions.limitState('acme', limits)).toMatchObject([{ remaining: limit }]);
  });
});

/** Waits until PostgreSQL has ended what processes that were killed had asked of it: it goes on with a statement alone. */
async function othersAreDone({ store }: TestAccounts): Promise<void> {
  if (store.dialect === 'sqlite') return;
  const busy = sql`select 1 from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`;
  await expect.poll(async () => (await busy.execute(store.db)).rows).toEqual([]);
}
