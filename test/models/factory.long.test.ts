/** How much context a build needs, by the count of a real model server. */
import { expect, it, onTestFinished } from 'vitest';
import { createBuilder } from '../../src/factory/model/builder.ts';
import { createModelGateway } from '../../src/gateway/routing/gateway.ts';
import { carryOut, noticesIn } from '../helpers/factory-build.ts';
import { readMarkdown } from '../helpers/guides.ts';
import { providerOf, settingsOf } from '../helpers/vendor-gateway.ts';
import { wideLimits } from '../unit/factory/model/market-app.ts';
import { startLlama } from './servers.ts';

it('a build says how much context its prompt needs, which the guide says too', {
  timeout: 900_000,
}, async () => {
  const server = await startLlama({ slots: 1, context: 2048 });
  onTestFinished(() => server.kill());
  const provider = providerOf('openai', server.baseUrl, { id: 'local', apiKey: null, patterns: [] });
  const models = createModelGateway(settingsOf([provider]));
  const builder = createBuilder({ models, model: 'local/smollm2', limits: wideLimits, priceOf: () => null });
  const { reports } = await carryOut(builder, { prompt: 'a tracker for my books' });
  const [notice = ''] = noticesIn(reports);
  const said =
    /^The model's context is too small for the build's prompt: ([\d,]+) tokens are needed, and it has 2,048; /;
  expect(notice).toMatch(said);
  const needed = Number(said.exec(notice)?.[1]?.replace(',', ''));
  const [, told = ''] =
    /first prompt of a build has about ([\d,]+) tokens/.exec(readMarkdown('docs/guides/factory.md')) ?? [];
  expect(Math.abs(needed / Number(told.replace(',', '')) - 1), `${needed} tokens`).toBeLessThan(0.05);
});
