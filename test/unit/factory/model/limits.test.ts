import { describe, expect, test } from 'vitest';
import { noticesIn } from '../../../helpers/factory-build.ts';
import { boundaryIn, kindOf, questionsTo } from '../../../helpers/vendor-answers.ts';
import { openAiFixture } from '../../../helpers/vendor-fixtures.ts';
import { marketFiles, marketSpec, written } from './market-app.ts';
import { modelSetup } from './model-build.ts';

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
