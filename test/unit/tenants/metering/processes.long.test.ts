import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { checkStore } from '../../../../src/store/check/check-store.ts';
import { dayRange, total, usageByDay } from '../../../../src/tenants/metering/usage.ts';
import { requireSteppingClock, steppingClock } from '../../../helpers/clocks.ts';
import { onEveryStore, type StoreTests } from '../../../helpers/store.ts';
import {
  admitted,
  askFor,
  ledgerRows,
  openAccountsAt,
  type TestAccounts,
  tenantOn,
  testAccounts,
} from '../../../helpers/store-accounts.ts';
import {
  admitOnProcesses,
  type StoreProcess,
  startProcess,
  startProcessWith,
} from '../../../helpers/store-process.ts';

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
        // However busy the machine is, each has done something.
        await expect.poll(() => new Set(lines.map((line) => line.split(' ')[1])).size).toBeGreaterThan(5);
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
      // However busy the machine is, each round has used some of the limit.
      const told = () => children.reduce((sum, { lines }) => sum + lines.length, acknowledged);
      await expect.poll(told).toBeGreaterThan(((round + 1) * limit) / 12);
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

/** Waits until PostgreSQL has ended what processes that were killed had asked of it: it finishes a statement alone. */
async function othersAreDone({ store }: TestAccounts): Promise<void> {
  if (store.dialect === 'sqlite') return;
  const busy = sql`select 1 from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`;
  await expect.poll(async () => (await busy.execute(store.db)).rows).toEqual([]);
}

onEveryStore('three processes', (on) => {
  it.each([1, 10, 1_000])('admit of 2,000 at once as many as the limit of %d has', async (limit) => {
    const { admitted, rows } = await admitOnProcesses(on, 3, 2_000, limit);
    expect(rows).toBe(admitted);
    expect(admitted).toBe(limit);
  });
});

/** Servers whose wall clocks step while they admit, as real processes. */
describe('steps of the clock', () => {
  const limit = 10;

  /** Admissions of one answer: they happened in between. */
  interface Answer {
    readonly asked: number;
    readonly answered: number;
    readonly count: number;
  }

  /** Maximum number of admissions that surely happened within 60 seconds, whenever between question and answer each did. */
  function maxInAMinute(answers: readonly Answer[]): number {
    return Math.max(
      ...answers.map(({ asked }) =>
        answers
          .filter((other) => other.asked >= asked && other.answered < asked + 60_000)
          .reduce((sum, { count }) => sum + count, 0),
      ),
    );
  }

  interface Steps {
    /** By how many seconds the clock steps. */
    readonly by: number;
    /** Whether it is the clock of both servers, for good; or of one, and back after a while. */
    readonly both: boolean;
  }

  /** Asks two servers for far too much, every second, until the limit has given room again; meanwhile clocks step. */
  async function underSteps(on: StoreTests, { by, both }: Steps): Promise<{ most: number; shift: number }> {
    const database = await on.database();
    const accounts = await openAccountsAt(database);
    await tenantOn(accounts, 'acme', 'free');
    // It would contradict two servers whose clocks have both stepped.
    await accounts.close();
    on.cleanUp(() => accounts.store.close());
    const clock = await steppingClock(on);
    const { environment } = clock;
    const stepping = await startProcessWith(on, { environment }, database, 'ask');
    let other = await startProcessWith(on, both ? { environment } : {}, database, 'ask');
    const answers: Answer[] = [];
    const ask = async (child: StoreProcess) => {
      const asked = performance.now();
      child.say('20');
      const count = Number(await child.next());
      if (count > 0) answers.push({ asked, answered: performance.now(), count });
    };
    const started = performance.now();
    const at = [1, 20, 30].map((second) => started + second * 1000);
    const events = [
      () => clock.set(by),
      () => (both ? undefined : clock.set(0)),
      async () => {
        other.child.kill('SIGKILL');
        other = await startProcessWith(on, both ? { environment } : {}, database, 'ask');
      },
    ];
    // A whole limit, and another one a minute later.
    while (answers.reduce((sum, { count }) => sum + count, 0) < 2 * limit || events.length > 0) {
      await ask(stepping);
      await ask(other);
      if (performance.now() > (at[0] ?? Number.POSITIVE_INFINITY)) {
        at.shift();
        await events.shift()?.();
      }
      await delay(500);
    }
    const rows = await ledgerRows(accounts, 'acme');
    return { most: maxInAMinute(answers), shift: ((rows.at(-1)?.created_at ?? 0) - Date.now()) / 1000 };
  }

  onEveryStore('limits', (on) => {
    beforeEach(({ skip }) => requireSteppingClock(skip));

    it('hold when the clock of one server or of the machine steps, and give room again', async () => {
      const both = on.dialect === 'sqlite' ? [3600, -3600] : [];
      const steps: Steps[] = [
        ...[70, 3600, -70, -3600].map((by) => ({ by, both: false })),
        ...both.map((by) => ({ by, both: true })),
      ];
      const results = await Promise.all(steps.map((each) => underSteps(on, each)));
      expect(steps.map((each, index) => [each, results[index]?.most])).toEqual(
        steps.map((each) => [each, limit]),
      );
      // One server's clock is not followed. That of the machine is, a while later: ahead at once, back at half speed.
      for (const { shift } of results.slice(0, 4)) expect(Math.abs(shift)).toBeLessThan(10);
      if (on.dialect === 'postgres') return;
      expect(results[4]?.shift).toBeGreaterThan(3590);
      expect(results[5]?.shift).toBeLessThan(-1);
    });
  });
});
