import fc from 'fast-check';
import { expect } from 'vitest';
import type { Ask, Authority, Call, Return, Seed, Window } from '../../src/limits/authority.ts';
import { roundedMs } from '../../src/limits/authority.ts';
import { MemoryAuthority } from '../../src/limits/memory-authority.ts';
import type { TestClock } from './test-database.ts';

/** The buckets that random calls are about, of two tenants. */
const kinds: readonly (readonly [name: string, window: Window])[] = [
  ['budget/all', 'ever'],
  ['requests/day', 'day'],
  ['requests/minute', 'minute'],
  ['requests/month', 'month'],
  ['running', 'running'],
  ['tokens/minute', 'minute'],
];

/** One step of a random history: time goes by, and a holder calls. What it gives back is chosen among what it was granted. */
export interface Step {
  readonly pauseMs: number;
  /** By how much the clock of who calls is behind. */
  readonly behindMs: number;
  readonly holder: string;
  readonly asks: readonly Ask[];
  readonly seeds: readonly Seed[];
  readonly back: readonly { readonly pick: number; readonly part: number }[];
}

const ask: fc.Arbitrary<Ask> = fc
  .record({
    tenant: fc.constantFrom('acme', 'bolt'),
    chosen: fc.subarray([...kinds], { minLength: 1, maxLength: 3 }),
    limit: fc.constantFrom<(number | null)[]>(null, 0, 1, 10, 100, 1_000, 20_000),
    need: fc.constantFrom(0, 1, 1, 1, 3, 40),
    more: fc.constantFrom(0, 0, 5, 50, 4_000),
  })
  .map(({ tenant, chosen, limit, need, more }) =>
    chosen
      .map(([name, window]) => ({
        bucket: { id: `${tenant}/${name}`, window, limit },
        need,
        want: need + more,
      }))
      .sort((one, other) => (one.bucket.id < other.bucket.id ? -1 : 1)),
  );

const asks: fc.Arbitrary<readonly Ask[]> = fc
  .array(fc.tuple(ask, fc.constantFrom(1, 1, 1, 12, 150)), { maxLength: 3 })
  .map((groups) => groups.flatMap(([one, count]) => Array.from({ length: count }, () => one)));

const pauses = fc.oneof(
  fc.constantFrom(0, 1, 7, 250, 275, 1_000, 60_000, 60_276, 86_400_000, 15 * 86_400_000),
  fc.nat(3_000),
);

/** Random histories, which begin at `start`. */
export function histories(start: number): fc.Arbitrary<readonly Step[]> {
  const seed = fc
    .tuple(
      fc.constantFrom('acme', 'bolt'),
      fc.constantFrom(...kinds),
      fc.array(fc.nat(70_000), { maxLength: 4 }),
    )
    .map(
      ([tenant, [name, window], ages]): Seed => ({
        bucketId: `${tenant}/${name}`,
        window,
        entries: ages.sort((one, other) => other - one).map((age) => [start - age, 1 + (age % 5)] as const),
        used: ages.length,
      }),
    );
  const step = fc.record({
    pauseMs: pauses,
    behindMs: fc.constantFrom(0, 0, 3, 90),
    holder: fc.constantFrom('one', 'two'),
    asks,
    seeds: fc.array(seed, { maxLength: 4 }).map(eachOnce),
    back: fc.array(fc.record({ pick: fc.nat(50), part: fc.integer({ min: -4, max: 8 }) }), { maxLength: 4 }),
  });
  return fc.array(step, { minLength: 1, maxLength: 40 });
}

/** What was granted and can be given back, oldest first. */
export type Granted = Omit<Return, 'amount'> & { readonly amount: number };

/** The call of a step, with a part of what was granted before. */
export function callOf({ holder, asks: wanted, seeds, back }: Step, granted: readonly Granted[]): Call {
  const returns = back.flatMap(({ pick, part }): Return[] => {
    const one = granted[granted.length - 1 - pick];
    return one ? [{ ...one, amount: Math.trunc((one.amount * part) / 4) }] : [];
  });
  return { holder, asks: wanted, seeds, returns: returns.filter(({ amount }) => amount !== 0) };
}

function eachOnce(seeds: readonly Seed[]): Seed[] {
  return [...new Map(seeds.map((one) => [one.bucketId, one])).values()];
}

/** Fills a minute with more ends than are kept to the millisecond, and expects of an authority what the algorithm answers. */
export async function expectEndsAlike(authority: Authority, clock: TestClock): Promise<void> {
  const memory = new MemoryAuthority(() => ({ elapsed: clock.time, stamp: clock.time, doubtMs: 0 }));
  const bucket = { id: 'many/ends', window: 'minute', limit: 1_000 } as const;
  const seeds = [{ bucketId: bucket.id, window: 'minute', entries: [], used: 0 }] as const;
  const call: Call = { holder: 'one', returns: [], seeds, asks: [[{ bucket, need: 1, want: 1 }]] };
  const ends: number[] = [];
  for (let count = 0; count < 100; count += 1) {
    clock.time += 37;
    const expected = await memory.take(call);
    expect(await authority.take(call)).toEqual(expected);
    for (const reply of expected) if (reply.granted) ends.push(reply.grants[0]?.until ?? 0);
  }
  const rounded = new Set(ends.filter((end) => end % roundedMs === 0));
  expect(rounded.size).toBeGreaterThan(1);
}
