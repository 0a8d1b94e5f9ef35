import { expect, it } from 'vitest';
import { AnswerSample } from '../../../../src/gateway/lanes/translated-lane.ts';
import { estimateTokens } from '../../../../src/lib/tokens.ts';
import { usageOf } from '../../../../src/tenants/metering/spent.ts';
import { callOf } from '../../../helpers/vendor-gateway.ts';

it('keeps the beginning of a long answer, and the whole of a short one', () => {
  const sample = new AnswerSample();
  sample.add('Hi ');
  sample.add('there');
  expect([sample.beginning, sample.length]).toEqual(['Hi there', 8]);
  for (let n = 0; n < 100; n += 1) sample.add('x'.repeat(10_000));
  expect([sample.beginning.length, sample.length]).toEqual([64 * 1024, 1_000_008]);
});

it('an answer of which the beginning is known is estimated by it', async () => {
  const { maxTokens: _, ...call } = callOf();
  const text = 'one two three four '.repeat(50);
  const whole = await usageOf(null, call, text);
  expect(whole.tokens.output).toBe(await estimateTokens(text));
  const tenfold = await usageOf(null, call, text, text.length * 10);
  expect(tenfold.tokens.output).toBe((await estimateTokens(text)) * 10);
});
