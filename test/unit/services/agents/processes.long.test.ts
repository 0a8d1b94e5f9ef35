import { expect, it } from 'vitest';
import type { AgentRunEvent } from '../../../../generated/types.gen.ts';
import type { RunKey } from '../../../../src/services/agents/run-store.ts';
import type { AgentService } from '../../../../src/services/agents/service.ts';
import { onEveryStore, type StoreTests } from '../../../helpers/store.ts';
import { ledgerRows, type TestAccounts, tenantOn, testAccounts } from '../../../helpers/store-accounts.ts';
import { openTestAgents, startRun } from '../../../helpers/store-agents.ts';
import { startProcess } from '../../../helpers/store-process.ts';
import type { Database } from '../../../helpers/test-database.ts';

const { signal } = new AbortController();

async function agentsOn(
  on: StoreTests,
  database: Database,
): Promise<{ accounts: TestAccounts; agents: AgentService }> {
  const accounts = await testAccounts(on, {}, database);
  const agents = await openTestAgents(accounts);
  on.cleanUp(() => agents.close());
  return { accounts, agents };
}

async function eventsOf(agents: AgentService, key: RunKey, after = 0): Promise<AgentRunEvent[]> {
  const events: AgentRunEvent[] = [];
  for await (const event of await agents.events(key, after, signal)) events.push(event);
  return events;
}

const seqs = (events: readonly AgentRunEvent[]) => events.map((event) => ('seq' in event ? event.seq : 0));

onEveryStore('runs of agents', (on) => {
  it('are interrupted by a sudden end, told so once, and not begun again', async () => {
    const database = await on.database();
    const { accounts, agents } = await agentsOn(on, database);
    await tenantOn(accounts, 'acme', 'enterprise');
    const child = await startProcess(on, database, 'agent');
    child.say('go');
    const key: RunKey = { tenantId: 'acme', agentId: 'slow', id: await child.next() };
    const following = eventsOf(agents, key);
    for await (const event of await agents.events(key, 0, signal)) if (event.type === 'delta') break;
    expect((await agents.record(key)).status).toBe('running');
    child.child.kill('SIGKILL');
    await child.ended;
    await accounts.beat();
    const others = await agentsOn(on, database);
    const run = await others.agents.record(key);
    expect(run).toMatchObject({
      status: 'interrupted',
      error: { code: 'run_interrupted', retryable: true },
      stop_reason: null,
    });
    const events = await following;
    expect(events.filter(({ type }) => type === 'end')).toEqual([{ type: 'end', seq: events.length, run }]);
    expect(seqs(events)).toEqual(events.map((_, index) => index + 1));
    expect(await eventsOf(others.agents, key)).toEqual(events);
    expect((await ledgerRows(accounts, 'acme')).map(({ status }) => status)).toEqual(['interrupted']);
    expect((await agents.cancel(key)).status).toBe('interrupted');
  });

  it('are watched and cancelled from another process', async () => {
    const database = await on.database();
    const here = await agentsOn(on, database);
    await tenantOn(here.accounts, 'acme', 'enterprise');
    const there = await agentsOn(on, database);
    const key = await startRun(here.agents, 'slow');
    const watching = eventsOf(there.agents, key);
    expect((await there.agents.cancel(key)).status).toBe('running');
    const events = await watching;
    expect(events.at(-1)).toMatchObject({ type: 'end', run: { status: 'cancelled' } });
    expect(await eventsOf(here.agents, key)).toEqual(events);
    expect((await there.agents.cancel(key)).status).toBe('cancelled');
  });

  it('stay what they are for a new process, and are found by their tenant only', async () => {
    const database = await on.database();
    const { accounts, agents } = await agentsOn(on, database);
    await tenantOn(accounts, 'acme', 'enterprise');
    const keys = [await startRun(agents, 'quick'), await startRun(agents, 'quick')];
    // Within one millisecond their order is that of chance.
    keys.sort((a, b) => (a.id < b.id ? -1 : 1));
    for (const key of keys) await eventsOf(agents, key);
    const [key] = keys as [RunKey, RunKey];
    const run = await agents.record(key);
    expect(run).toMatchObject({ status: 'succeeded', background: true });
    await agents.close();
    const next = await agentsOn(on, database);
    expect(await next.agents.record(key)).toEqual(run);
    expect(seqs(await eventsOf(next.agents, key, 3))).toEqual([4, 5, 6, 7]);
    const list = await next.agents.runs('acme', 'quick', { limit: 1 });
    expect(list.data.map(({ id }) => id)).toEqual([keys[1]?.id]);
    const rest = await next.agents.runs('acme', 'quick', { limit: 1, cursor: list.next_cursor });
    expect(rest).toMatchObject({ data: [{ id: key.id }], next_cursor: null });
    await expect(next.agents.record({ ...key, tenantId: 'other' })).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(next.agents.record({ ...key, agentId: 'slow' })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('end once, whoever writes the end', async () => {
    const database = await on.database();
    const { accounts, agents } = await agentsOn(on, database);
    await tenantOn(accounts, 'acme', 'enterprise');
    const key = await startRun(agents, 'slow');
    // Another process takes this one for gone, though it is only slow.
    await accounts.store.db.deleteFrom('instances').where('id', '=', accounts.instanceId).execute();
    const other = await agentsOn(on, database);
    expect((await other.agents.record(key)).status).toBe('interrupted');
    const ends = (await eventsOf(agents, key)).filter(({ type }) => type === 'end');
    await agents.close();
    expect(ends).toEqual((await eventsOf(other.agents, key)).filter(({ type }) => type === 'end'));
    expect(ends.length).toBe(1);
  });

  it('end where the database did not say that they had begun', async () => {
    const database = await on.database();
    const { accounts, agents } = await agentsOn(on, database);
    await tenantOn(accounts, 'acme', 'enterprise');
    const { db } = accounts.store;
    // The record is written, and its acknowledgement lost.
    const key: RunKey = { tenantId: 'acme', agentId: 'slow', id: 'run_00000000000000000000000000' };
    await db
      .insertInto('agent_runs')
      .values({
        id: key.id,
        tenant_id: key.tenantId,
        agent_id: key.agentId,
        request_id: 'req_unsure',
        instance_id: accounts.instanceId,
        status: 'running',
        background: 1,
        events: 0,
        created_at: accounts.store.clock.now(),
        cancel_requested_at: null,
        finished_at: null,
      })
      .execute();
    const going = await startRun(agents, 'slow');
    const events = await eventsOf(agents, key);
    expect(events).toMatchObject([
      {
        type: 'end',
        seq: 1,
        run: { status: 'interrupted', error: { code: 'run_interrupted', retryable: true } },
      },
    ]);
    expect((await agents.record(going)).status).toBe('running');
  });

  it('tell whoever asks for what comes after a number that there is not yet how they end', async () => {
    const { accounts, agents } = await agentsOn(on, await on.database());
    await tenantOn(accounts, 'acme', 'enterprise');
    const key = await startRun(agents, 'slow');
    const watching = eventsOf(agents, key, 1_000_000);
    await agents.cancel(key);
    expect((await watching).at(-1)).toMatchObject({ type: 'end', run: { status: 'cancelled' } });
  });
});
