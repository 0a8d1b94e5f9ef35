/** Builds of a server whose operator has chosen a model. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { FactoryDiff, FactoryJob, FileList } from '../../../generated/types.gen.ts';
import { startServer } from '../../helpers/server-process.ts';
import { answering, boundaryIn, kindOf, questionsTo } from '../../helpers/vendor-answers.ts';
import { openAiFixture } from '../../helpers/vendor-fixtures.ts';
import { vendorFor } from '../../helpers/vendor-gateway.ts';
import { startAimock } from '../../judges/aimock.ts';
import type { Listening } from '../../lib/server.ts';
import { changed, marketFiles, marketSpec, written } from '../../unit/factory/model/market-app.ts';

describe('model', () => {
  const key = 'model-test-key-0123456789';

  interface BuildEvent {
    readonly type: string;
    readonly code?: string;
    readonly message?: string;
    readonly job?: { readonly status: string; readonly engine: object; readonly usage: object };
  }

  test('a demo build has the files of the model, and a template when the model only talks', async () => {
    let talks = false;
    const vendor = await vendorFor(
      answering(openAiFixture, (question) => {
        if (talks) return 'I would rather talk about marmalade.';
        return kindOf(question) === 'plan'
          ? JSON.stringify({ ...marketSpec, served_by: 'template', not_done: [] })
          : written(marketFiles, boundaryIn(question));
      }),
    );
    const folder = await mkdtemp(path.join(tmpdir(), 'switchyard-model-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const server = await startServer({
      DATA_DIR: folder,
      API_KEYS: key,
      OPENAI_API_KEY: 'sk-test',
      OPENAI_BASE_URL: vendor.baseUrl,
      FACTORY_MODEL: openAiFixture.model,
      FACTORY_DEMO_MODEL_BUILDS: '2',
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
    expect(modest.find(({ type }) => type === 'notice')?.message).toContain('The model gave no plan');
    expect(modest.at(-1)).toMatchObject({
      type: 'job.succeeded',
      job: { engine: { mode: 'embedded', degraded_from: openAiFixture.model } },
    });

    // The third of the day does not ask the model; a tenant's does.
    const calls = vendor.requests.length;
    const third = await build('a quiz about trees');
    expect(third.find(({ type }) => type === 'notice')).toMatchObject({
      code: 'engine_degraded',
      message: expect.stringContaining('used up for today'),
    });
    expect(third.at(-1)).toMatchObject({
      type: 'job.succeeded',
      job: { engine: { mode: 'embedded', degraded_from: openAiFixture.model }, usage: { llm_calls: 0 } },
    });
    expect(vendor.requests.length).toBe(calls);
    talks = false;
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const body = JSON.stringify({ prompt: 'what to buy at the market' });
    const jobs = `${server.url}/api/v1/factory/jobs`;
    const job = (await (await fetch(jobs, { method: 'POST', headers, body })).json()) as { id: string };
    const told = await (await fetch(`${jobs}/${job.id}/events`, { headers })).text();
    expect(told).not.toContain('engine_degraded');
    expect(vendor.requests.length).toBeGreaterThan(calls);
    expect(await server.end('SIGTERM')).toBe(0);
    expect(server.output()).not.toMatch(/marmalade|at the market|sk-test/);
  });

  test('an app from a template stays one: revisions of it have no files of the model', async () => {
    const revisedSpec = { ...marketSpec.spec, name: 'Saturday', tagline: 'Bread first' };
    const vendor = await vendorFor(
      answering(openAiFixture, (question) => {
        if (kindOf(question) === 'revise')
          return JSON.stringify({
            spec: revisedSpec,
            done: ['It is called Saturday.'],
            not_done: ['a chat'],
          });
        return kindOf(question) === 'plan' ? JSON.stringify(marketSpec) : 'I would rather not write files.';
      }),
    );
    const folder = await mkdtemp(path.join(tmpdir(), 'switchyard-model-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const server = await startServer({
      DATA_DIR: folder,
      API_KEYS: key,
      OPENAI_API_KEY: 'sk-test',
      OPENAI_BASE_URL: vendor.baseUrl,
      FACTORY_MODEL: openAiFixture.model,
    });
    const jobs = `${server.url}/api/v1/factory/jobs`;
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const made = async (at: string, body: object) => {
      const reply = await fetch(jobs + at, { method: 'POST', headers, body: JSON.stringify(body) });
      const { id } = (await reply.json()) as { id: string };
      await (await fetch(`${jobs}/${id}/events`, { headers })).text();
      return (await (await fetch(`${jobs}/${id}`, { headers })).json()) as { id: string };
    };

    const first = await made('', { prompt: 'what to buy at the market' });
    expect(first).toMatchObject({
      status: 'succeeded',
      engine: {
        mode: 'model',
        degraded_from: openAiFixture.model,
        template_id: expect.stringMatching(/^tracker@/),
      },
    });
    const second = await made(`/${first.id}/revisions`, {
      instruction: 'hum a tune on Saturday, with a chat',
    });
    expect(second).toMatchObject({
      status: 'succeeded',
      plan: { name: 'Saturday', tagline: 'Bread first' },
      engine: {
        mode: 'model',
        degraded_from: null,
        template_id: expect.stringMatching(/^tracker@/),
      },
      revision: { understood: ['It is called Saturday.'], not_understood: ['a chat'] },
    });
    expect(questionsTo(vendor)).toBe('plan write revise');
    expect(await server.end('SIGTERM')).toBe(0);
  });
});

/** Builds and revisions of a real server whose vendor is a mock that others have written, on each of its wires. */

describe('model mock', () => {
  const key = 'model-test-key-0123456789';
  const minutes = 60_000;

  /** The mock knows no boundary: it answers as a model does that leaves it out. */
  const files = (texts: Readonly<Record<string, string>>) =>
    Object.entries(texts)
      .map(([file, text]) => `=== FILE ${file}\n${text}=== END`)
      .join('\n');
  const counted = changed(
    'src/app.js',
    'function draw() {',
    'function draw() {\n  list.title = things.length;',
  );
  const revisedSpec = { ...marketSpec.spec, name: 'Market Day' };

  const says = (userMessage: string, content: string) => ({ match: { userMessage }, response: { content } });
  const fixtures = [
    says(
      'Plan this app.',
      JSON.stringify({ ...marketSpec, served_by: 'files', not_done: ['a chat with the stalls'] }),
    ),
    says('Write this app.', files(marketFiles)),
    says(
      'Change this spec.',
      JSON.stringify({ spec: revisedSpec, done: ['The list has a count.'], not_done: [] }),
    ),
    says('Change this app.', files({ 'src/app.js': counted['src/app.js'] ?? '' })),
  ];

  let folder = '';
  let mock: Listening | null = null;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'switchyard-model-mock-'));
    mock = await startAimock(path.join(folder, 'aimock'), fixtures);
  }, 5 * minutes);

  afterAll(async () => {
    await mock?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const wires = [
    { wire: 'openai', model: 'gpt-4o', env: 'OPENAI', path: '/v1' },
    { wire: 'anthropic', model: 'claude-sonnet-4-5', env: 'ANTHROPIC', path: '' },
    { wire: 'gemini', model: 'gemini-2.5-flash', env: 'GEMINI', path: '/v1beta' },
  ] as const;

  describe.each(wires)(
    'a build and its revision by a model on the $wire wire',
    ({ wire, model, env, path: base }) => {
      test('have the files that the mock wrote, and say what was not taken up', {
        timeout: 2 * minutes,
      }, async () => {
        const server = await startServer({
          DATA_DIR: path.join(folder, wire),
          API_KEYS: key,
          [`${env}_API_KEY`]: 'sk-test',
          [`${env}_BASE_URL`]: `${mock?.url}${base}`,
          FACTORY_MODEL: model,
        });
        onTestFinished(async () => {
          await server.end('SIGKILL');
        });
        const jobs = `${server.url}/api/v1/factory/jobs`;
        const headers = { 'x-api-key': key, 'content-type': 'application/json' };
        const get = async (at: string) =>
          (await fetch(`${jobs}/${at}`, { headers })).json() as Promise<never>;
        const made = async (at: string, body: object): Promise<FactoryJob> => {
          const reply = await fetch(`${jobs}${at}`, { method: 'POST', headers, body: JSON.stringify(body) });
          const job = (await reply.json()) as FactoryJob;
          expect(reply.status, JSON.stringify(job)).toBe(202);
          // Ends with the build.
          await (await fetch(`${jobs}/${job.id}/events`, { headers })).text();
          return get(job.id);
        };

        const first = await made('', { prompt: 'what to buy at the market, and a chat with the stalls' });
        expect(first).toMatchObject({
          status: 'succeeded',
          engine: { mode: 'model', model, degraded_from: null, template_id: null },
          plan: { name: 'Market Day', spec: marketSpec.spec, unserved: null },
          usage: { llm_calls: 2 },
        });
        expect(first.plan?.not_taken_up).toContain('a chat with the stalls');

        const second = await made(`/${first.id}/revisions`, { instruction: 'put a count above the list' });
        expect(second).toMatchObject({
          status: 'succeeded',
          engine: { mode: 'model', model, degraded_from: null, template_id: null },
          revision: {
            number: 2,
            change: { type: 'instruction' },
            understood: ['The list has a count.'],
            not_understood: [],
          },
          usage: { llm_calls: 2 },
        });
        const { data } = (await get(`${second.id}/files`)) as FileList;
        expect(data.find((file) => file.path === 'src/app.js')?.text).toBe(counted['src/app.js']);
        expect(data.find((file) => file.path === 'src/app.css')?.text).toBe(marketFiles['src/app.css']);
        const { files: differing } = (await get(`${second.id}/diff`)) as FactoryDiff;
        expect(differing.map((file) => file.path)).toEqual(['index.html', 'manifest.json', 'src/app.js']);

        // The first one is taken again: as it was, and without the model.
        const third = await made(`/${second.id}/revisions`, { restore: 1 });
        expect(third).toMatchObject({
          status: 'succeeded',
          engine: { mode: 'model' },
          usage: { llm_calls: 0 },
        });
        expect(third.artifact?.sha256).toBe(first.artifact?.sha256);

        // And a change by hand of what is in the spec alone has the model's files.
        const red = await made(`/${third.id}/revisions`, { patch: { palette: { accent: '#b3261e' } } });
        expect(red).toMatchObject({
          status: 'succeeded',
          engine: { template_id: null },
          usage: { llm_calls: 0 },
        });
        expect(server.output()).not.toMatch(/"level":[56]0/);
      });
    },
  );
});
