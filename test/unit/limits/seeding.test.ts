import { describe, expect, it } from 'vitest';
import {
  leaseMs,
  marginMs,
  minuteMs,
  type Need,
  roundedMs,
  type Seed,
} from '../../../src/limits/authority.ts';
import { add, advance, emptyBucket } from '../../../src/limits/bucket-state.ts';
import { LeaseHolder } from '../../../src/limits/lease-holder.ts';
import type { SeedSource } from '../../../src/limits/seeding.ts';
import { MemoryAuthority } from '../../lib/memory-authority.ts';

/** What the ledger holds of buckets is read before they are asked for the first time. */

const needOf = (tenant: string): Need => ({
  bucket: { id: `${tenant}/requests/minute`, window: 'minute', limit: 10 },
  amount: 1,
  unit: 'requests',
  name: 'minute',
  hard: true,
});

function leaseHolderWith(seedsOf: SeedSource): LeaseHolder {
  return new LeaseHolder({
    authority: new MemoryAuthority(() => ({ elapsed: Date.now(), stamp: Date.now(), doubtMs: 0 })),
    holder: 'one',
    clock: { monotonic: () => performance.now(), elapsed: () => Date.now() },
    seedsOf,
    mayBeDone: () => false,
  });
}

const empty = ({ bucket: { id: bucketId, window } }: Need): Seed => ({
  bucketId,
  window,
  entries: [],
  used: 0,
});

it('is waited for by nobody else', async () => {
  const slow = Promise.withResolvers<void>();
  const leaseHolder = leaseHolderWith(async (needs) => {
    if (needs.some(({ bucket }) => bucket.id.startsWith('slow'))) await slow.promise;
    return needs.map(empty);
  });
  let admitted = false;
  const waiting = Promise.resolve(leaseHolder.take([needOf('slow')])).then((taking) => {
    admitted = taking.granted;
  });
  // So it is being read when the other comes.
  await new Promise((resolve) => setImmediate(resolve));
  expect(await leaseHolder.take([needOf('quick')])).toMatchObject({ granted: true });
  expect(admitted).toBe(false);
  slow.resolve();
  await waiting;
  expect(admitted).toBe(true);
  await leaseHolder.close();
});

it('is read once, however many come for a bucket meanwhile, and counts', async () => {
  const slow = Promise.withResolvers<void>();
  const reads: string[] = [];
  const leaseHolder = leaseHolderWith(async (needs) => {
    reads.push(...needs.map(({ bucket }) => bucket.id));
    await slow.promise;
    return needs.map((need) => ({ ...empty(need), entries: [[Date.now(), 4]], used: 4 }));
  });
  const taking: ReturnType<LeaseHolder['take']>[] = [];
  for (let round = 0; round < 4; round += 1) {
    for (let number = 0; number < 5; number += 1) taking.push(leaseHolder.take([needOf('acme')]));
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  slow.resolve();
  expect((await Promise.all(taking)).filter(({ granted }) => granted)).toHaveLength(6);
  expect(reads).toEqual([needOf('acme').bucket.id]);
  await leaseHolder.close();
});

it('is read again where that has failed', async () => {
  let fails = true;
  const leaseHolder = leaseHolderWith(async (needs) => {
    if (fails && needs.some(({ bucket }) => bucket.id.startsWith('bad'))) throw new Error('no answer');
    return needs.map(empty);
  });
  const [bad, good] = await Promise.allSettled([
    leaseHolder.take([needOf('bad')]),
    leaseHolder.take([needOf('good')]),
  ]);
  // Both came at once, and are read in one go.
  expect([bad.status, good.status]).toEqual(['rejected', 'rejected']);
  expect(await leaseHolder.take([needOf('good')])).toMatchObject({ granted: true });
  fails = false;
  expect(await leaseHolder.take([needOf('bad')])).toMatchObject({ granted: true });
  await leaseHolder.close();
});

it('is not waited for by who has gone away, and the next one is served', async () => {
  const leaseHolder = leaseHolderWith(async (needs) => needs.map(empty));
  const gone = new AbortController();
  const taking = leaseHolder.take([needOf('acme')], gone.signal);
  gone.abort(new Error('gone'));
  await expect(taking).rejects.toThrow('gone');
  expect(await leaseHolder.take([needOf('acme')])).toMatchObject({ granted: true });
  await leaseHolder.close();
});

describe('the state of a bucket', () => {
  it.each([0, 1_000])(
    'a busy minute has a bounded number of ends, with clocks in doubt by %d ms',
    (doubtMs) => {
      const bucket = emptyBucket('minute');
      let most = 0;
      for (let elapsed = 1_000_003; elapsed < 1_400_000; elapsed += 7) {
        const now = advance(bucket, { elapsed, stamp: elapsed, doubtMs }, () => true);
        const leased = elapsed % 2 === 0 ? leaseMs + marginMs : 0;
        const until = now + minuteMs + doubtMs + leased;
        const end = add(bucket, 1, until);
        // Never too early, and no later than that.
        expect(end).toBeGreaterThanOrEqual(until);
        expect(end - until).toBeLessThan(roundedMs + leaseMs + marginMs);
        most = Math.max(most, bucket.untils.length);
      }
      expect(most).toBeLessThanOrEqual(64 + 122 + (2 * doubtMs) / 1_000);
      expect(most).toBeGreaterThan(120);
    },
  );
});
