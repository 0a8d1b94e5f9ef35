/** Several processes on one database: who takes what, and what becomes of the builds of those that are gone. */
import { expect, it } from 'vitest';
import { BuildStore } from '../../../../src/services/builds/build-store.ts';
import type { Store } from '../../../../src/store/store.ts';
import { Presence } from '../../../../src/tenants/metering/presence.ts';
import { equalWeights, eventually, gate, scripted } from '../../../helpers/factory.ts';
import { onEveryStore, type StoreTests } from '../../../helpers/store.ts';
import { accept, buildContext, buildsOn, embedded } from '../../../helpers/store-agents.ts';
import type { Database } from '../../../helpers/test-database.ts';

async function presence({ db }: Store, id: string, expires_at: number): Promise<void> {
  await db
    .insertInto('instances')
    .values({ id, host: 'elsewhere', pid: 1, started_at: 0, expires_at })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ expires_at }))
    .execute();
}

async function runnerAt(
  on: StoreTests,
  database: Database,
  workerId: string,
  loadBuilder = async () => scripted(),
  concurrency = 3,
) {
  const store = await on.open(database);
  await presence(store, workerId, Number.MAX_SAFE_INTEGER);
  const builds = buildsOn(store, workerId, loadBuilder, concurrency);
  on.cleanUp(() => builds.runner.close());
  return { store, ...builds };
}

onEveryStore('builds', (on) => {
  it('are each run once by several processes, and all come to an end', async () => {
    const database = await on.database();
    const begun: string[] = [];
    const loadBuilder = async () =>
      scripted((report, { signal }) => {
        if (report.type === 'spec') begun.push(String(signal.aborted));
      });
    const runners = await Promise.all(['a', 'b', 'c'].map((id) => runnerAt(on, database, id, loadBuilder)));
    const [{ builds }] = runners as [(typeof runners)[0]];
    const ids = await Promise.all(Array.from({ length: 30 }, () => accept(builds)));
    for (const { runner } of runners) await runner.start();
    await eventually(async () => (await builds.counts()).waiting + (await builds.counts()).running === 0);
    expect(begun).toHaveLength(30);
    for (const id of ids) {
      const job = await builds.find(id);
      expect(job).toMatchObject({ status: 'succeeded', attempt: 1 });
      const events = await builds.table.events(id, 0);
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    }
    expect(runners.flatMap(({ errors }) => errors)).toEqual([]);
  });

  it('of a process that is gone are begun again by another, and what the first still does is lost', async () => {
    const database = await on.database();
    const [reached, late] = [gate(), gate()];
    const loadBuilder = async () =>
      scripted((report) => {
        if (report.type !== 'file') return undefined;
        reached.open();
        return late.opened;
      });
    const slow = await runnerAt(on, database, 'slow', loadBuilder, 1);
    const id = await accept(slow.builds);
    await slow.runner.start();
    await reached.opened;
    // It has shown no sign of life for too long.
    await presence(slow.store, 'slow', 1);
    expect(await new Presence(slow.store, 'judge').sweep()).toBe(0);
    const other = await runnerAt(on, database, 'other');
    await other.runner.start();
    const job = await eventually(async () => {
      const found = await other.builds.find(id);
      return found?.status === 'succeeded' && found;
    });
    expect(job.attempt).toBe(2);
    late.open();
    await eventually(() => slow.runner.running === 0);
    expect(await other.builds.find(id)).toEqual(job);
    const events = await other.builds.table.events(id, 0);
    expect(events.filter((event) => 'final' in event)).toHaveLength(1);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    expect([...slow.errors, ...other.errors]).toEqual([]);
  });

  it('that a process gives back as it stops are not begun by it again', async () => {
    const database = await on.database();
    const begun = gate();
    const stopping = await runnerAt(on, database, 'stopping', async () =>
      scripted((_report, { signal }) => {
        begun.open();
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      }),
    );
    const { builds, runner } = stopping;
    const id = await accept(builds);
    await runner.start();
    await begun.opened;
    // It looks for more at this moment, and is answered when it has given back what it has.
    const [looking, givenBack] = [gate(), gate()];
    const claim = builds.claim.bind(builds);
    builds.claim = async (...given) => {
      looking.open();
      await givenBack.opened;
      return claim(...given);
    };
    await accept(builds);
    runner.kick();
    await looking.opened;
    const closed = runner.close();
    await eventually(async () => (await builds.find(id))?.status === 'queued');
    givenBack.open();
    await closed;
    expect(await builds.find(id)).toMatchObject({ status: 'queued', attempt: 1 });
    expect(stopping.errors).toEqual([]);
  });

  it('that end one process after the other are given up', async () => {
    const database = await on.database();
    const { runner, builds } = await runnerAt(on, database, 'survivor', undefined, 0);
    const id = await accept(builds);
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      expect(await builds.claim(`gone ${attempt}`, embedded)).toMatchObject({ id, attempt });
      await runner.recover();
    }
    expect(await builds.find(id)).toMatchObject({
      status: 'failed',
      state: { failure: { code: 'worker_lost' } },
    });
    const events = await builds.table.events(id, 0);
    expect(events.at(-1)).toMatchObject({ type: 'job.failed', final: true });
  });

  it('are taken back, and ended, beside one of which that fails every time', async () => {
    const database = await on.database();
    const { runner, builds, errors, store } = await runnerAt(on, database, 'survivor', undefined, 0);
    const ids = [await accept(builds), await accept(builds), await accept(builds)];
    const broken = (await builds.claim('gone', embedded))?.id ?? '';
    const lost = (await builds.claim('gone', embedded))?.id ?? '';
    // They may be of one millisecond: then their order is that of their ids.
    const late = ids.find((id) => id !== broken && id !== lost) ?? '';
    await store.db.updateTable('factory_jobs').set({ state: '{' }).where('id', '=', broken).execute();
    const past = builds.now() - 3_600_000;
    await store.db.updateTable('factory_jobs').set({ created_at: past }).where('id', '=', late).execute();
    await runner.recover();
    expect(await builds.find(lost)).toMatchObject({ status: 'queued', attempt: 1 });
    expect(await builds.find(late)).toMatchObject({ status: 'failed' });
    expect(errors).toMatchObject([{ name: 'SyntaxError' }]);
  });

  it('that have waited too long end beside one of which that fails every time', async () => {
    const database = await on.database();
    const { runner, builds, errors, store } = await runnerAt(on, database, 'survivor', undefined, 0);
    const ids = [await accept(builds), await accept(builds)];
    const past = builds.now() - 3_600_000;
    await store.db.updateTable('factory_jobs').set({ created_at: past }).execute();
    const taken = builds.take.bind(builds);
    builds.take = (build, ...given) =>
      build.id === ids[0] ? Promise.reject(new Error('this one')) : taken(build, ...given);
    await runner.recover();
    expect(await builds.find(ids[1] ?? '')).toMatchObject({ status: 'failed' });
    expect(errors).toMatchObject([{ message: 'this one' }]);
  });

  it('that somebody cancels through another process are cancelled', async () => {
    const database = await on.database();
    const reached = gate();
    const running = await runnerAt(on, database, 'running', async () =>
      scripted((report) => {
        if (report.type !== 'file') return undefined;
        reached.open();
        return gate().opened;
      }),
    );
    const id = await accept(running.builds);
    await running.runner.start();
    await reached.opened;
    const other = new BuildStore(await on.open(database), buildContext, equalWeights);
    await other.table.requestCancel(id);
    await expect.poll(async () => (await other.find(id))?.status).toBe('cancelled');
  });

  it('are begun again where the database did not say that they had begun', async () => {
    const database = await on.database();
    const { runner, builds, errors } = await runnerAt(on, database, 'unsure');
    const id = await accept(builds);
    // It is written, and the acknowledgement lost.
    expect(await builds.claim('unsure', embedded)).toMatchObject({ id, attempt: 1 });
    await runner.start();
    await eventually(async () => (await builds.find(id))?.status === 'succeeded');
    expect(await builds.find(id)).toMatchObject({ attempt: 2 });
    expect(errors).toEqual([]);
  });

  it('are begun again where the database did not say that a step was written', async () => {
    const database = await on.database();
    const own = new BuildStore(await on.open(database), buildContext, equalWeights);
    let id = '';
    let lost = false;
    const { runner, builds } = await runnerAt(on, database, 'unsure', async () =>
      scripted(async (report) => {
        if (lost || report.type !== 'file') return;
        lost = true;
        const job = await own.find(id);
        if (job) await own.take(job, [{ type: 'report', report }]);
      }),
    );
    id = await accept(builds);
    await runner.start();
    await eventually(async () => (await builds.find(id))?.status === 'succeeded');
    expect(await builds.find(id)).toMatchObject({ attempt: 2 });
    const events = await builds.table.events(id, 0);
    expect(events.filter((event) => 'final' in event)).toHaveLength(1);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  });

  it('are not taken back while the database has still to say that they have begun', async () => {
    const database = await on.database();
    const { runner, builds, errors } = await runnerAt(on, database, 'slow');
    const id = await accept(builds);
    const [begun, said] = [gate(), gate()];
    const claim = builds.claim.bind(builds);
    builds.claim = async (...given) => {
      const job = await claim(...given);
      begun.open();
      await said.opened;
      return job;
    };
    runner.kick();
    await begun.opened;
    await runner.recover();
    expect(await builds.find(id)).toMatchObject({ status: 'running', worker_id: 'slow', attempt: 1 });
    said.open();
    await eventually(async () => (await builds.find(id))?.status === 'succeeded');
    expect(await builds.find(id)).toMatchObject({ attempt: 1 });
    expect(errors).toEqual([]);
  });
});
