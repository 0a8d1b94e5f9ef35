import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { JobTable } from '../../../../src/background/jobs/job-table.ts';
import { WorkshopFault } from '../../../../src/factory/build-reporter.ts';
import { type Builder, TemplateFault } from '../../../../src/factory/factory.ts';
import { type Build, newBuild } from '../../../../src/services/builds/build.ts';
import { BuildStore } from '../../../../src/services/builds/build-store.ts';
import { openFactory } from '../../../../src/services/builds/open-factory.ts';
import { BuildRecorder, runBuild, StopReason } from '../../../../src/services/builds/run-build.ts';
import { advance, advanceAll, type Step, StepError } from '../../../../src/services/builds/transitions.ts';
import { equalWeights, everyReport, gate, scripted } from '../../../helpers/factory.ts';
import { onEveryStore, type StoreTests } from '../../../helpers/store.ts';
import { testAccounts } from '../../../helpers/store-accounts.ts';
import { accept, buildContext, embedded } from '../../../helpers/store-agents.ts';

const engine = { mode: 'model', model: 'gpt-test' } as const;
const packed = { artifact: { bytes: 1, sha256: 'x', fileName: 'x.zip' }, files: [] };
const failure = { code: 'build_failed', message: 'It failed.', retryable: true } as const;
const claim: Step = { type: 'claim', workerId: 'w', engine };
const reports = everyReport.map((report): Step => ({ type: 'report', report }));

function fresh(): Build {
  const given = {
    id: 'job_x',
    tenant_id: null,
    request_id: 'r',
    prompt: 'p',
    options: {},
    created_at: 0,
    expires_at: 1,
  };
  return advance(newBuild(given, engine), { type: 'accept' }, 0).build;
}

const steps: readonly Step[] = [
  claim,
  ...reports,
  { type: 'release' },
  { type: 'succeed', packed },
  { type: 'fail', failure },
  { type: 'cancel' },
];

it('tells of a whole build in order, each stage begun and ended once a visit', () => {
  const { build, events } = advanceAll(fresh(), [claim, ...reports, { type: 'succeed', packed }], 10);
  const visits = events.flatMap((one) =>
    one.type === 'stage.started' || one.type === 'stage.completed' ? [`${one.type} ${one.stage}`] : [],
  );
  const order = ['planning', 'generating', 'verifying', 'repairing', 'verifying', 'packaging'];
  expect(visits).toEqual(order.flatMap((stage) => [`stage.started ${stage}`, `stage.completed ${stage}`]));
  expect(events.at(-1)).toMatchObject({ type: 'job.succeeded' });
  expect(build).toMatchObject({
    status: 'succeeded',
    worker_id: null,
    finished_at: 10,
    last_seq: events.length + 1,
  });
  expect(build.state).toMatchObject({ percent: 100, repairRounds: 1, degradedFrom: 'gpt-test' });
  const percents = events.flatMap((one) => ('percent' in one ? [one.percent] : []));
  expect(percents).toEqual(percents.toSorted((a, b) => a - b));
});

it('has all files in the end, though a repair wrote some of them again', () => {
  const again = { type: 'file', path: 'src/app.js', bytes: 1, sha256: 'x', index: 1, total: 3 } as const;
  const repaired: Step = { type: 'report', report: again };
  const { build } = advanceAll(fresh(), [claim, ...reports, repaired, { type: 'succeed', packed }], 10);
  expect(build.state).toMatchObject({ filesDone: 3, filesTotal: 3 });
});

it('whatever is tried, a build that is over stays as it is, and every event has its number', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...steps), { maxLength: 60 }), (tried) => {
      let job = fresh();
      let events = 1;
      for (const step of tried) {
        const over = job.finished_at !== null;
        try {
          const advanced = advance(job, step, 5);
          expect(over, `${step.type} after ${job.status}`).toBe(false);
          events += advanced.events.length;
          job = advanced.build;
        } catch (error) {
          expect(error).toBeInstanceOf(StepError);
        }
        expect(job.last_seq).toBe(events);
        expect(job.finished_at !== null).toBe(['succeeded', 'failed', 'cancelled'].includes(job.status));
        expect(job.worker_id !== null).toBe(job.status === 'running');
      }
    }),
  );
});

it('a build that was given back begins again, in a higher attempt, by the engine that was to build it', () => {
  const released = advanceAll(fresh(), [claim, ...reports, { type: 'release' }], 1);
  expect(released.events.at(-1)).toMatchObject({ type: 'notice', code: 'recovered_after_restart' });
  expect(released.build).toMatchObject({ status: 'queued', worker_id: null });
  const { build } = advance(released.build, claim, 2);
  expect(build).toMatchObject({ attempt: 2, stage: null, started_at: 1 });
  expect(build.state).toMatchObject({ percent: 0, plan: null, checks: [], filesDone: 0, engine });
});

it('refuses stages out of order', () => {
  const running = advance(fresh(), claim, 0).build;
  const enter = (stage: 'packaging' | 'repairing'): Step => ({
    type: 'report',
    report: { type: 'stage', stage },
  });
  expect(() => advance(running, enter('packaging'), 0)).toThrow(StepError);
  expect(() => advance(running, { type: 'succeed', packed }, 0)).toThrow(StepError);
});

/** Cancelling builds that change hands meanwhile. */
describe('the service', () => {
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
      // It is begun again after no process was asked, and before the next look.
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
        cancel_requested_at: expect.any(Number),
      });
    });
  });
});

describe('running a build', () => {
  onEveryStore('a build that is stopped', (on) => {
    it('ends as it was stopped, though its builder goes on reporting', async () => {
      const builds = new BuildStore(await on.open(await on.database()), buildContext, equalWeights);
      const id = await accept(builds);
      const build = await builds.claim('worker', embedded);
      if (build === null) throw new Error('there is no build');
      const [writing, written, reported] = [gate(), gate(), gate()];
      const take = builds.take.bind(builds);
      let calls = 0;
      builds.take = async (...given) => {
        calls += 1;
        if (calls === 1) {
          writing.open();
          await written.opened;
        }
        return take(...given);
      };
      const abort = new AbortController();
      const late: unknown[] = [];
      const builder: Builder = async ({ report, signal }) => {
        void report({ type: 'stage', stage: 'planning' });
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        // Its end has been taken by then, and is gathered with what comes while the first step is written.
        await new Promise((resolve) => setImmediate(resolve));
        const reporting = report({ type: 'stage', stage: 'generating' });
        reported.open();
        await reporting.catch((error: unknown) => late.push(error));
        throw new Error('nobody hears this');
      };
      const running = runBuild({
        builds,
        recorder: new BuildRecorder(builds, build, () => undefined),
        builder,
        workshop: {} as never,
        demoModelBuilds: 0,
        signal: abort.signal,
        onFault: (error) => {
          throw error;
        },
      });
      await writing.opened;
      const reason = new StopReason('time_limit');
      abort.abort(reason);
      await reported.opened;
      written.open();
      await running;
      expect(await builds.find(id)).toMatchObject({
        status: 'failed',
        state: { failure: { code: 'time_limit', stage: 'planning' } },
      });
      expect(late).toEqual([reason]);
    });
  });

  onEveryStore('a build that fails', (on) => {
    it.each([
      ['may be asked for again where a step has failed', new WorkshopFault('a thread has ended'), true],
      ['would fail again where the rules have made what is wrong', new TemplateFault('spec.covered'), false],
    ])('%s', async (_name, fault, retryable) => {
      const builds = new BuildStore(await on.open(await on.database()), buildContext, equalWeights);
      const id = await accept(builds);
      const build = await builds.claim('worker', embedded);
      if (build === null) throw new Error('there is no build');
      const faults: unknown[] = [];
      await runBuild({
        builds,
        recorder: new BuildRecorder(builds, build, () => undefined),
        builder: () => Promise.reject(fault),
        workshop: {} as never,
        demoModelBuilds: 0,
        signal: new AbortController().signal,
        onFault: (error) => void faults.push(error),
      });
      expect(await builds.find(id)).toMatchObject({
        status: 'failed',
        state: { failure: { code: 'build_failed', retryable } },
      });
      expect(faults).toEqual([fault]);
    });
  });
});
