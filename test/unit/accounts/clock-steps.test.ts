/** Servers whose wall clocks step while they admit, as real processes. */
import { setTimeout as delay } from 'node:timers/promises';
import { beforeEach, expect, it } from 'vitest';
import { requireSteppingClock, steppingClock } from '../../helpers/stepping-clock.ts';
import { onEveryStore, type StoreTests } from '../../helpers/store.ts';
import { tenantOn, testAccounts } from '../../helpers/store-accounts.ts';
import { type StoreProcess, startProcess, startProcessWith } from '../../helpers/store-process.ts';

const limit = 10;
/** When the clock steps for the second time, back to the right time, in seconds. */
const backAt = 20;

/** Admissions of one answer: they happened in between. */
interface Answer {
  readonly asked: number;
  readonly answered: number;
  readonly count: number;
}

/** The most admissions that surely happened within 60 seconds, whenever between question and answer each did. */
function mostInAMinute(answers: readonly Answer[]): number {
  return Math.max(
    ...answers.map(({ asked }) =>
      answers
        .filter((other) => other.asked >= asked && other.answered < asked + 60_000)
        .reduce((sum, { count }) => sum + count, 0),
    ),
  );
}

/**
 * Asks two processes for far too much, every second, until the limit has given room again; the clock of one of them
 * steps after the first second, and back later.
 */
async function underStep(on: StoreTests, seconds: number): Promise<{ most: number; after: number }> {
  const place = await on.place();
  const accounts = await testAccounts(on, {}, place);
  await tenantOn(accounts, 'acme', 'free');
  const clock = await steppingClock(on);
  const [stepping, steady] = await Promise.all([
    startProcessWith(on, clock.environment, place, 'ask'),
    startProcess(on, place, 'ask'),
  ]);
  const answers: Answer[] = [];
  const ask = async (child: StoreProcess) => {
    const asked = performance.now();
    child.say('20');
    const count = Number(await child.next());
    if (count > 0) answers.push({ asked, answered: performance.now(), count });
  };
  const started = performance.now();
  const since = () => (performance.now() - started) / 1000;
  let steps = 0;
  for (;;) {
    await ask(stepping);
    await ask(steady);
    const admitted = answers.reduce((sum, { count }) => sum + count, 0);
    // What may be admitted by the limit alone.
    if (admitted >= 2 * limit && since() > 62) break;
    if (since() > 150) break;
    if (steps === 0 && since() > 1) {
      steps = 1;
      await clock.set(seconds);
    }
    if (steps === 1 && since() > backAt) {
      steps = 2;
      await clock.set(0);
    }
    await delay(1000);
  }
  return { most: mostInAMinute(answers), after: since() };
}

onEveryStore('limits', (on) => {
  beforeEach(({ skip }) => requireSteppingClock(skip));

  it('hold when the clock of one server steps, and give room again', { timeout: 200_000 }, async () => {
    const steps = [70, 3600, -70, -3600];
    const results = await Promise.all(steps.map((seconds) => underStep(on, seconds)));
    expect(steps.map((step, index) => [step, results[index]?.most])).toEqual(
      steps.map((step) => [step, limit]),
    );
    for (const { after } of results) expect(after).toBeLessThan(150);
  });
});
