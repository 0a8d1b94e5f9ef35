import { expect, it, onTestFinished } from 'vitest';
import type { Caller } from '../../../../src/tenants/accounts/caller.ts';
import { plansOf } from '../../../../src/tenants/accounts/plans.ts';
import { openOverload } from '../../../../src/tenants/overload/open-overload.ts';

const caller = { tenantId: 't', plan: 'free', keyId: 'k', scopes: new Set() } as unknown as Caller;

it('requests that keep the event loop from its timers are seen by what they bring', async () => {
  const changes: string[] = [];
  const overload = openOverload(
    { maxRunning: 1_000, maxWaiting: 100, maxWaitMs: 1_000, maxLoopDelayMs: 100, minRunning: 8 },
    plansOf('A'),
    { waitingAdmissions: () => 0 },
    { requestShed: () => undefined, loadChanged: (state, signal) => void changes.push(`${state} ${signal}`) },
  );
  onTestFinished(() => overload.close());
  const { signal } = new AbortController();
  const turns = Array.from({ length: 400 }, () => overload.turns.take(caller, signal));
  expect(overload.load()).toMatchObject({ state: 'normal', running: 400, limit: 1_000 });
  await expect(overload.check()).resolves.toContain('400 of 1000 requests run, 0 wait');
  // No timer fires in the meantime.
  while (overload.load().state === 'normal' || overload.load().limit > 100) overload.turns.take(null, signal);
  expect(changes).toEqual(['shedding event_loop']);
  expect(overload.load().running).toBe(400);
  await expect(overload.check()).rejects.toThrow('The event loop is late: requests are shed.');
  for (const turn of turns) turn?.end();
  expect(overload.load().running).toBe(0);
});
