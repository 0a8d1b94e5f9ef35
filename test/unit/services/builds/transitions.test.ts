import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Build, newBuild } from '../../../../src/services/builds/build.ts';
import { advance, advanceAll, type Step, StepError } from '../../../../src/services/builds/transitions.ts';
import { everyReport } from '../../../helpers/factory.ts';

const engine = { mode: 'model', model: 'gpt-test' } as const;
const packed = { artifact: { bytes: 1, sha256: 'x', fileName: 'x.zip' }, files: [] };
const failure = { code: 'build_failed', message: 'It failed.', retryable: true } as const;
const claim: Step = { type: 'claim', workerId: 'w', engine };
const reports = everyReport.map((report): Step => ({ type: 'report', report }));

function fresh(): Build {
  const given = {
    id: 'job_x',
    tenantId: null,
    requestId: 'r',
    prompt: 'p',
    options: {},
    createdAt: 0,
    expiresAt: 1,
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
  const { build, told } = advanceAll(fresh(), [claim, ...reports, { type: 'succeed', packed }], 10);
  const visits = told.flatMap((one) =>
    one.type === 'stage.started' || one.type === 'stage.completed' ? [`${one.type} ${one.stage}`] : [],
  );
  const order = ['planning', 'generating', 'verifying', 'repairing', 'verifying', 'packaging'];
  expect(visits).toEqual(order.flatMap((stage) => [`stage.started ${stage}`, `stage.completed ${stage}`]));
  expect(told.at(-1)).toEqual({ type: 'job.succeeded' });
  expect(build).toMatchObject({
    status: 'succeeded',
    workerId: null,
    finishedAt: 10,
    lastSeq: told.length + 1,
  });
  expect(build.state).toMatchObject({ percent: 100, repairRounds: 1, degradedFrom: 'gpt-test' });
  const percents = told.flatMap((one) => ('percent' in one ? [one.percent] : []));
  expect(percents).toEqual(percents.toSorted((a, b) => a - b));
});

it('whatever is tried, a build that is over stays as it is, and every event has its number', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...steps), { maxLength: 60 }), (tried) => {
      let job = fresh();
      let events = 1;
      for (const step of tried) {
        const over = job.finishedAt !== null;
        try {
          const advanced = advance(job, step, 5);
          expect(over, `${step.type} after ${job.status}`).toBe(false);
          events += advanced.told.length;
          job = advanced.build;
        } catch (error) {
          expect(error).toBeInstanceOf(StepError);
        }
        expect(job.lastSeq).toBe(events);
        expect(job.finishedAt !== null).toBe(['succeeded', 'failed', 'cancelled'].includes(job.status));
        expect(job.workerId !== null).toBe(job.status === 'running');
      }
    }),
  );
});

it('a build that was given back begins again, in a higher attempt, by the engine that was to build it', () => {
  const released = advanceAll(fresh(), [claim, ...reports, { type: 'release' }], 1);
  expect(released.told.at(-1)).toMatchObject({ type: 'notice', code: 'recovered_after_restart' });
  expect(released.build).toMatchObject({ status: 'queued', workerId: null });
  const { build } = advance(released.build, claim, 2);
  expect(build).toMatchObject({ attempt: 2, stage: null, startedAt: 1 });
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
