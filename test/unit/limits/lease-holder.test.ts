import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Bucket, Need, Window } from '../../../src/limits/authority.ts';
import { type Clocks, LeaseWorld, type Network, start } from '../../helpers/limits.ts';

const bucket = (path: string, window: Window, limit: number): Bucket => ({
  id: `acme/${path}`,
  window,
  limit,
});
const need = (of: Bucket, unit: Need['unit'] = 'requests', amount = 1): Need => ({
  bucket: of,
  amount,
  unit,
  name: of.id,
  hard: true,
});
const good: Network = { delays: [1], losesCall: 0, losesAnswer: 0 };
const alike = (count: number): Clocks[] => Array.from({ length: count }, () => ({ offset: 0, rate: 1 }));

beforeEach(() => {
  vi.useFakeTimers({ now: start });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('leases', () => {
  it.each([1, 10, 1_000])('admit of 2,000 at once as many as the limit of %d has', async (limit) => {
    const world = new LeaseWorld(good, alike(5));
    const minute = bucket('requests/minute', 'minute', limit);
    for (let index = 0; index < 2_000; index += 1) world.ask(index % 5, [need(minute)], 1, 1);
    await world.pass(1_000);
    expect([world.admitted.length, world.refused]).toEqual([limit, 2_000 - limit]);
  });

  it('leave nothing of a limit unused by a burst, however it is spread over processes and calls', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 3_000 }),
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.nat(40), { minLength: 1, maxLength: 5 }),
        fc.nat(2),
        async (limit, processes, delays, everyMs) => {
          vi.setSystemTime(start);
          const world = new LeaseWorld({ ...good, delays }, alike(processes));
          const minute = bucket('requests/minute', 'minute', limit);
          const each = Math.ceil((2 * limit) / processes);
          const together = everyMs === 0 ? each : Math.ceil(each / (40 / everyMs));
          for (let asked = 0; asked < each; asked += together) {
            for (let index = 0; index < Math.min(together, each - asked) * processes; index += 1)
              world.ask(index % processes, [need(minute)], 1, 1);
            await world.pass(everyMs);
          }
          await world.pass(3_000);
          expect([world.admitted.length, world.refused]).toEqual([limit, each * processes - limit]);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('serve a busy tenant with few calls, and give back what is left in the end', async () => {
    const world = new LeaseWorld(good, alike(3));
    const day = bucket('requests/day', 'day', 1_000_000);
    const minute = bucket('requests/minute', 'minute', 100_000);
    for (let index = 0; index < 30_000; index += 1) {
      world.ask(index % 3, [need(day), need(minute)], 1, 1);
      if (index % 3 === 2) await world.pass(1);
    }
    expect(world.admitted).toHaveLength(30_000);
    // By every request it would be 10,000 calls of each process.
    expect(world.calls).toBeLessThan(1_500);
    await world.pass(2_000);
    expect(world.authority.used.get(day.id)).toBe(30_000);
  });

  it('are of use to the last: a limit is reached, and no request below it is refused', async () => {
    const world = new LeaseWorld(good, alike(3));
    const minute = bucket('requests/minute', 'minute', 5_000);
    for (let index = 0; index < 9_000; index += 1) {
      world.ask(index % 3, [need(minute)], 1, 1);
      if (index % 3 === 2) await world.pass(2);
    }
    await world.pass(1_000);
    expect(world.admitted).toHaveLength(5_000);
  });

  it('count for a minute from the last moment at which they can be used', async () => {
    const world = new LeaseWorld(good, alike(2));
    const minute = bucket('requests/minute', 'minute', 160);
    for (let index = 0; index < 22; index += 1) {
      world.ask(0, [need(minute)], 1, 1);
      await world.pass(20);
    }
    await world.pass(200);
    const before = world.leased;
    for (let index = 0; index < 4; index += 1) world.ask(0, [need(minute)], 1, 1);
    expect(world.leased).toBe(before + 4);
    await world.pass(60_000 - 150);
    for (let index = 0; index < 160; index += 1) world.ask(1, [need(minute)], 1, 1);
    await world.pass(2_000);
    expect(world.mostInAMinute(minute)).toBeLessThanOrEqual(160);
    expect(world.refused).toBeGreaterThan(0);
  });

  it('free a place among those that run at once, for whoever waits for one', async () => {
    const world = new LeaseWorld(good, alike(2));
    const running = bucket('running', 'running', 1);
    world.ask(0, [need(running, 'running')], 100, 1);
    await world.pass(105);
    for (let round = 0; round < 20; round += 1) {
      world.ask(round % 2, [need(running, 'running')], 5, 1);
      await world.pass(15);
    }
    expect([world.admitted.length, world.refused]).toEqual([21, 0]);
  });

  it('give nothing back that has stopped counting', async () => {
    const world = new LeaseWorld(good, alike(2));
    const tokens = bucket('tokens/minute', 'minute', 100);
    world.ask(0, [need(tokens, 'tokens', 100)], 70_000, 0.5);
    await world.pass(61_000);
    world.ask(1, [need(tokens, 'tokens', 100)], 100_000, 1);
    await world.pass(10_000);
    world.ask(1, [need(tokens, 'tokens', 1)], 1, 1);
    await world.pass(1_000);
    expect([world.admitted.length, world.refused]).toEqual([2, 1]);
  });

  it('never admit more than any limit in any 60 seconds, whatever happens, and lose nothing', async () => {
    const step = fc.record({
      process: fc.nat(2),
      tenantOnly: fc.boolean(),
      tokens: fc.integer({ min: 1, max: 40 }),
      burst: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.constantFrom(60, 200)),
      // Only what lasts is leased, so many are to last.
      everyMs: fc.constantFrom(0, 1, 7, 7),
      runsMs: fc.constantFrom(0, 30, 900, 20_000, 70_000),
      part: fc.constantFrom(0, 0.3, 1),
      pauseMs: fc.oneof(fc.nat(20), fc.nat(700), fc.constantFrom(15_000, 59_400, 60_500)),
      crash: fc.constantFrom(false, false, false, true),
      stepMs: fc.constantFrom(0, 0, -3_600_000, 70_000),
    });
    const network = fc.record({
      delays: fc.array(fc.nat(400), { minLength: 1, maxLength: 5 }),
      losesCall: fc.constantFrom(0, 0, 5),
      losesAnswer: fc.constantFrom(0, 0, 3, 7),
    });
    const clocks = fc.array(
      fc.record({ offset: fc.integer({ min: -1e6, max: 1e6 }), rate: fc.constantFrom(0.95, 1, 1.05) }),
      { minLength: 3, maxLength: 3 },
    );
    const limits = fc.constantFrom(3, 40, 400, 4_000);
    let leased = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 3, maxLength: 25 }),
        network,
        clocks,
        limits,
        async (steps, wire, theirs, limit) => {
          vi.setSystemTime(start);
          const world = new LeaseWorld(wire, theirs);
          const all = bucket('requests/minute', 'minute', limit);
          const day = bucket('requests/day', 'day', 2 * limit);
          const key = bucket('keys/k/requests/minute', 'minute', Math.ceil(limit / 2));
          const running = bucket('running', 'running', Math.ceil(limit / 2));
          const tokens = bucket('tokens/minute', 'minute', 20 * limit);
          for (const one of steps) {
            if (one.crash) world.crash(one.process);
            world.step(one.process, one.stepMs);
            const each = one.tenantOnly
              ? [need(day), need(all)]
              : [need(key), need(all), need(running, 'running'), need(tokens, 'tokens', one.tokens)];
            for (let count = 0; count < one.burst; count += 1) {
              world.ask(one.process, each, one.runsMs, one.part);
              if (one.everyMs > 0) await world.pass(one.everyMs);
            }
            await world.pass(one.pauseMs);
          }
          await world.pass(100_000);
          for (const limited of [all, key, tokens])
            expect(world.mostInAMinute(limited)).toBeLessThanOrEqual(limited.limit ?? 0);
          expect(world.total(day)).toBeLessThanOrEqual(2 * limit);
          leased += world.leased;
          // Somebody asks once more, so that what does not count any more is let go.
          world.ask(0, [need(key), need(all), need(running, 'running'), need(tokens, 'tokens')], 1, 0);
          await world.pass(20_000);
          const { used } = world.authority;
          expect(used.get(running.id)).toBe(0);
          const certain = wire.losesAnswer + wire.losesCall === 0 && !steps.some(({ crash }) => crash);
          if (certain) {
            expect(used.get(tokens.id)).toBe(0);
            expect(used.get(day.id) ?? 0).toBe(world.total(day));
          } else expect(used.get(day.id) ?? 0).toBeGreaterThanOrEqual(world.total(day));
        },
      ),
      { numRuns: 150 },
    );
    // Otherwise it was only about what the authority decides.
    expect(leased).toBeGreaterThan(100);
  });
});
