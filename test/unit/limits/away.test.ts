/** What becomes of requests while the authority does not answer. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Authority, Need } from '../../../src/limits/authority.ts';
import { LeaseHolder } from '../../../src/limits/lease-holder.ts';
import { MemoryAuthority } from '../../lib/memory-authority.ts';

const minute: Need = {
  bucket: { id: 'acme/requests/minute', window: 'minute', limit: 10_000 },
  amount: 1,
  unit: 'requests',
  name: 'minute',
  hard: true,
};

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-05-05T05:05:05Z') });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('an authority that is away', () => {
  /** A process that is busy enough to hold a lease, and what takes its authority away. */
  async function busy(admitsWhenAway: boolean) {
    const memory = new MemoryAuthority(() => ({ elapsed: Date.now(), stamp: Date.now(), doubtMs: 0 }));
    const road = { closed: false };
    const told: boolean[] = [];
    const seeded: string[] = [];
    const authority: Authority = {
      take: async (call) => {
        if (road.closed) throw new Error('away');
        return memory.take(call);
      },
    };
    const leaseHolder = new LeaseHolder({
      authority,
      holder: 'one',
      clock: { monotonic: () => Date.now(), elapsed: () => Date.now() },
      seedsOf: async () => {
        seeded.push(minute.bucket.id);
        return [{ bucketId: minute.bucket.id, window: 'minute', entries: [], used: 0 }];
      },
      admitsWhenAway,
      mayBeDone: () => true,
      onAway: (away) => told.push(away),
    });
    const ask = async () => {
      const taking = leaseHolder.take([minute]);
      await vi.advanceTimersByTimeAsync(1);
      return taking;
    };
    for (let index = 0; index < 600; index += 1) expect((await ask()).granted).toBe(true);
    return { leaseHolder, road, told, seeded, ask };
  }

  it('is not missed as long as a lease lasts; then requests fail, until it is back', async () => {
    const { leaseHolder, road, told, ask } = await busy(false);
    road.closed = true;
    expect(await ask()).toMatchObject({ granted: true, at: null });
    expect(leaseHolder.away).toBe(false);
    await vi.advanceTimersByTimeAsync(1_000);
    const failed = expect(leaseHolder.take([minute])).rejects.toThrow('away');
    await vi.advanceTimersByTimeAsync(1);
    await failed;
    expect(leaseHolder.away).toBe(true);
    road.closed = false;
    expect(await ask()).toMatchObject({ granted: true });
    expect([leaseHolder.away, told]).toEqual([false, [true, false]]);
  });

  it('lets requests in uncounted where that is wanted', async () => {
    const { road, ask } = await busy(true);
    road.closed = true;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await ask()).toEqual({ granted: true, taken: [], standings: [], at: null });
    road.closed = false;
    expect(await ask()).toMatchObject({ granted: true, taken: [{ amount: 1 }] });
  });

  it('is told once more what the ledger holds, where the first call was lost', async () => {
    const { leaseHolder, road, seeded } = await busy(false);
    const before = seeded.length;
    leaseHolder.invalidate(minute.bucket.id);
    road.closed = true;
    const failed = expect(leaseHolder.take([minute])).rejects.toThrow('away');
    await vi.advanceTimersByTimeAsync(1);
    await failed;
    road.closed = false;
    const taking = leaseHolder.take([minute]);
    await vi.advanceTimersByTimeAsync(1);
    expect(await taking).toMatchObject({ granted: true });
    expect(seeded.length - before).toBe(2);
  });

  it('is not told of what nobody can say, and of what stands only when it is back', async () => {
    const { leaseHolder, road } = await busy(true);
    road.closed = true;
    const failed = expect(leaseHolder.ask([minute])).rejects.toThrow('away');
    await vi.advanceTimersByTimeAsync(1);
    await failed;
  });
});
