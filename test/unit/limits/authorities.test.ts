/** Every authority answers the same to the same calls as the algorithm does in memory. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Authority, Call, Reply } from '../../../src/limits/authority.ts';
import type { Store } from '../../../src/store/store.ts';
import { callOf, expectEndsAlike, type Granted, histories, type Step } from '../../helpers/limits.ts';
import { onEveryStore } from '../../helpers/store.ts';
import { TestClock } from '../../helpers/test-database.ts';
import { MemoryAuthority } from '../../lib/memory-authority.ts';

const start = Date.parse('2026-03-30T23:58:30Z');

onEveryStore('an authority', (on) => {
  it('answers random calls as the algorithm does', async () => {
    const clock = new TestClock(start);
    const store = await on.open(await on.database(), clock);
    let seen = { granted: 0, leased: 0, refused: 0, unknown: 0 };
    let round = 0;
    await fc.assert(
      fc.asyncProperty(histories(start), async (steps) => {
        round += 1;
        await store.db.deleteFrom('instances').execute();
        const memory = new MemoryAuthority(() => ({ elapsed: clock.time, stamp: clock.time, doubtMs: 0 }));
        const tally = await compare(
          steps,
          clock,
          shown(store, renamed(store.authority, `${round}-`)),
          memory,
        );
        seen = {
          granted: seen.granted + tally.granted,
          leased: seen.leased + tally.leased,
          refused: seen.refused + tally.refused,
          unknown: seen.unknown + tally.unknown,
        };
      }),
      { numRuns: 100 },
    );
    // It has met everything that there is to answer.
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(50);
  });

  it('keeps as many ends as the algorithm does, and rounds the same ones up', async () => {
    const clock = new TestClock(start);
    const store = await on.open(await on.database(), clock);
    await expectEndsAlike(store.authority, clock);
  });

  async function compare(steps: readonly Step[], clock: TestClock, one: Authority, other: Authority) {
    const tally = { granted: 0, leased: 0, refused: 0, unknown: 0 };
    let time = start;
    const granted: Granted[] = [];
    for (const step of steps) {
      time += step.pauseMs;
      clock.time = time - step.behindMs;
      const call = callOf(step, granted);
      const expected = await other.take(call);
      expect(await one.take(call)).toEqual(expected);
      for (const [index, reply] of expected.entries()) {
        note(tally, reply);
        if (!reply.granted) continue;
        for (const [place, { until, amount }] of reply.grants.entries()) {
          const bucket = call.asks[index]?.[place]?.bucket;
          if (bucket && granted.length < 200)
            granted.push({ bucketId: bucket.id, window: bucket.window, until, amount });
        }
      }
    }
    return tally;
  }
});

function note(
  tally: { granted: number; leased: number; refused: number; unknown: number },
  reply: Reply,
): void {
  if (reply.granted) {
    tally.granted += 1;
    if (reply.leaseMs > 0) tally.leased += 1;
  } else if ('unknown' in reply) tally.unknown += 1;
  else tally.refused += 1;
}

/** The same by processes that show themselves when they call. */
function shown({ db, clock }: Store, authority: Authority): Authority {
  return {
    async take(call) {
      const shows = { host: '', pid: 1, started_at: 0, expires_at: clock.now() + 15_000 };
      await db
        .insertInto('instances')
        .values({ id: call.holder, ...shows })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(shows))
        .execute();
      return authority.take(call);
    },
  };
}

/** The same with other names, so that one database serves many histories. */
function renamed(authority: Authority, prefix: string): Authority {
  const name = (id: string) => `${prefix}${id}`;
  return {
    async take({ holder, asks, returns, seeds }: Call) {
      const replies = await authority.take({
        holder,
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
