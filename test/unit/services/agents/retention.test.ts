import { expect, it } from 'vitest';
import { RunStore } from '../../../../src/services/agents/run-store.ts';
import { onEveryStore } from '../../../helpers/store.ts';

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
