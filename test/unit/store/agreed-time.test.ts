import { expect, it } from 'vitest';
import { steady } from '../../../src/lib/clock.ts';
import { PostgresAuthority } from '../../../src/store/postgres/authority.ts';
import { Breaker } from '../../../src/store/postgres/breaker.ts';
import { Pool } from '../../../src/store/postgres/pool.ts';
import { onPostgres } from '../../helpers/store.ts';
import { tenantOn, testAccounts } from '../../helpers/store-accounts.ts';

onPostgres('an admission', (on) => {
  async function authorityBy(aheadMs: () => number, synchronise: () => Promise<void>, line?: string) {
    const database = await on.database();
    await tenantOn(await testAccounts(on, {}, database), 'acme', 'enterprise');
    const breaker = new Breaker({ probe: async () => undefined, suspectAll: () => undefined });
    const limits = { connectMs: 5_000, statementMs: 5_000, answerMs: 5_000, max: 2 };
    const pool = new Pool({ url: database.databaseUrl ?? '', ...limits }, breaker);
    on.cleanUp(() => pool.end());
    const believed = () => Date.now() + aheadMs();
    const text = "select value from settings where name = 'time_line'";
    const [kept] = await pool.query<{ value: string }>({ text });
    const time = { text: line ?? kept?.value ?? '', believed, synchronise, doubtMs: 0 };
    const authority = new PostgresAuthority(pool, steady({ now: () => Date.now() }), time);
    const bucket = { id: 'acme/requests/minute', window: 'minute', limit: 100 } as const;
    const seeds = [{ bucketId: bucket.id, window: bucket.window, entries: [], used: 0 }];
    return async () => {
      const asks = [[{ bucket, need: 1, want: 1 }]];
      const [reply] = await authority.take({ holder: 'i', asks, returns: [], seeds });
      return reply?.granted;
    };
  }

  it.each([-70_000, 70_000])(
    'decided %d ms from the server’s time is decided again, once the time was looked up',
    async (by) => {
      let ahead = 0;
      let looks = 0;
      const admit = await authorityBy(
        () => ahead,
        async () => {
          looks += 1;
          ahead = 0;
        },
      );
      expect([await admit(), looks]).toEqual([true, 0]);
      ahead = by;
      expect([await admit(), looks]).toEqual([true, 1]);
      expect([await admit(), looks]).toEqual([true, 1]);
    },
  );

  it('decided by another time line is refused', async () => {
    const admit = await authorityBy(
      () => 0,
      async () => undefined,
      'another',
    );
    await expect(admit()).rejects.toThrow('the clocks of server and database do not agree');
  });

  it('that takes seconds to get to the server is not refused for ever', async () => {
    let looks = 0;
    const admit = await authorityBy(
      () => -5_000,
      async () => {
        looks += 1;
      },
    );
    expect([await admit(), looks]).toEqual([true, 3]);
    expect([await admit(), looks]).toEqual([true, 3]);
  });
});
