import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { type StoreClock, steady } from '../../../../src/lib/clock.ts';
import type { Ask, Authority, Call, Reply, Seed, Window } from '../../../../src/limits/authority.ts';
import { RedisAuthority } from '../../../../src/store/redis/authority.ts';
import { RedisLink } from '../../../../src/store/redis/link.ts';
import { callOf, expectEndsAlike, type Granted, histories, type Step } from '../../../helpers/limits.ts';
import { onRedis, type TestRedis } from '../../../helpers/redis.ts';
import { TestClock } from '../../../helpers/test-database.ts';
import { MemoryAuthority } from '../../../lib/memory-authority.ts';

const start = Date.parse('2026-03-30T23:58:30Z');
const ignore = () => undefined;

/** One on a Redis server, as a process has it, closed after the test. */
async function authorityAt(url: string, clock: StoreClock, quietMs = 0): Promise<RedisAuthority> {
  const link = new RedisLink({ url, onProblem: ignore, onBack: ignore });
  const authority = new RedisAuthority({
    link,
    clock,
    synchroniseClock: async () => undefined,
    quietMs,
  });
  onTestFinished(async () => {
    await authority.close();
    await link.close();
  });
  await expect.poll(() => link.up).toBe(true);
  return authority;
}

const empty = { asks: [], returns: [], seeds: [] };

function asking(window: Window, limit: number, count: number, want = 1): readonly Ask[] {
  const bucket = { id: `acme/requests/${window}`, window, limit };
  return Array.from({ length: count }, () => [{ bucket, need: 1, want }]);
}

function seeded(window: Window, used: number, entries: Seed['entries'] = []): Seed {
  return { bucketId: `acme/requests/${window}`, window, entries, used };
}

const grantsIn = (replies: readonly Reply[]) => replies.filter(({ granted }) => granted).length;
const unknownIn = (replies: readonly Reply[]) =>
  replies.flatMap((reply) => ('unknown' in reply ? reply.unknown : []));

/** Waits for Redis to decide, as servers do that are started on an empty one. */
async function decides(authority: Authority, holder: string): Promise<void> {
  await expect.poll(() => authority.take({ ...empty, holder }).then(() => 'decides', String)).toBe('decides');
}

onRedis('the authority', (server) => {
  it('answers random calls as the algorithm does', async () => {
    const redis = server();
    const clock = new TestClock(start);
    const seen = { granted: 0, leased: 0, refused: 0, unknown: 0 };
    const authority = await authorityAt(redis.url, steady(clock));
    // It must not show itself in between, as the one in memory does not.
    await authority.close();
    let round = 0;
    await fc.assert(
      fc.asyncProperty(histories(start), async (steps) => {
        round += 1;
        const memory = new MemoryAuthority(() => ({ elapsed: clock.time, stamp: clock.time, doubtMs: 0 }));
        await compare(steps, clock, renamed(authority, `${round}-`), memory, seen);
      }),
      { numRuns: 150 },
    );
    // It has met everything that there is to answer.
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(50);
  });

  it('keeps as many ends as the algorithm does, and rounds the same ones up', async () => {
    const clock = new TestClock(start);
    const authority = await authorityAt(server().url, steady(clock));
    await expectEndsAlike(authority, clock);
  });

  it('admits as many of 2,000 at once as the limit has, of however many processes', async () => {
    const redis = server();
    const clock = steady(new TestClock(start));
    const processes = await Promise.all([1, 2, 3, 4].map(() => authorityAt(redis.url, clock)));
    for (const limit of [1, 10, 1_000]) {
      const bucket = { id: `acme/${limit}`, window: 'minute', limit } as const;
      const asks = Array.from({ length: 500 }, () => [{ bucket, need: 1, want: 1 }]);
      const seeds = [{ bucketId: bucket.id, window: 'minute', entries: [], used: 0 }] as const;
      const replies = await Promise.all(
        processes.map((process, index) => process.take({ ...empty, holder: `p${index}`, seeds, asks })),
      );
      expect(grantsIn(replies.flat())).toBe(limit);
    }
  });
});

onRedis('what is forgotten', (server) => {
  it.each([
    ['is killed and starts empty', (redis: TestRedis) => redis.crash().then(() => redis.start())],
    ['is emptied', (redis: TestRedis) => redis.command('FLUSHALL')],
  ])('when Redis %s is not granted again', async (_, lose) => {
    const redis = server();
    await redis.command('FLUSHALL');
    const clock = steady(new TestClock(start));
    const [one, other] = [await authorityAt(redis.url, clock, 700), await authorityAt(redis.url, clock, 700)];
    const call = (holder: string): Call => ({ ...empty, holder, asks: asking('minute', 10, 8) });
    await decides(one, 'one');
    await decides(other, 'other');
    expect(unknownIn(await one.take(call('one')))).toContain('acme/requests/minute');
    expect(grantsIn(await one.take({ ...call('one'), seeds: [seeded('minute', 0)] }))).toBe(8);
    await lose(redis);
    // One that was read before the loss must not count.
    const stale = { ...call('other'), seeds: [seeded('minute', 0)] };
    const refusal = await other.take(stale).then(
      () => 'decided',
      (error: Error) => error.name,
    );
    expect(refusal).toBe('StoreError');
    await decides(other, 'other');
    expect(unknownIn(await other.take(stale))).toContain('acme/requests/minute');
    const fresh = [seeded('minute', 0, [[start, 8]])];
    expect(grantsIn(await other.take({ ...call('other'), seeds: fresh }))).toBe(2);
    await decides(one, 'one');
    expect(grantsIn(await one.take({ ...call('one'), seeds: [seeded('minute', 0)] }))).toBe(0);
  });

  it('of what runs each process says again by itself', async () => {
    const redis = server();
    await redis.command('FLUSHALL');
    const clock = steady(new TestClock(start));
    const [one, other] = [
      await authorityAt(redis.url, clock, 2_500),
      await authorityAt(redis.url, clock, 2_500),
    ];
    const call = (holder: string): Call => ({ ...empty, holder, asks: asking('running', 5, 4) });
    await decides(one, 'one');
    await decides(other, 'other');
    expect(grantsIn(await one.take(call('one')))).toBe(4);
    await redis.command('FLUSHALL');
    await decides(other, 'other');
    expect(grantsIn(await other.take(call('other')))).toBe(1);
    const returns = [{ bucketId: 'acme/requests/running', window: 'running', until: 0, amount: 4 }] as const;
    await decides(one, 'one');
    await one.take({ ...empty, holder: 'one', returns });
    expect(grantsIn(await other.take(call('other')))).toBe(4);
  });

  it('comes back with a Redis that has an old copy of it, and is not believed', async () => {
    const redis = server();
    await redis.command('FLUSHALL');
    const clock = steady(new TestClock(start));
    const authority = await authorityAt(redis.url, clock);
    const call: Call = { ...empty, holder: 'one', asks: asking('minute', 10, 4) };
    await authority.take({ ...call, seeds: [seeded('minute', 0)] });
    await redis.command('SAVE');
    expect(grantsIn(await authority.take(call))).toBe(4);
    await redis.crash();
    await redis.start();
    expect(await redis.command('DBSIZE')).not.toBe(':0');
    const late = await authorityAt(redis.url, clock);
    expect(unknownIn(await late.take({ ...call, holder: 'late' }))).toContain('acme/requests/minute');
  });
});

async function compare(
  steps: readonly Step[],
  clock: TestClock,
  one: Authority,
  other: Authority,
  seen: { granted: number; leased: number; refused: number; unknown: number },
): Promise<void> {
  let time = start;
  const granted: Granted[] = [];
  for (const step of steps) {
    time += step.pauseMs;
    clock.time = time - step.behindMs;
    const call = callOf(step, granted);
    const expected = await other.take(call);
    expect(await one.take(call)).toEqual(expected);
    for (const [index, reply] of expected.entries()) {
      if (!reply.granted) {
        seen['unknown' in reply ? 'unknown' : 'refused'] += 1;
        continue;
      }
      seen.granted += 1;
      if (reply.leaseMs > 0) seen.leased += 1;
      for (const [place, { until, amount }] of reply.grants.entries()) {
        const bucket = call.asks[index]?.[place]?.bucket;
        if (bucket && granted.length < 200)
          granted.push({ bucketId: bucket.id, window: bucket.window, until, amount });
      }
    }
  }
}

/** The same with other names, so that one server serves many histories. */
function renamed(authority: Authority, prefix: string): Authority {
  const name = (id: string) => `${prefix}${id}`;
  return {
    async take({ holder, asks, returns, seeds }) {
      const replies = await authority.take({
        holder: name(holder),
        asks: asks.map((ask) =>
          ask.map((take) => ({ ...take, bucket: { ...take.bucket, id: name(take.bucket.id) } })),
        ),
        returns: returns.map((one) => ({ ...one, bucketId: name(one.bucketId) })),
        seeds: seeds.map((one) => ({ ...one, bucketId: name(one.bucketId) })),
      });
      return replies.map((reply) =>
        'unknown' in reply
          ? { ...reply, unknown: reply.unknown.map((id) => id.slice(prefix.length)) }
          : reply,
      );
    },
  };
}
