/** Cancelling builds that change hands meanwhile. */
import { expect, it, onTestFinished, vi } from 'vitest';
import { JobTable } from '../../../../src/background/jobs/job-table.ts';
import { BuildStore } from '../../../../src/services/builds/build-store.ts';
import { openFactory } from '../../../../src/services/builds/open-factory.ts';
import { equalWeights, scripted } from '../../../helpers/factory.ts';
import { onEveryStore, type StoreTests } from '../../../helpers/store.ts';
import { testAccounts } from '../../../helpers/store-accounts.ts';
import { accept, buildContext, embedded } from '../../../helpers/store-agents.ts';

/** A build that another process runs, and what happens just before that one is asked to cancel it. */
async function runningElsewhere(
  on: StoreTests,
  before: (giveBack: () => Promise<unknown>, claim: () => Promise<unknown>) => Promise<unknown>,
) {
  const accounts = await testAccounts(on);
  const { service, close } = await openFactory(
    { store: accounts.store, metering: accounts, plans: accounts.plans, pseudonym: (text) => text },
    {
      publicUrl: 'http://127.0.0.1:8080',
      previewDomain: null,
      concurrency: 0,
      threads: 1,
      queue: 10,
      engine: embedded,
      // Nothing is looked for by itself.
      tickMs: 3_600_000,
      loadBuilder: async () => scripted(),
      onError: (error) => {
        throw error;
      },
    },
  );
  on.cleanUp(close);
  const builds = new BuildStore(accounts.store, buildContext, equalWeights);
  const id = await accept(builds);
  const claim = () => builds.claim('elsewhere', embedded);
  const giveBack = async () => {
    const build = await builds.find(id);
    if (build) await builds.take(build, [{ type: 'release' }]);
  };
  expect(await claim()).toMatchObject({ id, status: 'running' });
  const real = JobTable.prototype.requestCancel;
  let calls = 0;
  const spy = vi.spyOn(JobTable.prototype, 'requestCancel').mockImplementation(async function (
    this: JobTable<'factory_jobs', 'factory_events', unknown>,
    asked: string,
  ) {
    calls += 1;
    if (calls === 1) await before(giveBack, claim);
    return real.call(this, asked);
  } as never);
  onTestFinished(() => spy.mockRestore());
  return { service, builds, id };
}

onEveryStore('a build that is cancelled', (on) => {
  it('while it is given back is cancelled where it waits', async () => {
    const { service, builds, id } = await runningElsewhere(on, (giveBack) => giveBack());
    expect(await service.cancel(id, null)).toMatchObject({ status: 'cancelled' });
    expect(await builds.find(id)).toMatchObject({ status: 'cancelled' });
  });

  it('while it is given back and begun again is cancelled where it runs then', async () => {
    let next: () => Promise<unknown> = async () => undefined;
    const { service, builds, id } = await runningElsewhere(on, async (giveBack, claim) => {
      await giveBack();
      next = claim;
    });
    const { find } = builds;
    // It is begun again after nobody was asked, and before it is looked at once more.
    const spy = vi.spyOn(BuildStore.prototype, 'find').mockImplementation(async function (
      this: BuildStore,
      ...given
    ) {
      await next();
      next = async () => undefined;
      return find.apply(this, given);
    });
    onTestFinished(() => spy.mockRestore());
    expect(await service.cancel(id, null)).toMatchObject({ status: 'running' });
    expect(await builds.find(id)).toMatchObject({
      status: 'running',
      attempt: 2,
      cancelRequestedAt: expect.any(Number),
    });
  });
});
