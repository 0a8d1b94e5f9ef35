/** Servers whose wall clocks step while they admit, as real processes. */
import { setTimeout as delay } from 'node:timers/promises';
import { beforeEach, expect, it } from 'vitest';
import { requireSteppingClock, steppingClock } from '../../../helpers/clocks.ts';
import { onEveryStore, type StoreTests } from '../../../helpers/store.ts';
import { ledgerRows, openAccountsAt, tenantOn } from '../../../helpers/store-accounts.ts';
import { type StoreProcess, startProcessWith } from '../../../helpers/store-process.ts';

const limit = 10;

/** Admissions of one answer: they happened in between. */
interface Answer {
  readonly asked: number;
  readonly answered: number;
  readonly count: number;
}

/** Maximum number of admissions that surely happened within 60 seconds, whenever between question and answer each did. */
function maxInAMinute(answers: readonly Answer[]): number {
  return Math.max(
    ...answers.map(({ asked }) =>
      answers
        .filter((other) => other.asked >= asked && other.answered < asked + 60_000)
        .reduce((sum, { count }) => sum + count, 0),
    ),
  );
}

interface Steps {
  /** By how many seconds the clock steps. */
  readonly by: number;
  /** Whether it is the clock of both servers, for good; or of one, and back after a while. */
  readonly both: boolean;
}

/** Asks two servers for far too much, every second, until the limit has given room again; meanwhile clocks step. */
async function underSteps(on: StoreTests, { by, both }: Steps): Promise<{ most: number; shift: number }> {
  const database = await on.database();
  const accounts = await openAccountsAt(database);
  await tenantOn(accounts, 'acme', 'free');
  // It would contradict two servers whose clocks have both stepped.
  await accounts.close();
  on.cleanUp(() => accounts.store.close());
  const clock = await steppingClock(on);
  const { environment } = clock;
  const stepping = await startProcessWith(on, { environment }, database, 'ask');
  let other = await startProcessWith(on, both ? { environment } : {}, database, 'ask');
  const answers: Answer[] = [];
  const ask = async (child: StoreProcess) => {
    const asked = performance.now();
    child.say('20');
    const count = Number(await child.next());
    if (count > 0) answers.push({ asked, answered: performance.now(), count });
  };
  const started = performance.now();
  const at = [1, 20, 30].map((second) => started + second * 1000);
  const events = [
    () => clock.set(by),
    () => (both ? undefined : clock.set(0)),
    async () => {
      other.child.kill('SIGKILL');
      other = await startProcessWith(on, both ? { environment } : {}, database, 'ask');
    },
  ];
  // A whole limit, and another one a minute later.
  while (answers.reduce((sum, { count }) => sum + count, 0) < 2 * limit || events.length > 0) {
    await ask(stepping);
    await ask(other);
    if (performance.now() > (at[0] ?? Number.POSITIVE_INFINITY)) {
      at.shift();
      await events.shift()?.();
    }
    await delay(500);
  }
  const rows = await ledgerRows(accounts, 'acme');
  return { most: maxInAMinute(answers), shift: ((rows.at(-1)?.created_at ?? 0) - Date.now()) / 1000 };
}

onEveryStore('limits', (on) => {
  beforeEach(({ skip }) => requireSteppingClock(skip));

  it('hold when the clock of one server or of the machine steps, and give room again', async () => {
    const both = on.dialect === 'sqlite' ? [3600, -3600] : [];
    const steps: Steps[] = [
      ...[70, 3600, -70, -3600].map((by) => ({ by, both: false })),
      ...both.map((by) => ({ by, both: true })),
    ];
    const results = await Promise.all(steps.map((each) => underSteps(on, each)));
    expect(steps.map((each, index) => [each, results[index]?.most])).toEqual(
      steps.map((each) => [each, limit]),
    );
    // One server's clock is not followed. That of the machine is, a while later: ahead at once, back at half speed.
    for (const { shift } of results.slice(0, 4)) expect(Math.abs(shift)).toBeLessThan(10);
    if (on.dialect === 'postgres') return;
    expect(results[4]?.shift).toBeGreaterThan(3590);
    expect(results[5]?.shift).toBeLessThan(-1);
  });
});
