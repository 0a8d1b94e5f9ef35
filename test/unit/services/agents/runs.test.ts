import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { RunStore } from '../../../../src/services/agents/run-store.ts';
import { gate } from '../../../helpers/factory.ts';
import { onEveryStore, type StoreTests } from '../../../helpers/store.ts';
import { ledgerRows, tenantOn, testAccounts } from '../../../helpers/store-accounts.ts';
import { openTestAgents, startRun } from '../../../helpers/store-agents.ts';

/** How many runs there may be at once, and what one of them may not do to the others. */

async function agentsOn(on: StoreTests) {
  const accounts = await testAccounts(on);
  await tenantOn(accounts, 'acme', 'enterprise');
  const faults: unknown[] = [];
  const agents = await openTestAgents(accounts, (error) => faults.push(error));
  on.cleanUp(() => agents.close());
  return { accounts, agents, faults };
}

onEveryStore('runs of agents', (on) => {
  it('are 256 at once, those among them that are only beginning', async () => {
    const { agents } = await agentsOn(on);
    const results = await Promise.allSettled(Array.from({ length: 270 }, () => startRun(agents, 'slow')));
    const refused = results.filter((result) => result.status === 'rejected').map(({ reason }) => reason);
    expect(refused).toHaveLength(14);
    for (const reason of refused) expect(reason).toMatchObject({ code: 'too_many_runs' });
  });

  it('leave their room when they cannot begin, or are over', async () => {
    const { agents } = await agentsOn(on);
    const spy = vi.spyOn(RunStore.prototype, 'begin');
    onTestFinished(() => spy.mockRestore());
    for (let n = 0; n < 300; n += 1) {
      spy.mockRejectedValueOnce(new Error('not now'));
      await expect(startRun(agents, 'slow')).rejects.toThrow('not now');
    }
    spy.mockRestore();
    const key = await startRun(agents, 'slow');
    expect(await agents.cancel(key)).toMatchObject({ status: 'cancelled' });
  });

  it('that begin while the server ends are interrupted', async () => {
    const { accounts, agents } = await agentsOn(on);
    const [begun, go] = [gate(), gate()];
    const real = RunStore.prototype.begin;
    const spy = vi.spyOn(RunStore.prototype, 'begin').mockImplementation(async function (
      this: RunStore,
      row,
    ) {
      const whole = await real.call(this, row);
      begun.open();
      await go.opened;
      return whole;
    });
    onTestFinished(() => spy.mockRestore());
    const starting = startRun(agents, 'slow');
    await begun.opened;
    await agents.close();
    go.open();
    const key = await starting;
    await expect.poll(async () => (await agents.record(key)).status).toBe('interrupted');
    await accounts.admissions.flush();
    expect(await ledgerRows(accounts, 'acme')).toMatchObject([{ error_code: 'run_interrupted' }]);
  });

  it('of a process that is gone end beside one of which that fails every time', async () => {
    const { accounts, agents, faults } = await agentsOn(on);
    const ids = [1, 2].map((n) => `run_0000000000000000000000000${n}`);
    const { db, clock } = accounts.store;
    const row = {
      tenant_id: 'acme',
      agent_id: 'slow',
      request_id: 'req_gone',
      instance_id: 'gone',
      status: 'running',
      background: 1,
      created_at: clock.now(),
      cancel_requested_at: null,
      finished_at: null,
    } as const;
    const [broken = '', good = ''] = ids;
    // One has a step that cannot be read.
    await db.transaction().execute(async (trx) => {
      await trx
        .insertInto('agent_runs')
        .values({ ...row, id: broken, events: 1 })
        .execute();
      const step = { run_id: broken, seq: 1, type: 'step', data: '{' } as const;
      await trx.insertInto('agent_run_events').values(step).execute();
      await trx
        .insertInto('agent_runs')
        .values({ ...row, id: good, events: 0 })
        .execute();
    });
    const key = { tenantId: 'acme', agentId: 'slow', id: good };
    await expect.poll(async () => (await agents.record(key)).status).toBe('interrupted');
    expect(faults[0]).toMatchObject({ name: 'SyntaxError' });
  });

  it('write their ends beside one of which that fails every time', async () => {
    const { agents, faults } = await agentsOn(on);
    const keys = [await startRun(agents, 'slow'), await startRun(agents, 'slow')] as const;
    const failing = new Set(keys.map(({ id }) => id));
    const real = RunStore.prototype.append;
    const spy = vi.spyOn(RunStore.prototype, 'append').mockImplementation(async function (
      this: RunStore,
      id,
      events,
      end,
    ) {
      if (end && failing.has(id)) throw new Error('not this end');
      return real.call(this, id, events, end);
    });
    onTestFinished(() => spy.mockRestore());
    for (const key of keys) await agents.cancel(key);
    failing.delete(keys[1].id);
    await expect.poll(async () => (await agents.record(keys[1])).status).toBe('cancelled');
    expect((await agents.record(keys[0])).status).toBe('running');
    expect(faults.length).toBeGreaterThan(0);
  });
});

describe('retention', () => {
  const day = 86_400_000;

  onEveryStore('runs of agents', (on) => {
    it('are deleted with their events 30 days after their end, however many they are, and no others', async () => {
      const store = await on.open(await on.database());
      const runs = new RunStore(store, 'here');
      const now = runs.now;
      const ended = [...Array.from({ length: 450 }, () => now - 31 * day), now - 29 * day, null];
      const rows = ended.map((finished_at, index) => ({
        id: `run_${String(index).padStart(26, '0')}`,
        tenant_id: 'acme',
        agent_id: 'a',
        request_id: 'r',
        instance_id: 'here',
        background: 0,
        status: finished_at === null ? ('running' as const) : ('succeeded' as const),
        events: 1,
        cancel_requested_at: null,
        created_at: now - 60 * day,
        finished_at,
      }));
      await store.db.insertInto('agent_runs').values(rows).execute();
      const events = rows.map(({ id }) => ({ run_id: id, seq: 1, type: 'start', data: '{}' }));
      await store.db.insertInto('agent_run_events').values(events).execute();
      await runs.forgetOld();
      const kept = rows.slice(450).map(({ id }) => id);
      const left = await store.db.selectFrom('agent_runs').select('id').orderBy('id').execute();
      expect(left.map(({ id }) => id)).toEqual(kept);
      const leftEvents = await store.db
        .selectFrom('agent_run_events')
        .select('run_id')
        .orderBy('run_id')
        .execute();
      expect(leftEvents.map(({ run_id }) => run_id)).toEqual(kept);
    });
  });
});
