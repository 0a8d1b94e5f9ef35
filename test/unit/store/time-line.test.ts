import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { steady } from '../../../src/lib/clock.ts';
import { PostgresAuthority } from '../../../src/store/postgres/authority.ts';
import { Breaker } from '../../../src/store/postgres/breaker.ts';
import { Pool } from '../../../src/store/postgres/pool.ts';
import { ClockWorld } from '../../helpers/clocks.ts';
import { onPostgres } from '../../helpers/store.ts';
import { tenantOn, testAccounts } from '../../helpers/store-accounts.ts';

describe('time line', () => {
  const limit = 5;
  const day = 86_400_000;
  const server = fc.nat(2);
  const byWay = fc.constantFrom(70_000, -70_000, 3_600_000, -3_600_000, 2_000, -2_000, 2 * day, -2 * day);

  type Act = (world: ClockWorld) => Promise<unknown> | unknown;
  /** Named, so that a failure can be read. */
  const act = (name: string, what: Act) => Object.assign(what, { toString: () => name });

  const asking = fc
    .record({ server, count: fc.integer({ min: 1, max: 2 * limit }) })
    .map(({ server, count }) => act(`ask ${server} ${count}`, (world) => world.ask(server, count)));
  const passing = fc
    .oneof(fc.nat(3_000), fc.nat(30_000), fc.constantFrom(46_000, 59_999, 60_000, 61_000, 180_000))
    .map((ms) => act(`pass ${ms}`, (world) => world.pass(ms)));
  const restarting = fc
    .record({ server, elsewhere: fc.boolean() })
    .map(({ server, elsewhere }) =>
      act(`restart ${server} ${elsewhere}`, (world) => world.restart(server, elsewhere)),
    );
  const sleeping = fc
    .record({ server, ms: fc.integer({ min: 2_000, max: 7_200_000 }) })
    .map(({ server, ms }) => act(`sleep ${server} ${ms}`, (world) => world.sleep(server, ms)));
  const stepping = fc
    .record({ server, by: byWay, whole: fc.boolean() })
    .map(({ server, by, whole }) =>
      act(`step ${server} ${by} ${whole}`, (world) => world.step(server, by, whole)),
    );
  const steppingDatabase = byWay.map((by) => act(`step database ${by}`, (world) => world.stepDatabase(by)));
  const rebooting = fc
    .constantFrom(0, 3_600_000, -3_600_000)
    .map((by) => act(`reboot ${by}`, (world) => world.reboot(by)));

  const acts = {
    sqlite: [asking, asking, asking, passing, passing, restarting, sleeping, stepping, rebooting],
    postgres: [asking, asking, asking, passing, passing, restarting, sleeping, stepping, steppingDatabase],
  };

  describe.each(['sqlite', 'postgres'] as const)('the time of a store on %s', (kind) => {
    it('lets no more than the limit through in any 60 seconds, nor locks anybody out, whatever clocks do', async () => {
      const some = fc.array(fc.oneof(...acts[kind]), { minLength: 1, maxLength: 30 });
      await fc.assert(
        fc.asyncProperty(some, async (all) => {
          const world = await ClockWorld.open(kind, limit);
          for (const each of all) {
            await each(world);
            await world.pass(1);
          }
          const { admitted } = world;
          for (const [index, time] of admitted.entries()) {
            const next = admitted[index + limit];
            if (next !== undefined) expect(next - time).toBeGreaterThanOrEqual(60_000);
          }
          expect(world.longestWait).toBeLessThanOrEqual(60_000);
          // After days back it is refused for a minute, which begins when all have heard of it.
          await world.pass(all.some((each) => String(each).includes(String(-2 * day))) ? 300_000 : 120_000);
          const before = admitted.length;
          await world.ask(0, 2 * limit);
          expect(admitted.length - before).toBe(limit);
        }),
        { numRuns: 300 },
      );
    });

    it('follows a wall clock that all agree on: ahead within a minute, back at half speed', async () => {
      const world = await ClockWorld.open(kind, limit);
      const ahead = () => (world.servers[2]?.line.now() ?? 0) - world.time;
      const step = (by: number) => (kind === 'sqlite' ? world.step(0, by, true) : world.stepDatabase(by));
      expect(Math.abs(ahead())).toBeLessThanOrEqual(1);
      step(3_600_000);
      await world.pass(5_000);
      expect(Math.abs(ahead())).toBeLessThanOrEqual(1);
      await world.pass(55_000);
      expect(Math.abs(ahead() - 3_600_000)).toBeLessThanOrEqual(1);
      step(-70_000);
      await world.pass(60_000);
      expect(ahead()).toBeLessThan(3_600_000);
      expect(ahead()).toBeGreaterThan(3_590_000);
      await world.pass(140_000);
      expect(Math.abs(ahead() - 3_530_000)).toBeLessThanOrEqual(1);
      step(-400 * day);
      await world.pass(60_000);
      expect(Math.abs(ahead() + 400 * day - 3_530_000)).toBeLessThanOrEqual(1);
    });

    it('never goes back on its way', async () => {
      const world = await ClockWorld.open(kind, limit);
      let last = 0;
      for (const by of [70_000, -70_000, -3_600_000, 3_600_000, -70_000]) {
        if (kind === 'sqlite') world.step(0, by, true);
        else world.stepDatabase(by);
        for (let second = 0; second < 100; second += 1) {
          await world.pass(1_000);
          for (const { line } of world.servers) {
            expect(line.now()).toBeGreaterThanOrEqual(last);
            last = line.now();
          }
        }
      }
    });
  });

  it('processes of one machine that disagree on its wall clock leave the time as it is', async () => {
    const world = await ClockWorld.open('sqlite', limit);
    world.step(1, 3_600_000, false);
    for (let second = 0; second < 600; second += 1) {
      await world.pass(1_000);
      for (const { line } of world.servers) expect(Math.abs(line.now() - world.time)).toBeLessThanOrEqual(1);
    }
  });

  it('a server that is started after a long time goes by the right time from the start', async () => {
    for (const kind of ['sqlite', 'postgres'] as const) {
      const world = await ClockWorld.open(kind, limit);
      await world.pass(10_000);
      await world.nobody(40 * day);
      if (kind === 'sqlite') await world.reboot(0);
      else await world.restart(0, true);
      expect(Math.abs((world.servers[0]?.line.now() ?? 0) - world.time)).toBeLessThanOrEqual(1);
    }
  });

  it.each([60, 63, 66, 69])(
    'what was leased to a machine that has slept since is not used (%d)',
    async (asked) => {
      const most = 640;
      const world = await ClockWorld.open('postgres', most);
      for (let request = 0; request < asked; request += 1) {
        await world.ask(0, 2);
        await world.pass(1);
      }
      expect(world.admitted).toHaveLength(2 * asked);
      // By its own clock no time has gone by when it wakes.
      await world.sleep(0, 70_000);
      await world.ask(1, 2 * most);
      await world.ask(0, 50);
      expect(world.admitted.filter((at) => at > world.time - 60_000)).toHaveLength(most);
    },
  );

  it('a clock that nobody has looked after for long says so', async () => {
    const world = await ClockWorld.open('sqlite', limit);
    const [{ line, machine }] = world.servers as [(typeof world.servers)[0]];
    expect(line.stale).toBe(false);
    machine.monotonic += 10_001;
    expect(line.stale).toBe(true);
    await line.synchronise();
    expect(line.stale).toBe(false);
  });
});

describe('agreed time', () => {
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
});
