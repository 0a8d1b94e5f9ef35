/** Builds that are handed out by a queue: what holds without one holds with each of its adapters. */
import { expect, it } from 'vitest';
import { buildTask } from '../../../../src/services/builds/runner.ts';
import { Presence } from '../../../../src/tenants/metering/presence.ts';
import { eventually, gate, scripted } from '../../../helpers/factory.ts';
import { type Engine, onEveryQueue, present, queueAt } from '../../../helpers/queues.ts';
import type { StoreTests } from '../../../helpers/store.ts';
import { accept, buildsOn } from '../../../helpers/store-agents.ts';
import type { Database } from '../../../helpers/test-database.ts';

async function runnerAt(
  on: StoreTests,
  engine: Engine,
  database: Database,
  id: string,
  loadBuilder = async () => scripted(),
  concurrency = 3,
) {
  const { queue, store } = await queueAt(on, engine, database, id, null);
  const made = buildsOn(store, id, loadBuilder, concurrency, queue);
  on.cleanUp(() => made.runner.close());
  return {
    ...made,
    queue,
    store,
    async start() {
      await made.runner.start();
      await queue.start();
    },
  };
}

onEveryQueue('builds', (on, engine) => {
  it('are each run once by three processes, and all come to an end', async () => {
    const database = await on.database();
    const begun = { a: 0, b: 0, c: 0 };
    const runners = await Promise.all(
      (['a', 'b', 'c'] as const).map((id) =>
        runnerAt(on, engine, database, id, async () =>
          scripted((report) => {
            if (report.type === 'spec') begun[id] += 1;
          }),
        ),
      ),
    );
    const [{ builds, queue }] = runners as [(typeof runners)[0]];
    for (const { start } of runners) await start();
    const ids = await Promise.all(Array.from({ length: 30 }, () => accept(builds)));
    await eventually(async () => (await builds.counts()).waiting + (await builds.counts()).running === 0);
    // Together, as an error shows why a build was begun twice.
    const errors = runners.flatMap((runner) => runner.errors);
    expect({ begun: begun.a + begun.b + begun.c, errors }).toEqual({ begun: 30, errors: [] });
    for (const id of ids) expect(await builds.find(id)).toMatchObject({ status: 'succeeded', attempt: 1 });
    // No task is left behind, though builds are also begun where others have ended.
    await expect.poll(() => queue.counts(buildTask)).toEqual({ waiting: 0, running: 0 });
    expect(runners.flatMap((runner) => runner.errors)).toEqual([]);
  });

  it('go round among tenants, whoever has added more of them', async () => {
    const database = await on.database();
    const order: (string | null)[] = [];
    const owners = new Map<string, string>();
    const { builds, store, start } = await runnerAt(
      on,
      engine,
      database,
      'a',
      async () => async (context) => {
        order.push(owners.get(context.prompt) ?? null);
        return scripted()(context);
      },
      1,
    );
    for (const id of ['flood', 'acme'])
      await store.db
        .insertInto('tenants')
        .values({ id, name: id, plan: 'free', overrides: '{}', suspended_at: null, created_at: 0 })
        .execute();
    const prompts = [...Array.from({ length: 10 }, () => 'flood'), 'acme', 'acme', 'acme'];
    for (const [n, owner] of prompts.entries()) {
      const id = await accept(builds, owner);
      owners.set(`${n}`, owner);
      await store.db
        .updateTable('factory_jobs')
        .set({ prompt: `${n}` })
        .where('id', '=', id)
        .execute();
    }
    await start();
    await eventually(() => order.length === 13);
    expect(order.slice(0, 6).filter((owner) => owner === 'acme')).toHaveLength(3);
  });

  it('of a process that is gone are begun again by another, and what the first still does is lost', async () => {
    const database = await on.database();
    const [reached, late] = [gate(), gate()];
    const slow = await runnerAt(
      on,
      engine,
      database,
      'slow',
      async () =>
        scripted((report) => {
          if (report.type !== 'file') return undefined;
          reached.open();
          return late.opened;
        }),
      1,
    );
    await slow.start();
    const id = await accept(slow.builds);
    await reached.opened;
    await present(slow.store, 'slow', 1);
    await new Presence(slow.store, 'judge').sweep();
    const other = await runnerAt(on, engine, database, 'other');
    await other.start();
    await eventually(async () => (await other.builds.find(id))?.status === 'succeeded');
    const job = await other.builds.find(id);
    expect(job?.attempt).toBe(2);
    late.open();
    await eventually(() => slow.runner.running === 0);
    expect(await other.builds.find(id)).toEqual(job);
    const events = await other.builds.table.events(id, 0);
    expect(events.filter((event) => 'final' in event)).toHaveLength(1);
    expect([...slow.errors, ...other.errors]).toEqual([]);
  });

  it('that a process gives back at its end are begun again by another', async () => {
    const database = await on.database();
    const reached = gate();
    const first = await runnerAt(on, engine, database, 'first', async () =>
      scripted((report) => {
        if (report.type !== 'file') return undefined;
        reached.open();
        return gate().opened;
      }),
    );
    await first.start();
    const id = await accept(first.builds);
    await reached.opened;
    await first.runner.close();
    const second = await runnerAt(on, engine, database, 'second');
    await second.start();
    await eventually(async () => (await second.builds.find(id))?.status === 'succeeded');
    expect(await second.builds.find(id)).toMatchObject({ attempt: 2 });
    expect([...first.errors, ...second.errors]).toEqual([]);
  });

  it('are found where their task was lost', async () => {
    const database = await on.database();
    // The queue is never started.
    const { builds, runner } = await runnerAt(on, engine, database, 'a');
    const id = await accept(builds);
    await runner.start();
    await eventually(async () => (await builds.find(id))?.status === 'succeeded');
    expect(await builds.find(id)).toMatchObject({ attempt: 1 });
  });
});
