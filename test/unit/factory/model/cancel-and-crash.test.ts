import { describe, expect, test } from 'vitest';
import type { BuildReport, Workshop } from '../../../../src/factory/builder.ts';
import { embeddedBuilder } from '../../../../src/factory/embedded-builder.ts';
import { carryOut, noticesIn, outline, plainWorkshop } from '../../../helpers/factory-build.ts';
import { boundaryIn, kindOf, questionsTo } from '../../../helpers/vendor-answers.ts';
import { openAiFixture, wireFixtures } from '../../../helpers/vendor-fixtures.ts';
import { changed, marketFiles, marketSpec, modelSetup, written } from './market-app.ts';

const cancelled = new Error('cancelled by its owner');
const faulty = changed('src/app.js', 'function draw() {', 'function draw() {\n  tidyUp();');

describe('a cancelled build ends at once', () => {
  const phases = ['plan', 'correct', 'write', 'continue', 'repair'] as const;
  const cases = wireFixtures.flatMap((wire) =>
    phases.flatMap((phase) => [true, false].map((begun) => ({ wire, wireName: wire.wire, phase, begun }))),
  );
  test.each(cases)(
    'while the model is asked to $phase on the $wireName wire (answer begun: $begun)',
    async ({ wire, phase, begun }) => {
      const controller = new AbortController();
      let closed = false;
      const { gateway, build } = await modelSetup({
        wire,
        signal: controller.signal,
        act: (question) => {
          const kind = kindOf(question);
          if (kind === phase)
            return async (reply) => {
              if (begun) {
                reply.eventStream();
                reply.chunk(wire.beforeText);
                reply.chunk(wire.delta('=== FILE\n'));
              }
              setTimeout(() => controller.abort(cancelled), 10);
              await reply.closed;
              closed = true;
            };
          if (kind === 'plan' && phase === 'correct') return 'Hm.';
          if (kind === 'write' && phase === 'continue')
            return { text: written(marketFiles, boundaryIn(question)).slice(0, 600), finish: 'length' };
          return kind === 'write' ? written(faulty, boundaryIn(question)) : null;
        },
      });
      await expect(build()).rejects.toBe(cancelled);
      await expect.poll(() => closed).toBe(true);
      expect(questionsTo(gateway.vendor).endsWith(phase)).toBe(true);
    },
  );

  test.each(['plan', 'render', 'verify', 'pack'] as const)('while the workshop has to %s', async (step) => {
    for (const withModel of [false, true]) {
      const controller = new AbortController();
      const stuck: Partial<Workshop> = {
        [step]: () => {
          setTimeout(() => controller.abort(cancelled), 1);
          return new Promise(() => undefined);
        },
      };
      const setting = { workshop: stuck, signal: controller.signal };
      const build = withModel
        ? (await modelSetup()).build(setting)
        : carryOut(embeddedBuilder, { ...setting, prompt: 'snake' });
      await expect(build).rejects.toBe(cancelled);
    }
  });

  test('before it begins', async () => {
    const { gateway, build } = await modelSetup({ signal: AbortSignal.abort(cancelled) });
    await expect(build()).rejects.toBe(cancelled);
    expect(gateway.vendor.requests).toHaveLength(0);
  });
});

describe('a crash repeats at most the call in flight', () => {
  const crash = new Error('the server is gone');

  /** Without how long each attempt took. */
  const lastUsage = (reports: readonly BuildReport[]) => {
    const usage = reports.findLast((report) => report.type === 'usage')?.usage;
    return { ...usage, attempts: usage?.attempts?.map((attempt) => ({ ...attempt, durationMs: 0 })) };
  };

  test('at any report, and the app is the same', async () => {
    const repairing = (question: string) =>
      kindOf(question) === 'write' ? written(faulty, boundaryIn(question)) : null;
    const whole = await (await modelSetup({ act: repairing })).build();
    const inOrder = outline(whole.reports);
    for (let at = 1; at <= whole.reports.length; at += 3) {
      const { gateway, build } = await modelSetup({ act: repairing });
      const checkpoints = new Map<string, string>();
      let count = 0;
      const onReport = (_report: BuildReport) => {
        count += 1;
        if (count === at) throw crash;
      };
      await expect(build({ checkpoints, onReport })).rejects.toBe(crash);
      const again = await build({ checkpoints });
      expect(again.app.package.sha256).toBe(whole.app.package.sha256);
      expect(outline(again.reports)).toBe(inOrder);
      expect(lastUsage(again.reports)).toEqual(lastUsage(whole.reports));
      // The one file that is told of while its answer comes is told before the answer is kept.
      expect(gateway.vendor.requests.length).toBeLessThanOrEqual(4);
      expect(checkpoints.size).toBe(3);
    }
  });

  test('also what failed is not asked for again', async () => {
    const { gateway, build } = await modelSetup({ act: () => (reply) => reply.reset() });
    const checkpoints = new Map<string, string>();
    const first = await build({ checkpoints });
    const second = await build({ checkpoints });
    expect(gateway.vendor.requests).toHaveLength(1);
    expect(second.app.package.sha256).toBe(first.app.package.sha256);
    expect(outline(second.reports)).toBe(outline(first.reports));
  });

  test('a cancelled call is not kept', async () => {
    const controller = new AbortController();
    const checkpoints = new Map<string, string>();
    const { build } = await modelSetup({
      act: () => async (reply) => {
        controller.abort(cancelled);
        await reply.closed;
      },
    });
    await expect(build({ checkpoints, signal: controller.signal })).rejects.toBe(cancelled);
    expect(checkpoints.size).toBe(0);
  });

  test('a file is told of while the answer still comes', async () => {
    let sawFile: () => void = () => undefined;
    const seen = new Promise<void>((resolve) => {
      sawFile = resolve;
    });
    const { build } = await modelSetup({
      onReport: (report) => {
        if (report.type === 'file' && report.path === 'index.html') sawFile();
      },
      act: (question) => {
        if (kindOf(question) !== 'write') return null;
        const text = written(marketFiles, boundaryIn(question));
        const [wire] = wireFixtures;
        return async (reply) => {
          const middle = text.indexOf('src/app.css');
          reply.eventStream();
          reply.chunk(wire.beforeText);
          reply.chunk(wire.delta(text.slice(0, text.indexOf('\n\n=== FILE', 20) + 2)));
          await seen;
          reply.chunk(wire.delta(text.slice(text.indexOf('\n\n=== FILE', 20) + 2)));
          expect(middle).toBeGreaterThan(0);
          reply.chunk(
            wire.stream.slice(wire.stream.indexOf(wire.delta('x').slice(0, 8), wire.stream.length - 700)),
          );
          reply.end();
        };
      },
    });
    await build();
  });
});

test('a report that cannot be stored fails the build instead of costing it the model', async () => {
  const full = new Error('the disk is full');
  const { build } = await modelSetup({
    onReport: (report) => {
      if (report.type === 'file') throw full;
    },
  });
  await expect(build()).rejects.toBe(full);
  await expect(
    carryOut(embeddedBuilder, {
      workshop: { verify: () => Promise.reject(new Error('broken')) },
    }),
  ).rejects.toThrow('should verify');
  expect(plainWorkshop).toBeDefined();
});

const withPlan = "; the app is made from a template, with the model's plan.";
const plan = (outputTokens: number) => ({ text: JSON.stringify(marketSpec), outputTokens });

describe('a build takes no more than it may', () => {
  test('an answer of 10 MB is cut off, and the connection closed', async () => {
    let closed = false;
    const { gateway, build } = await modelSetup({
      act: (question) =>
        kindOf(question) === 'write'
          ? async (reply) => {
              reply.eventStream();
              reply.chunk(openAiFixture.beforeText);
              for (let count = 0; count < 200 && !reply.socket.destroyed; count++) {
                reply.chunk(openAiFixture.delta('x'.repeat(50_000)));
                await new Promise((resolve) => setImmediate(resolve));
              }
              await reply.closed;
              closed = true;
            }
          : null,
    });
    const { reports } = await build();
    await expect.poll(() => closed).toBe(true);
    expect(noticesIn(reports)).toEqual([`The build has used up the tokens that it may take${withPlan}`]);
    expect(questionsTo(gateway.vendor)).toBe('plan write');
  });

  test('an answer without an end is given up when the time is over, and the connection closed', async () => {
    let closed = false;
    const { build } = await modelSetup({
      limits: { timeMs: 500 },
      act: (question) =>
        kindOf(question) === 'write'
          ? async (reply) => {
              reply.eventStream();
              reply.chunk(openAiFixture.beforeText);
              const drip = setInterval(() => reply.chunk(openAiFixture.delta('=== FILE\n')), 5);
              await reply.closed;
              clearInterval(drip);
              closed = true;
            }
          : null,
    });
    const { reports } = await build();
    expect(noticesIn(reports)).toEqual([`The model took longer than a build may${withPlan}`]);
    await expect.poll(() => closed).toBe(true);
  });

  test('tokens: the last calls ask for fewer, and then there are none', async () => {
    const { gateway, build } = await modelSetup({
      limits: { outputTokens: 9000 },
      act: (question) =>
        kindOf(question) === 'plan'
          ? plan(3000)
          : {
              text: written(marketFiles, boundaryIn(question)).slice(0, 800),
              finish: 'length',
              outputTokens: 5900,
            },
    });
    const { reports } = await build();
    expect(gateway.vendor.requests.map(({ json }) => json['max_completion_tokens'])).toEqual([8000, 6000]);
    expect(noticesIn(reports)).toEqual([`The build has used up the tokens that it may take${withPlan}`]);
  });

  test('cost: what is known to be too dear is not asked for', async () => {
    const { gateway, build } = await modelSetup({
      limits: { costUsd: 0.05 },
      priceOf: () => ({ prompt: 0, completion: 10 }),
      act: (question) => (kindOf(question) === 'plan' ? plan(4990) : null),
    });
    const { reports } = await build();
    expect(questionsTo(gateway.vendor)).toBe('plan');
    expect(noticesIn(reports)).toEqual([`The build has used up what it may cost${withPlan}`]);
    expect(reports.findLast((report) => report.type === 'usage')?.usage.costUsd).toBeCloseTo(0.0499);
  });

  test('cost: an answer is cut off when it becomes too dear, also the first', async () => {
    const { build } = await modelSetup({
      limits: { costUsd: 0.0005 },
      priceOf: () => ({ prompt: 0, completion: 10 }),
    });
    const { reports } = await build();
    expect(noticesIn(reports)).toEqual([
      'The build has used up what it may cost; the app is planned by rules and made from a template.',
    ]);
  });

  test('without a price only the tokens count, and the cost is unknown', async () => {
    const { build } = await modelSetup({ limits: { costUsd: 0.000001 } });
    const { reports } = await build();
    expect(noticesIn(reports)).toEqual([]);
    expect(reports.findLast((report) => report.type === 'usage')?.usage).toMatchObject({
      calls: 2,
      costUsd: null,
    });
  });

  test('a vendor that counts nothing is counted by us', async () => {
    const { build } = await modelSetup({
      act: () => (reply) => {
        const [first = '', ...rest] = [openAiFixture.beforeText, openAiFixture.delta('No plan today.')];
        reply.events(
          first,
          ...rest,
          openAiFixture.delta('').replace('"finish_reason":null', '"finish_reason":"stop"'),
          'data: [DONE]\n\n',
        );
      },
    });
    const { reports } = await build();
    const { usage } = reports.findLast((report) => report.type === 'usage') ?? {};
    expect(usage?.calls).toBe(2);
    expect(usage?.inputTokens).toBeGreaterThan(1000);
    expect(usage?.outputTokens).toBe(8);
  });
});
