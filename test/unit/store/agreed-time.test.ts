import { expect, it } from 'vitest';
import { Breaker } from '../../../src/store/postgres/breaker.ts';
import { PostgresLedger } from '../../../src/store/postgres/ledger.ts';
import { Pool } from '../../../src/store/postgres/pool.ts';
import { onPostgres } from '../../helpers/store.ts';
import { tenantOn, testAccounts } from '../../helpers/store-accounts.ts';

onPostgres('an admission', (on) => {
  async function ledgerBy(aheadMs: () => number, synchronise: () => Promise<void>, line?: string) {
    const database = await on.database();
    await tenantOn(await testAccounts(on, {}, database), 'acme', 'enterprise');
    const breaker = new Breaker({ probe: async () => undefined, suspectAll: () => undefined });
    const limits = { connectMs: 5_000, statementMs: 5_000, answerMs: 5_000, max: 2 };
    const pool = new Pool({ url: database.databaseUrl ?? '', ...limits }, breaker);
    on.cleanUp(() => pool.end());
    const believed = () => Date.now() + aheadMs();
    const text = "select value from settings where name = 'time_line'";
    const [kept] = await pool.query<{ value: string }>({ text });
    const ledger = new PostgresLedger(pool, { text: line ?? kept?.value ?? '', believed, synchronise });
    const counters = { last_at: 1, day: 0, day_used: 0, month: 0, month_used: 0 };
    let seq = 0;
    return async () => {
      const move = { tenantId: 'acme', from: seq, to: { ...counters, seq: seq + 1 }, tokens: 0 };
      const { conflicts } = await ledger.commit({
        instanceId: 'i',
        moves: [move],
        rows: [],
        settlements: [],
      });
      if (conflicts.size === 0) seq += 1;
      return conflicts.size === 0;
    };
  }

  it.each([-70_000, 70_000])(
    'decided %d ms from the server’s time is refused, and the time looked up',
    async (by) => {
      let ahead = 0;
      let looks = 0;
      const admit = await ledgerBy(
        () => ahead,
        async () => {
          looks += 1;
          ahead = 0;
        },
      );
      expect([await admit(), looks]).toEqual([true, 0]);
      ahead = by;
      expect([await admit(), looks]).toEqual([false, 1]);
      expect([await admit(), looks]).toEqual([true, 1]);
    },
  );

  it('decided by another time line is refused', async () => {
    const admit = await ledgerBy(
      () => 0,
      async () => undefined,
      'another',
    );
    expect([await admit(), await admit()]).toEqual([false, false]);
  });

  it('that takes seconds to get to the server is not refused for ever', async () => {
    const admit = await ledgerBy(
      () => -5_000,
      async () => undefined,
    );
    expect([await admit(), await admit(), await admit(), await admit()]).toEqual([false, false, false, true]);
    expect(await admit()).toBe(true);
  });
});
