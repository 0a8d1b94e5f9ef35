import { expect, it } from 'vitest';
import { ledgerStatus } from '../../../../src/http/exchange.ts';
import { StoreError } from '../../../../src/store/errors.ts';
import { plansOf } from '../../../../src/tenants/accounts/plans.ts';
import type { AdmissionResult } from '../../../../src/tenants/metering/admission.ts';
import { Admissions } from '../../../../src/tenants/metering/admissions.ts';
import { onEveryStore } from '../../../helpers/store.ts';
import {
  admitted,
  askFor,
  ledgerRows,
  rejected,
  success,
  tenantOn,
  testAccounts,
} from '../../../helpers/store-accounts.ts';
import { TestClock } from '../../../helpers/test-database.ts';

const count = (results: readonly AdmissionResult[]) => results.filter((result) => result.admitted).length;

onEveryStore('admission', (on) => {
  it('lets exactly 10 of 500 requests through at a limit of 10', async () => {
    const accounts = await testAccounts(on);
    const ask = await tenantOn(accounts, 'acme', 'free');
    const results = await Promise.all(Array.from({ length: 500 }, () => ask()));
    expect(count(results)).toBe(10);
    expect(await ledgerRows(accounts, 'acme')).toHaveLength(10);
  });

  it('lets exactly 10 through several connections of one process', async () => {
    const database = await on.database();
    const all = [
      await testAccounts(on, {}, database),
      await testAccounts(on, {}, database),
      await testAccounts(on, {}, database),
    ];
    const [first] = all;
    if (!first) return;
    await tenantOn(first, 'acme', 'free');
    const asks = all.map((accounts) => askFor(accounts, 'acme', accounts.plans.free));
    const results = (await Promise.all(
      Array.from({ length: 501 }, (_, n) => asks[n % 3]?.()),
    )) as AdmissionResult[];
    expect(count(results)).toBe(10);
    expect(await ledgerRows(first, 'acme')).toHaveLength(10);
  });

  it('writes what has ended while the time cannot be looked up, and goes on', async () => {
    const database = await on.database();
    const accounts = await testAccounts(on, {}, database);
    await tenantOn(accounts, 'acme', 'free');
    const { store } = accounts;
    const time = {
      stale: false,
      now: () => store.clock.now(),
      ago: (ms: number) => store.clock.ago(ms),
      elapsed: () => store.clock.elapsed(),
      elapsedAt: (stamp: number) => store.clock.elapsedAt(stamp),
      doubtMs: 0,
      monotonic: () => store.clock.monotonic(),
    };
    const admissions = new Admissions({
      ledger: store.ledger,
      authority: store.authority,
      clock: time,
      synchroniseClock: async () => {
        throw new StoreError('unreachable', 'no database');
      },
      instanceId: accounts.instanceId,
      priceOf: () => null,
      statusOf: ledgerStatus,
    });
    const request = {
      caller: { tenantId: 'acme', keyId: 'k', limits: accounts.plans.free },
      requestId: 'r',
      operation: 'createChat',
      model: null,
    };
    const result = await admissions.admit(request);
    time.stale = true;
    await expect(admissions.admit(request)).rejects.toThrow('no database');
    await admitted(result).settle(success);
    expect(await ledgerRows(accounts, 'acme')).toMatchObject([{ status: 'succeeded' }]);
  });

  it('slides: room comes back as each admission turns 60 seconds old, and a rejection uses up nothing', async () => {
    const clock = new TestClock();
    const accounts = await testAccounts(on, { clock });
    const ask = await tenantOn(accounts, 'acme', 'enterprise', { requestsPerMinute: 2 });
    admitted(await ask());
    clock.time += 30_000;
    admitted(await ask());
    const rejection = rejected(await ask());
    expect(rejection).toMatchObject({
      retryAfterMs: 30_000,
      shouldRetry: true,
      limit: { name: 'minute', remaining: 0 },
    });
    clock.time += 29_999;
    for (let n = 0; n < 20; n += 1) rejected(await ask());
    clock.time += 1;
    admitted(await ask());
    rejected(await ask());
    clock.time += 30_000;
    expect(admitted(await ask()).state).toEqual([
      { name: 'minute', limit: 2, remaining: 0, resetMs: 60_000, windowSeconds: 60 },
    ]);
  });

  it.each([
    ['2026-03-31T23:59:59.999Z', '2026-04-01T00:00:00Z', 31],
    ['2026-04-30T23:59:59.999Z', '2026-05-01T00:00:00Z', 30],
    ['2026-02-28T23:59:59.999Z', '2026-03-01T00:00:00Z', 28],
    ['2028-02-29T23:59:59.999Z', '2028-03-01T00:00:00Z', 29],
    ['2026-12-31T23:59:59.999Z', '2027-01-01T00:00:00Z', 31],
  ])('begins a new month at %s', async (end, start, days) => {
    const clock = new TestClock(end);
    const accounts = await testAccounts(on, { clock });
    const ask = await tenantOn(accounts, 'acme', 'enterprise', { requestsPerMonth: 2 });
    await Promise.all([ask(), ask()]);
    const rejection = rejected(await ask());
    expect(rejection).toMatchObject({
      retryAfterMs: 1,
      shouldRetry: false,
      limit: { name: 'month', windowSeconds: days * 86_400 },
    });
    clock.set(start);
    expect(admitted(await ask()).state[0]).toMatchObject({ remaining: 1 });
  });

  it('does not begin a new month on 29 February', async () => {
    const clock = new TestClock('2028-02-28T23:59:59Z');
    const accounts = await testAccounts(on, { clock });
    const ask = await tenantOn(accounts, 'acme', 'enterprise', { requestsPerMonth: 1 });
    admitted(await ask());
    clock.set('2028-02-29T00:00:00Z');
    expect(rejected(await ask()).retryAfterMs).toBe(86_400_000);
  });

  it('begins a new day at midnight in UTC, in variant B', async () => {
    const clock = new TestClock('2026-06-01T23:59:00Z');
    const accounts = await testAccounts(on, {
      clock,
      limitsVariant: 'B',
      planChanges: { free: { requestsPerMinute: null } },
    });
    const ask = await tenantOn(accounts, 'acme', 'free');
    expect(count(await Promise.all(Array.from({ length: 130 }, () => ask())))).toBe(100);
    expect(rejected(await ask())).toMatchObject({
      retryAfterMs: 60_000,
      shouldRetry: false,
      limit: { name: 'day' },
    });
    clock.set('2026-06-02T00:00:00Z');
    expect(count(await Promise.all(Array.from({ length: 130 }, () => ask())))).toBe(100);
  });

  it('names of several spent limits the one that takes longest', async () => {
    const clock = new TestClock('2026-06-15T12:00:00Z');
    const accounts = await testAccounts(on, { clock });
    const ask = await tenantOn(accounts, 'acme', 'enterprise', { requestsPerMinute: 1, requestsPerMonth: 1 });
    admitted(await ask());
    const rejection = rejected(await ask());
    expect(rejection.limit.name).toBe('month');
    expect(rejection.state.map(({ name, remaining }) => [name, remaining])).toEqual([
      ['minute', 0],
      ['month', 0],
    ]);
  });

  it('never admits at a limit of 0', async () => {
    const accounts = await testAccounts(on);
    const ask = await tenantOn(accounts, 'acme', 'enterprise', { requestsPerMinute: 0 });
    expect(rejected(await ask())).toMatchObject({ retryAfterMs: null, shouldRetry: false });
  });

  it('holds a limit that is set after requests went without one, and one that is raised', async () => {
    const database = await on.database();
    const accounts = await testAccounts(on, {}, database);
    const other = await testAccounts(on, {}, database);
    await tenantOn(accounts, 'acme', 'enterprise');
    const none = plansOf('A').enterprise;
    const limited = (limit: number | null) => ({ ...none, requestsPerMinute: limit });
    const isAdmitted = async (where: typeof accounts, limit: number | null) =>
      (await askFor(where, 'acme', limited(limit))()).admitted;
    for (const where of [accounts, other, accounts]) expect(await isAdmitted(where, null)).toBe(true);
    expect(await isAdmitted(accounts, 3)).toBe(false);
    expect(await isAdmitted(other, null)).toBe(true);
    expect(await isAdmitted(accounts, null)).toBe(true);
    expect(await isAdmitted(accounts, 5)).toBe(false);
    expect(await isAdmitted(accounts, 6)).toBe(true);
    expect(await isAdmitted(other, 6)).toBe(false);
  });

  it('leaves out a request whose client went away while it waited', async () => {
    const accounts = await testAccounts(on);
    const ask = await tenantOn(accounts, 'acme', 'free');
    const leaving = new AbortController();
    const [gone, ...stayed] = [ask({ signal: leaving.signal }), ...Array.from({ length: 10 }, () => ask())];
    leaving.abort(new Error('gone'));
    await expect(gone).rejects.toThrow('gone');
    expect(count(await Promise.all(stayed))).toBe(10);
  });

  it('limits what runs at the same time, and frees the place whatever the outcome', async () => {
    const accounts = await testAccounts(on);
    const ask = await tenantOn(accounts, 'acme', 'enterprise', { concurrentRequests: 2 });
    const results = await Promise.all(Array.from({ length: 9 }, () => ask()));
    expect(count(results)).toBe(2);
    const rejection = rejected(results[8] as AdmissionResult);
    expect(rejection).toMatchObject({
      retryAfterMs: 1000,
      shouldRetry: true,
      limit: { name: 'concurrency' },
    });
    for (const status of ['succeeded', 'failed', 'cancelled'] as const) {
      for (const result of results.splice(0)) if (result.admitted) void result.admission.settle({ status });
      results.push(...(await Promise.all([ask(), ask(), ask()])));
      expect(count(results)).toBe(2);
    }
  });

  it('limits tokens by what was reserved, then by what was used', async () => {
    const clock = new TestClock();
    const accounts = await testAccounts(on, { clock });
    const ask = await tenantOn(accounts, 'acme', 'enterprise', { tokensPerMinute: 1_000 });
    const results = await Promise.all([ask({ tokens: 600 }), ask({ tokens: 600 }), ask({ tokens: 400 })]);
    expect(results.map((result) => result.admitted)).toEqual([true, false, true]);
    expect(rejected(results[1] as AdmissionResult)).toMatchObject({
      shouldRetry: true,
      limit: { name: 'tokens' },
    });
    rejected(await ask({ tokens: 1 }));
    // 120 were used of 600, so 480 come back.
    await admitted(results[0] as AdmissionResult).settle(success);
    expect(admitted(await ask({ tokens: 480 })).state[0]).toMatchObject({ remaining: 0 });
    expect(rejected(await ask({ tokens: 1_001 }))).toMatchObject({ retryAfterMs: null, shouldRetry: false });
    clock.time += 61_000;
    admitted(await ask({ tokens: 1_000 }));
  });

  it('shows how limits stand without using them', async () => {
    const clock = new TestClock('2026-06-15T12:00:00Z');
    const accounts = await testAccounts(on, { clock });
    const ask = await tenantOn(accounts, 'acme', 'free');
    await ask();
    const state = () => accounts.admissions.limitState('acme', accounts.plans.free);
    await state();
    expect((await state()).map(({ name, remaining, resetMs }) => [name, remaining, resetMs])).toEqual([
      ['minute', 9, 60_000],
      ['month', 999, Date.parse('2026-07-01') - clock.time],
    ]);
  });
});
