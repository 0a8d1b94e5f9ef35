import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Addresses } from '../../../../src/services/builds/addresses.ts';
import { type Build, newBuild } from '../../../../src/services/builds/build.ts';
import { BuildStore } from '../../../../src/services/builds/build-store.ts';
import { openFactory } from '../../../../src/services/builds/open-factory.ts';
import { StoreError } from '../../../../src/store/errors.ts';
import type { Caller } from '../../../../src/tenants/accounts/caller.ts';
import type { Outcome } from '../../../../src/tenants/metering/admission.ts';
import { startTcpProxy } from '../../../chaos/tcp-proxy.ts';
import { equalWeights, eventually, scripted } from '../../../helpers/factory.ts';
import { onEveryStore, onPostgres, type StoreTests } from '../../../helpers/store.ts';
import { ledgerRows, tenantOn, testAccounts } from '../../../helpers/store-accounts.ts';
import { embedded } from '../../../helpers/store-agents.ts';
import type { Database } from '../../../helpers/test-database.ts';

/** What becomes of a request for a build when the database fails while it is accepted. */

async function intakeOn(on: StoreTests, database?: Database) {
  const settled: Outcome[] = [];
  const observer = {
    admissionDecided: () => undefined,
    admissionSettled: (one: Outcome) => settled.push(one),
  };
  const accounts = await testAccounts(on, { observer }, database);
  await tenantOn(accounts, 'acme', 'enterprise');
  const errors: unknown[] = [];
  const {
    keys: _keys,
    buildWeight: _builds,
    requestWeight: _requests,
    ...limits
  } = accounts.plans.enterprise;
  const factory = await openFactory(
    { store: accounts.store, metering: accounts, plans: accounts.plans, pseudonym: (text) => text },
    {
      publicUrl: 'http://127.0.0.1:8080',
      previewDomain: null,
      concurrency: 1,
      threads: 1,
      queue: 10,
      engine: embedded,
      loadBuilder: async () => scripted(),
      onError: (error) => errors.push(error),
    },
  );
  on.cleanUp(() => factory.close());
  const caller: Caller = {
    tenantId: 'acme',
    keyId: 'testkey00000',
    scopes: new Set(['factory']),
    plan: 'enterprise',
    limits,
  };
  const start = () =>
    factory.intake.start({ prompt: 'A to-do list for my bakery' }, caller, {
      requestId: 'req_a',
      tellLimits: () => undefined,
    });
  const rows = async () => {
    await accounts.admissions.flush();
    return (await ledgerRows(accounts, 'acme')).map(({ status, error_code }) => [status, error_code]);
  };
  const builds = () => accounts.store.db.selectFrom('factory_jobs').select(['status', 'ticket']).execute();
  const finished = () =>
    eventually(async () => (await builds()).every(({ status, ticket }) => status === 'succeeded' && !ticket));
  return { accounts, factory, start, rows, builds, finished, errors, settled };
}

/** Puts something in place of a method of the store of builds, given the real one. */
function instead<Name extends 'ahead' | 'exclusively'>(
  name: Name,
  by: (real: () => Promise<unknown>, call: number) => Promise<unknown>,
) {
  const real = BuildStore.prototype[name] as (...given: unknown[]) => Promise<unknown>;
  let calls = 0;
  const spy = vi.spyOn(BuildStore.prototype, name).mockImplementation(function (
    this: BuildStore,
    ...given: unknown[]
  ) {
    calls += 1;
    return by(() => real.apply(this, given), calls);
  } as never);
  onTestFinished(() => spy.mockRestore());
  return spy;
}

const lost = () => new StoreError('unreachable', 'Storage: the answer was lost.');

onEveryStore('a request for a build', (on) => {
  it('is accepted also where nobody can say how many are ahead of it', async () => {
    const { start, rows, finished } = await intakeOn(on);
    instead('ahead', () => Promise.reject(lost()));
    expect(await start()).toMatchObject({ status: 'queued' });
    await finished();
    expect(await rows()).toEqual([['succeeded', null]]);
  });

  it('is accepted where the build was stored and the answer of the database lost', async () => {
    const { start, rows, finished, settled } = await intakeOn(on);
    instead('exclusively', async (real, call) => {
      const result = await real();
      if (call === 1) throw lost();
      return result;
    });
    expect(await start()).toMatchObject({ prompt: 'A to-do list for my bakery' });
    await finished();
    expect(await rows()).toEqual([['succeeded', null]]);
    expect(settled).toHaveLength(1);
  });

  it('fails where the database was lost before the build was stored', async () => {
    const { accounts, start, rows, builds } = await intakeOn(on);
    instead('exclusively', async (real, call) => {
      if (call === 1) throw lost();
      return real();
    });
    await expect(start()).rejects.toMatchObject({ failure: 'unreachable' });
    expect(await rows()).toEqual([['failed', 'storage_unavailable']]);
    expect(await builds()).toEqual([]);
    expect(accounts.admissions.open.size).toBe(0);
  });

  it('that was stored is not settled as failed where the database cannot even be asked whether it was', async () => {
    const { accounts, factory, start, rows, finished, settled } = await intakeOn(on);
    const broken = instead('exclusively', async (real, call) => {
      if (call === 1) await real();
      throw lost();
    });
    await expect(start()).rejects.toMatchObject({ failure: 'unreachable' });
    expect(accounts.admissions.open.size).toBe(1);
    await expect(factory.runner.recover()).resolves.toBeUndefined();
    expect(accounts.admissions.open.size).toBe(1);
    broken.mockRestore();
    await Promise.all([factory.runner.recover(), factory.runner.recover()]);
    expect(accounts.admissions.open.size).toBe(0);
    factory.runner.kick();
    await finished();
    expect(await rows()).toEqual([['succeeded', null]]);
    expect(settled).toHaveLength(1);
  });

  it('is counted once in the metrics, however many settle it and however often that fails', async () => {
    const { factory, start, rows, finished, settled, builds } = await intakeOn(on);
    const spy = vi.spyOn(BuildStore.prototype, 'settled').mockRejectedValueOnce(lost());
    onTestFinished(() => spy.mockRestore());
    await start();
    await eventually(() => spy.mock.calls.length > 0);
    expect(await builds()).toMatchObject([{ status: 'succeeded', ticket: expect.any(String) }]);
    await Promise.all([factory.runner.recover(), factory.runner.recover()]);
    await finished();
    expect(await rows()).toEqual([['succeeded', null]]);
    expect(settled).toHaveLength(1);
  });

  it('that was not stored fails as soon as the database can be asked', async () => {
    const { accounts, factory, start, rows, builds } = await intakeOn(on);
    const broken = instead('exclusively', () => Promise.reject(lost()));
    await expect(start()).rejects.toMatchObject({ failure: 'unreachable' });
    expect(await rows()).toEqual([['running', null]]);
    broken.mockRestore();
    await factory.runner.recover();
    expect(await rows()).toEqual([['failed', 'storage_unavailable']]);
    expect(await builds()).toEqual([]);
    expect(accounts.admissions.open.size).toBe(0);
  });
});

onPostgres('a request for a build behind a connection that breaks', (on) => {
  it('is accepted where it breaks between the commit and its answer', async () => {
    const database = await on.database();
    const url = new URL(database.databaseUrl ?? '');
    const proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
    on.cleanUp(() => proxy.close());
    url.port = String(proxy.port);
    const { start, rows, finished } = await intakeOn(on, { ...database, databaseUrl: url.href });
    const real = BuildStore.prototype.exclusively;
    const failures: unknown[] = [];
    const spy = vi.spyOn(BuildStore.prototype, 'exclusively').mockImplementation(function (
      this: BuildStore,
      decide: Parameters<typeof real>[0],
    ) {
      spy.mockRestore();
      return real
        .call(this, async (db) => {
          const decided = await decide(db);
          proxy.cutAfter(0);
          return decided;
        })
        .catch((error: unknown) => {
          proxy.cutAfter(null);
          failures.push(error);
          throw error;
        });
    } as never);
    onTestFinished(() => spy.mockRestore());
    expect(await start()).toMatchObject({ prompt: 'A to-do list for my bakery' });
    expect(failures).toMatchObject([{ failure: 'unreachable', mayBeDone: true }]);
    await finished();
    expect(await rows()).toEqual([['succeeded', null]]);
  });
});

describe('builds of the demo', () => {
  const context = {
    addresses: new Addresses('http://127.0.0.1:8080', null),
    wallMs: { embedded: 30_000, model: 30_000 },
  };

  onEveryStore('the demo builds of a day', (on) => {
    it('are counted in the order in which they were accepted, from midnight in UTC', async () => {
      const store = await on.open(await on.database());
      const tenant = {
        id: 'acme',
        name: 'Acme',
        plan: 'pro',
        overrides: '{}',
        suspended_at: null,
        created_at: 0,
      };
      await store.db.insertInto('tenants').values(tenant).execute();
      const jobs = new BuildStore(store, context, equalWeights);
      const accept = async (id: string, at: string, tenantId: string | null = null): Promise<Build> => {
        const created_at = Date.parse(at);
        const given = {
          id,
          tenant_id: tenantId,
          request_id: 'r',
          prompt: 'a build',
          options: {},
          created_at,
        };
        const job = newBuild(
          { ...given, expires_at: created_at + 60_000 },
          { mode: 'embedded', model: null },
        );
        return jobs.exclusively((db) => jobs.insert(db, job, null));
      };
      await accept('job_late', '2026-12-31T23:59:59.999Z');
      const first = await accept('job_a', '2027-01-01T00:00:00.000Z');
      const sameTime = await accept('job_b', '2027-01-01T00:00:00.000Z');
      await accept('job_tenant', '2027-01-01T00:00:01.000Z', 'acme');
      const last = await accept('job_0', '2027-01-01T23:59:59.999Z');
      const counts = await Promise.all([first, sameTime, last].map((job) => jobs.demoBuildsBefore(job)));
      expect(counts).toEqual([0, 1, 2]);
    });
  });
});
