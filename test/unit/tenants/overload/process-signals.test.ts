import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { expectedWait, ProcessSignals } from '../../../../src/tenants/overload/process-signals.ts';

it('what happens during a long turn counts for its length', () => {
  // One turn of 1,000 ms and 100 of 10: half of all time falls into the one, whose rest is 500 ms on average.
  const turns = [1_000, ...Array.from({ length: 100 }, () => 10)];
  const sumOf = (power: number) => turns.reduce((sum, turn) => sum + turn ** power, 0);
  expect(expectedWait({ first: sumOf(1), second: sumOf(2) })).toBe(252.5);
  expect(expectedWait({ first: 20, second: 200 })).toBe(5);
  expect(expectedWait({ first: 0, second: 0 })).toBe(0);
});

it('a blocked event loop shows, and what is measured again begins at nothing', async () => {
  const signals = new ProcessSignals({ waitingAdmissions: () => 7 });
  onTestFinished(() => signals.close());
  await sleep(100);
  signals.read();
  const until = performance.now() + 600;
  while (performance.now() < until);
  await sleep(50);
  const blocked = signals.read();
  expect(blocked.event_loop).toBeGreaterThan(150);
  expect(blocked.admissions).toBe(7);
  expect(blocked.memory).toBeGreaterThanOrEqual(0);
  await expect.poll(() => signals.read().event_loop, { interval: 200 }).toBeLessThan(blocked.event_loop / 2);
});

it('the heap counts only when garbage has had time to go', () => {
  const signals = new ProcessSignals({ waitingAdmissions: () => 0 });
  onTestFinished(() => signals.close());
  const shares = Array.from({ length: 8 }, () => signals.read().heap);
  expect(shares.slice(0, 7)).toEqual([0, 0, 0, 0, 0, 0, 0]);
  expect(shares[7]).toBeGreaterThan(0);
  expect(shares[7]).toBeLessThan(1);
});
