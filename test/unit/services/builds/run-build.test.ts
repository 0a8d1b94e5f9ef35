import { expect, it } from 'vitest';
import { WorkshopFault } from '../../../../src/factory/build-reporter.ts';
import { type Builder, TemplateFault } from '../../../../src/factory/factory.ts';
import { BuildStore } from '../../../../src/services/builds/build-store.ts';
import { BuildRecorder, runBuild, StopReason } from '../../../../src/services/builds/run-build.ts';
import { equalWeights, gate } from '../../../helpers/factory.ts';
import { onEveryStore } from '../../../helpers/store.ts';
import { accept, buildContext, embedded } from '../../../helpers/store-agents.ts';

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
