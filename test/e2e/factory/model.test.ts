/** Builds of a server whose operator has chosen a model. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startServer } from '../../helpers/server-process.ts';
import { answering, boundaryIn, kindOf } from '../../helpers/vendor-answers.ts';
import { openAiFixture } from '../../helpers/vendor-fixtures.ts';
import { vendorFor } from '../../helpers/vendor-gateway.ts';
import { marketFiles, marketPlan, written } from '../../unit/factory/model/market-app.ts';

interface BuildEvent {
  readonly type: string;
  readonly code?: string;
  readonly job?: { readonly status: string; readonly engine: object; readonly usage: object };
}

test('a demo build has the files of the model, and a template when the model only talks', async () => {
  let talks = false;
  const vendor = await vendorFor(
    answering(openAiFixture, (question) => {
      if (talks) return 'I would rather talk about marmalade.';
      return kindOf(question) === 'plan'
        ? JSON.stringify(marketPlan)
        : written(marketFiles, boundaryIn(question));
    }),
  );
  const folder = await mkdtemp(path.join(tmpdir(), 'switchyard-model-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const server = await startServer({
    DATA_DIR: folder,
    OPENAI_API_KEY: 'sk-test',
    OPENAI_BASE_URL: vendor.baseUrl,
    FACTORY_MODEL: openAiFixture.model,
  });
  const build = async (prompt: string) => {
    const reply = await fetch(`${server.url}/api/factory/public-demo`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ prompt }),
    });
    const lines = (await reply.text()).split('\n').filter((line) => line.startsWith('data: '));
    return lines.map((line) => JSON.parse(line.slice(6)) as BuildEvent);
  };

  const good = await build('what to buy at the market');
  expect(good.map(({ type }) => type)).not.toContain('notice');
  expect(good.at(-1)).toMatchObject({
    type: 'job.succeeded',
    job: { engine: { mode: 'model', model: openAiFixture.model }, usage: { llm_calls: 2 } },
  });

  talks = true;
  const modest = await build('a habit tracker');
  expect(modest.find(({ type }) => type === 'notice')?.code).toBe('engine_degraded');
  expect(modest.at(-1)).toMatchObject({
    type: 'job.succeeded',
    job: { engine: { mode: 'embedded', degraded_from: openAiFixture.model } },
  });
  expect(await server.end('SIGTERM')).toBe(0);
  expect(server.output()).not.toMatch(/marmalade|at the market|sk-test/);
});
