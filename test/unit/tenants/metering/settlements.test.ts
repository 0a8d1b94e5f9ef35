import { expect, it, onTestFinished, vi } from 'vitest';
import { StoreError } from '../../../../src/store/errors.ts';
import type { Outcome } from '../../../../src/tenants/metering/admission.ts';
import { conclude } from '../../../../src/tenants/metering/meter.ts';
import { findRequest } from '../../../../src/tenants/metering/requests.ts';
import { dayRange, usageByDay } from '../../../../src/tenants/metering/usage.ts';
import { onEveryStore, onSqlite } from '../../../helpers/store.ts';
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

/** How a request ends whose client went away. */
const endingOf = () => ({ status: 'cancelled' }) as const;

onEveryStore('the ledger', (on) => {
  it('has a row from the admission on, and everything about it after the settlement', async () => {
    const clock = new TestClock();
    const accounts = await testAccounts(on, { clock });
    const ask = await tenantOn(accounts, 'acme', 'enterprise');
    const admission = admitted(await ask({ requestId: 'req_a' }));
    expect(await findRequest(accounts.store, 'acme', 'req_a')).toMatchObject({
      status: 'running',
      settledAt: null,
    });
    clock.time += 250;
    await admission.settle(success);
    expect(await findRequest(accounts.store, 'acme', 'req_a')).toEqual({
      requestId: 'req_a',
      keyId: 'testkey00000',
      tags: {},
      operation: 'createChat',
      status: 'succeeded',
      httpStatus: 200,
      modelAsked: 'gpt-4o',
      model: 'gpt-4o',
      provider: 'openai',
      usage: {
        promptTokens: 100,
        completionTokens: 20,
        cachedTokens: 40,
        reasoningTokens: 5,
        cacheWrite5mTokens: 0,
        cacheWrite1hTokens: 0,
        audioPromptTokens: 0,
        audioCompletionTokens: 0,
        imagePromptTokens: 0,
        imageCompletionTokens: 0,
        source: 'provider',
      },
      costMicroUsd: 60 * 2.5 + 40 * 1.25 + 20 * 10,
      priceVersions: [expect.stringMatching(/^[0-9a-f]{16}$/)],
      errorCode: null,
      finishReason: 'stop',
      timings: { queueMs: 0, firstByteMs: 7, totalMs: 250 },
      attempts: success.attempts,
      warnings: [],
      createdAt: clock.time - 250,
      settledAt: clock.time,
    });
  });

  it.each([
    ['a vendor error', { status: 'failed', errorCode: 'provider_error' }, 502],
    ['a client that went away', { status: 'cancelled' }, 499],
    ['a deadline', { status: 'failed', errorCode: 'provider_total_timeout' }, 504],
  ] as const)('is settled by %s', async (_case, outcome, httpStatus) => {
    const accounts = await testAccounts(on);
    const ask = await tenantOn(accounts, 'acme', 'free');
    await admitted(await ask({ requestId: 'req_b' })).settle(outcome);
    expect(await findRequest(accounts.store, 'acme', 'req_b')).toMatchObject({
      ...outcome,
      httpStatus,
      usage: null,
      costMicroUsd: null,
    });
  });

  it('is settled once, by the first call', async () => {
    const counted: Outcome[] = [];
    const observer = {
      admissionDecided: () => undefined,
      admissionSettled: (outcome: Outcome) => counted.push(outcome),
    };
    const accounts = await testAccounts(on, { observer });
    const ask = await tenantOn(accounts, 'acme', 'free');
    const admission = admitted(await ask());
    await Promise.all([admission.settle(success), admission.settle({ status: 'failed' })]);
    await admission.settle({ status: 'cancelled' });
    expect(counted).toEqual([success]);
    expect(await ledgerRows(accounts, 'acme')).toMatchObject([{ status: 'succeeded' }]);
    const today = await usageByDay(accounts.store, 'acme', dayRange(Date.now()));
    expect(today).toMatchObject([{ requests: 1, succeeded: 1, failed: 0, costMicroUsd: 400 }]);
  });

  it('holds no cost where no price is known', async () => {
    const accounts = await testAccounts(on);
    const ask = await tenantOn(accounts, 'acme', 'free');
    await admitted(await ask({ requestId: 'req_c' })).settle({ ...success, model: 'unheard-of' });
    expect(await findRequest(accounts.store, 'acme', 'req_c')).toMatchObject({ costMicroUsd: null });
    const today = await usageByDay(accounts.store, 'acme', dayRange(Date.now()));
    expect(today).toMatchObject([{ model: 'unheard-of', unpriced: 1, costMicroUsd: 0, promptTokens: 100 }]);
  });

  it('closes what a process left open, which then no longer counts as running', async () => {
    const clock = new TestClock();
    const database = await on.database();
    const gone = await testAccounts(on, { clock }, database);
    const ask = await tenantOn(gone, 'acme', 'enterprise', { concurrentRequests: 1 });
    const admission = admitted(await ask({ requestId: 'req_d' }));
    clock.time += 14_999;
    const next = await testAccounts(on, { clock }, database);
    expect(next.interrupted).toBe(0);
    const askNext = askFor(next, 'acme', { ...next.plans.enterprise, concurrentRequests: 1 });
    rejected(await askNext());
    clock.time += 1;
    await next.beat();
    expect(await findRequest(next.store, 'acme', 'req_d')).toMatchObject({ status: 'interrupted' });
    admitted(await askNext());
    // It was only slow: what really happened replaces what was presumed, in the sums too.
    await admission.settle(success);
    expect(await findRequest(next.store, 'acme', 'req_d')).toMatchObject({
      status: 'succeeded',
      costMicroUsd: 400,
    });
    // As it does each second.
    await gone.store.ledger.sum(clock.time);
    const days = await usageByDay(next.store, 'acme', dayRange(clock.time));
    expect(days.find(({ model }) => model === null)).toMatchObject({ requests: 0, interrupted: 0 });
    expect(days.find(({ model }) => model === 'gpt-4o')).toMatchObject({ requests: 1, succeeded: 1 });
  });

  it('frees a place as soon as its lease is over, even before anyone sweeps', async () => {
    const clock = new TestClock();
    const database = await on.database();
    const gone = await testAccounts(on, { clock }, database);
    const ask = await tenantOn(gone, 'acme', 'enterprise', { concurrentRequests: 1 });
    expect((await ask()).admitted).toBe(true);
    clock.time += 10_000;
    const next = await testAccounts(on, { clock }, database);
    const askNext = askFor(next, 'acme', { ...next.plans.enterprise, concurrentRequests: 1 });
    expect((await askNext()).admitted).toBe(false);
    clock.time += 5_000;
    expect((await askNext()).admitted).toBe(true);
  });

  it('gives up what no handler settled', async () => {
    const clock = new TestClock();
    const accounts = await testAccounts(on, { clock });
    const ask = await tenantOn(accounts, 'acme', 'free');
    admitted(await ask());
    clock.time += 3_600_001;
    await accounts.beat();
    await accounts.admissions.flush();
    expect(await ledgerRows(accounts, 'acme')).toMatchObject([
      { status: 'failed', error_code: 'internal_error' },
    ]);
  });

  it('does not keep a request open whose admission was written but never confirmed', async () => {
    const accounts = await testAccounts(on);
    const ask = await tenantOn(accounts, 'acme', 'free');
    const { ledger } = accounts.store;
    const commit = ledger.commit.bind(ledger);
    ledger.commit = async (batch) => {
      await commit(batch);
      ledger.commit = commit;
      throw new StoreError('unreachable', 'the connection broke');
    };
    await expect(ask()).rejects.toThrow('the connection broke');
    await accounts.admissions.flush();
    expect(await ledgerRows(accounts, 'acme')).toMatchObject([
      { status: 'failed', error_code: 'internal_error' },
    ]);
    expect(admitted(await ask()).state[0]).toMatchObject({ remaining: 8 });
  });

  it('is concluded when its end is on disk, in one transaction with all that end with it', async () => {
    const database = await on.database();
    const accounts = await testAccounts(on, {}, database);
    const ask = await tenantOn(accounts, 'acme', 'enterprise');
    const admissions = (await Promise.all(Array.from({ length: 20 }, () => ask()))).map(admitted);
    const { ledger } = accounts.store;
    const commit = ledger.commit.bind(ledger);
    let commits = 0;
    ledger.commit = (batch) => {
      commits += 1;
      return commit(batch);
    };
    const other = await testAccounts(on, {}, database);
    const { signal } = new AbortController();
    await Promise.all(admissions.map((admission) => conclude(admission, success, signal, endingOf)));
    expect(commits).toBe(1);
    expect((await ledgerRows(other, 'acme')).map(({ status }) => status)).toEqual(
      Array.from({ length: 20 }, () => 'succeeded'),
    );
  });

  it.each(['fails', 'waits for a lock', 'is done'])(
    'says what the client was told, unless the write on its way %s',
    async (then) => {
      const accounts = await testAccounts(on);
      const ask = await tenantOn(accounts, 'acme', 'enterprise');
      const admission = admitted(await ask());
      const { ledger } = accounts.store;
      const commit = ledger.commit.bind(ledger);
      const answered = Promise.withResolvers<void>();
      ledger.commit = async (batch) => {
        const done = then === 'is done' ? await commit(batch) : null;
        await answered.promise;
        if (then === 'fails') throw new StoreError('unreachable', 'the connection broke');
        return done ?? commit(batch);
      };
      const gone = new DOMException('The client went away.', 'AbortError');
      await expect(conclude(admission, success, AbortSignal.abort(gone), endingOf)).rejects.toBe(gone);
      answered.resolve();
      await accounts.admissions.flush();
      ledger.commit = commit;
      // The write that was under way may have been tried again before.
      while (accounts.admissions.waitingSettlements > 0) await accounts.admissions.flush();
      const end = then === 'is done' ? { status: 'succeeded', http: 200 } : { ...endingOf(), http: 499 };
      expect(await ledgerRows(accounts, 'acme')).toMatchObject([
        { status: end.status, http_status: end.http, prompt_tokens: 100, cost_micro_usd: 400 },
      ]);
      const today = await usageByDay(accounts.store, 'acme', dayRange(Date.now()));
      expect(today).toMatchObject([{ requests: 1, [end.status]: 1, costMicroUsd: 400 }]);
    },
  );

  it('is complete after closing', async () => {
    const database = await on.database();
    const accounts = await testAccounts(on, {}, database);
    const ask = await tenantOn(accounts, 'acme', 'enterprise');
    const results = await Promise.all(Array.from({ length: 50 }, () => ask()));
    results.slice(1).forEach((result) => void admitted(result).settle(success));
    await accounts.close();
    const rows = await ledgerRows(accounts, 'acme');
    expect(rows.filter(({ status }) => status === 'succeeded')).toHaveLength(49);
    expect(rows.filter(({ status }) => status === 'interrupted')).toHaveLength(1);
  });
});

// On PostgreSQL a batch takes as long anyway, and the next begins when it is done.
onSqlite('the ledger on SQLite', (on) => {
  it.each([
    ['shares its transaction with what ends within two milliseconds, while many are open', true, 1],
    ['shares no transaction while the event loop has time for one each', false, 10],
  ])('%s', async (_, busy, expected) => {
    const accounts = await testAccounts(on, { isBusy: () => busy });
    const ask = await tenantOn(accounts, 'acme', 'enterprise');
    const admissions = (await Promise.all(Array.from({ length: 20 }, () => ask()))).map(admitted);
    const { ledger } = accounts.store;
    const commit = ledger.commit.bind(ledger);
    let commits = 0;
    ledger.commit = (batch) => {
      commits += 1;
      return commit(batch);
    };
    // Time stands still, so that the test decides when two milliseconds are over.
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { signal } = new AbortController();
    const ended: Promise<void>[] = [];
    for (const admission of admissions.slice(0, 10)) {
      ended.push(conclude(admission, success, signal, endingOf));
      for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
    }
    expect(commits).toBe(expected);
    await vi.advanceTimersByTimeAsync(2);
    await Promise.all(ended);
    expect(commits).toBe(busy ? 2 : expected);
    expect((await ledgerRows(accounts, 'acme')).filter(({ status }) => status === 'succeeded')).toHaveLength(
      10,
    );
  });

  it.each([
    [4, 30, 'waits for others', 0],
    [20, 30, 'waits for nobody, as enough come together by themselves', 1],
    [8, 20, 'waits for nobody, as enough of those that are open come together', 1],
  ])('after a batch of %i of %i %s', async (together, all, _, expected) => {
    const accounts = await testAccounts(on, { isBusy: () => true });
    const ask = await tenantOn(accounts, 'acme', 'enterprise');
    const admissions = (await Promise.all(Array.from({ length: all }, () => ask()))).map(admitted);
    // Time stands still, so that the test ends the timer. Its zero is another than that of the batch before.
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const end = (from: number, to: number) =>
      Promise.all(admissions.slice(from, to).map((admission) => admission.settle(success)));
    const before = end(0, 1);
    await vi.advanceTimersByTimeAsync(600_000);
    await before;
    // Long enough after it that no request waits.
    await vi.advanceTimersByTimeAsync(10);
    await end(1, 1 + together);
    const { ledger } = accounts.store;
    const commit = vi.spyOn(ledger, 'commit');
    const last = end(1 + together, 2 + together);
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
    const begun = commit.mock.calls.length;
    await vi.advanceTimersByTimeAsync(10);
    await last;
    expect([begun, commit.mock.calls.length]).toEqual([expected, 1]);
  });
});
