/** Agents through the whole server: their operations, streams, ends, inputs and limits. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { agentOperations } from '../../generated/agents.gen.ts';
import type { AgentRunEvent } from '../../generated/types.gen.ts';
import { eventsOfTwoSteps, serverWith, sum } from '../helpers/agent-server.ts';
import { agentOf, makeMove, modelThat } from '../helpers/agents.ts';
import { appForThisTest, startApp, type TestApp } from '../helpers/app.ts';
import { ask, eventsOf } from '../helpers/http.ts';
import { until } from '../helpers/vendor-gateway.ts';
import type { VendorScript } from '../lib/vendor.ts';

describe('an input that is neither a text nor a conversation', () => {
  it.each([
    ['', 'input must not be empty.'],
    [[], 'input must not be empty.'],
    [{ a: 1 }, 'input must be a text or a list of messages.'],
    [null, 'input must be a string, an array or an object.'],
    [[{ role: 'user' }], 'input[0].content is required.'],
  ])('%j has one problem', async (input, message) => {
    const { at } = await serverWith(modelThat('Yes.'));
    const { status, error } = await ask(`${at}/run`, { body: { input } });
    expect([status, error.message, error.details.length]).toEqual([400, message, 1]);
  });
});

describe('the operation of each built-in agent', () => {
  const own = Object.entries(agentOperations);

  it.each(own)('%s runs it, plain, as a stream and in the background', async (operation, id) => {
    const script: VendorScript = (reply) =>
      makeMove(reply, reply.index % 2 === 0 ? [['no_such', '{}']] : 'Done.');
    const { app, ledgerOf } = await serverWith(script);
    const at = `${app.url}/v1/agents/${id}`;
    const go = (body: object) => ask(`${at}/run`, { body: { input: 'Go', ...body } });
    const plain = await go({});
    expect([plain.status, plain.json.agent_id, plain.json.output]).toEqual([200, id, 'Done.']);
    expect(await ledgerOf(plain.json)).toMatchObject({ operation });
    const events = eventsOf((await go({ stream: true })).text).map(({ data }) => data.type);
    expect(events).toEqual(eventsOfTwoSteps);
    const begun = await go({ background: true });
    expect([begun.status, begun.json.agent_id]).toEqual([202, id]);
    for (let run = begun.json; run.status === 'running'; )
      run = (await ask(`${at}/runs/${begun.json.id}`)).json;
    expect((await ask(`${at}/runs/${begun.json.id}`)).json.output).toBe('Done.');
    expect((await ask(at)).json.id).toBe(id);
  });

  it.each(own)('%s refuses what is not in its schema', async (_, id) => {
    const { app } = await serverWith(modelThat('No.'));
    const go = (body: object) => ask(`${app.url}/v1/agents/${id}/run`, { body });
    const object = await go({ input: { city: 'Bern' } });
    expect([object.status, object.error.code, object.error.param]).toEqual([400, 'invalid_request', 'input']);
    const variables = await go({ input: 'Go', variables: { company: 'Acme' } });
    expect([variables.status, variables.error.param]).toEqual([400, 'variables']);
  });

  it('ends its stream with an error when the database fails, as the general one does', async () => {
    const waiting: (() => void)[] = [];
    const script: VendorScript = async (reply) => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      makeMove(reply, 'Yes.');
    };
    const { app } = await serverWith(script, {}, { errorsExpected: true });
    const ids = ['tester', ...own.map(([, id]) => id)];
    const streams = ids.map((id) =>
      ask(`${app.url}/v1/agents/${id}/run`, { body: { input: 'Go', stream: true } }),
    );
    await until(() => waiting.length === ids.length);
    await app.accounts.store.db.schema.dropTable('agent_run_events').execute();
    for (const release of waiting) release();
    const error = { code: 'storage_unavailable' };
    for (const { text } of await Promise.all(streams))
      expect(eventsOf(text).at(-1)?.data).toMatchObject({ type: 'error', error });
  });

  it('counts towards the same limits as the general one', async () => {
    const { app } = await serverWith(modelThat('Yes.'), {}, { limits: { requestsPerMinute: 1 } });
    const ids = ['tester', ...own.map(([, id]) => id)];
    const statuses: number[] = [];
    for (const id of [...ids, 'tester'])
      statuses.push((await ask(`${app.url}/v1/agents/${id}/run`, { body: { input: 'Go' } })).status);
    expect(statuses).toEqual([200, 429, 429, 429, 429]);
  });
});

describe('a stream of a run', () => {
  it('tells everything in order, numbered without gaps, and the same again later', async () => {
    const { at } = await serverWith(modelThat(sum, 'It is 2.'));
    const { text } = await ask(`${at}/run`, { body: { input: 'Go', stream: true } });
    const events = eventsOf(text).map(({ data }) => data as unknown as AgentRunEvent & { seq: number });
    expect(events.map(({ type }) => type)).toEqual(eventsOfTwoSteps);
    expect(events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(text.match(/^id: \d+$/gm)?.length).toBe(7);
    const [start] = events;
    const id = start?.type === 'start' ? start.run_id : '';
    const again = async (query: string, headers: Record<string, string> = {}) =>
      (await ask(`${at}/runs/${id}/events${query}`, { headers })).text;
    expect(await again('')).toBe(text);
    const rest = text.slice(text.indexOf('id: 5'));
    expect(await again('?after=4')).toBe(rest);
    expect(await again('?after=1', { 'last-event-id': '4' })).toBe(rest);
    const end = text.slice(text.indexOf('id: 7'));
    expect(await again('?after=7')).toBe(end);
    expect(await again('?after=999')).toBe(end);
  });

  it('ends with an error when the database fails', async () => {
    const { at, app } = await serverWith(modelThat('Yes.'), {}, { errorsExpected: true });
    const { json } = await ask(`${at}/run`, { body: { input: 'Go' } });
    await app.accounts.store.db.schema.dropTable('agent_run_events').execute();
    const { text } = await ask(`${at}/runs/${json.id}/events`);
    expect(eventsOf(text).map(({ data }) => data.type)).toEqual(['error']);
  });
});

describe('a run is cancelled', () => {
  type Reply = Parameters<VendorScript>[0];
  /** The vendor's side of the request that hangs. */
  let hanging: PromiseWithResolvers<Reply>;
  beforeEach(() => {
    hanging = Promise.withResolvers();
  });
  const phases: [string, VendorScript][] = [
    ['before the model answers', (reply) => hanging.resolve(reply)],
    [
      'while the model speaks',
      (reply) => {
        reply.eventStream();
        reply.chunk('data: {"choices":[{"index":0,"delta":{"content":"Wel"}}]}\n\n');
        hanging.resolve(reply);
      },
    ],
    [
      'in a later step',
      (reply) => {
        if (reply.index === 0) makeMove(reply, sum);
        else hanging.resolve(reply);
      },
    ],
  ];

  it.each(phases)('by a client that goes away %s', async (_, script) => {
    const { at, ended, ledgerOf } = await serverWith(script);
    const client = new AbortController();
    const asking = ask(`${at}/run`, { body: { input: 'Go' }, signal: client.signal });
    const { closed } = await hanging.promise;
    client.abort();
    await expect(asking).rejects.toThrow();
    await closed;
    const { json } = await ask(`${at}/runs`);
    const done = await ended(json.data[0].id);
    expect(done).toMatchObject({ status: 'cancelled', error: null });
    const events = eventsOf((await ask(`${at}/runs/${done.id}/events`)).text);
    expect(events.filter(({ data }) => data.type === 'end').length).toBe(1);
    expect(await ledgerOf(done)).toMatchObject({ status: 'cancelled', http_status: 499 });
  });

  it.each(phases)('by a request %s, when it runs in the background', async (_, script) => {
    const { at, ledgerOf } = await serverWith(script);
    const begun = await ask(`${at}/run`, { body: { input: 'Go', background: true } });
    expect([begun.status, begun.json.status]).toEqual([202, 'running']);
    const { closed } = await hanging.promise;
    const cancel = await ask(`${at}/runs/${begun.json.id}/cancel`, { method: 'POST' });
    expect(cancel.json.status).toBe('cancelled');
    await closed;
    const twice = await ask(`${at}/runs/${begun.json.id}/cancel`, { method: 'POST' });
    expect(twice.json).toEqual(cancel.json);
    expect(await ledgerOf(cancel.json)).toMatchObject({ status: 'cancelled' });
  });

  it('while a tool works', async () => {
    const aborted: unknown[] = [];
    const startBuild = (_: string, { signal }: { signal: AbortSignal }) =>
      new Promise<never>(() => signal.addEventListener('abort', () => aborted.push(signal.reason)));
    const script = modelThat([['build_app', '{"prompt":"an app"}']]);
    const { at, ended, record } = await serverWith(script, { tools: ['build_app'] }, { startBuild });
    const { json } = await ask(`${at}/run`, { body: { input: 'Go', background: true } });
    const events = ask(`${at}/runs/${json.id}/events`);
    while ((await record(json.id)).steps.length === 0);
    await ask(`${at}/runs/${json.id}/cancel`, { method: 'POST' });
    expect((await ended(json.id)).status).toBe('cancelled');
    expect(aborted.length).toBe(1);
    expect(eventsOf((await events).text).at(-1)?.data).toMatchObject({
      type: 'end',
      run: { status: 'cancelled' },
    });
  });
});

describe('a run in the background', () => {
  it('goes on when nobody watches, and can be watched while it does', async () => {
    const release = Promise.withResolvers<void>();
    const { at, ended } = await serverWith(async (reply) => {
      if (reply.index === 1) await release.promise;
      makeMove(reply, reply.index === 0 ? sum : 'It is 2.');
    });
    const { json } = await ask(`${at}/run`, { body: { input: 'Go', background: true } });
    const watching = ask(`${at}/runs/${json.id}/events`);
    const other = ask(`${at}/runs/${json.id}/events?after=2`);
    release.resolve();
    expect(await ended(json.id)).toMatchObject({ status: 'succeeded', output: 'It is 2.', background: true });
    const events = eventsOf((await watching).text);
    expect(events.map(({ data }) => data.type)).toEqual(eventsOfTwoSteps);
    expect(eventsOf((await other).text).length).toBe(5);
  });

  it('is interrupted when the server stops, and says so', async () => {
    const { app, at, vendor, record } = await serverWith(() => undefined);
    const { json } = await ask(`${at}/run`, { body: { input: 'Go', background: true } });
    await until(() => vendor.requests.length === 1);
    await app.agents.close();
    expect(await record(json.id)).toMatchObject({
      status: 'interrupted',
      error: { code: 'run_interrupted' },
    });
    const { status, error } = await ask(`${at}/run`, { body: { input: 'Go' } });
    expect([status, error.code]).toEqual([503, 'shutting_down']);
  });
});

describe('agents', () => {
  let app: TestApp;
  beforeAll(async () => {
    const schema = {
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
      additionalProperties: false,
    };
    app = await startApp({
      limits: {},
      agents: {
        agents: [
          agentOf({
            id: 'filler',
            instructions: 'You serve {{company}} in {{ lang }}; {{company}} again.',
            tools: [],
          }),
          agentOf({ id: 'formal', inputSchema: schema, tools: [] }),
          agentOf({ id: 'echo', model: 'sandbox/echo', instructions: '', tools: [] }),
        ],
      },
    });
  });
  afterAll(() => app.close());
  const run = (id: string, body: object) => ask(`${app.url}/v1/agents/${id}/run`, { body });

  it.each(['assistant', 'analyst'])('%s works without a model', async (id) => {
    const { json } = await run(id, { input: 'What is 17 * 23?' });
    expect(json.status).toBe('succeeded');
    expect(json.output).toContain('391');
    expect(json.output).toContain('without a language model');
  });

  it('app-builder has an app built, without a model', async () => {
    const { json } = await run('app-builder', { input: 'Build a habit tracker' });
    expect(json.steps[1]).toMatchObject({ type: 'tool', name: 'build_app', is_error: false });
    const { job_id, self, events } = JSON.parse(json.steps[1].result);
    expect(json.output).toContain(self);
    const done = await ask(events, { keyAs: 'x-api-key' });
    expect(done.text).toContain('"job.succeeded"');
    expect((await ask(self, { keyAs: 'x-api-key' })).json).toMatchObject({ id: job_id, status: 'succeeded' });
  });

  it('app-builder builds nothing for a key without the scope', async () => {
    const key = (await app.accounts.storedKeys.create({ tenantId: 'local', scopes: ['agents'] }, 'test'))
      .text;
    const { json } = await ask(`${app.url}/v1/agents/app-builder/run`, {
      key,
      body: { input: 'Build a tracker' },
    });
    expect(json.steps[1]).toMatchObject({
      is_error: true,
      result: expect.stringContaining('lacks the scope'),
    });
  });

  it('assistant uses the AI features as tools, and learns when one needs a model', async () => {
    const { json } = await run('assistant', {
      input: 'Use detect-language: Das Wetter ist heute wirklich schön.',
    });
    expect(json.steps[1]).toMatchObject({ name: 'detect-language', is_error: false });
    expect(JSON.parse(json.steps[1].result)).toMatchObject({ language: 'de' });
    const translate = await run('assistant', { input: 'translate {"text": "Hallo", "to": "en"}' });
    expect(translate.json.steps[1]).toMatchObject({ name: 'translate', is_error: true });
  });

  it('fill in variables, take messages and objects', async () => {
    expect(
      (await run('filler', { input: 'Hi', variables: { company: 'Acme', lang: 'de' } })).json.status,
    ).toBe('succeeded');
    const input = [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'b' },
      { role: 'user', content: 'c' },
    ];
    expect((await run('echo', { input })).json.output).toBe('c');
    expect((await run('formal', { input: { city: 'Bern' } })).json.status).toBe('succeeded');
  });

  it.each<[string, object, string, string]>([
    ['echo', {}, 'input', 'is required'],
    ['echo', { input: '' }, 'input', 'must not be empty'],
    ['echo', { input: 'x', prompt: 'y' }, 'prompt', 'is not a known field'],
    ['echo', { input: [{ role: 'assistant', content: 'x' }] }, 'input[0].role', 'must be "user"'],
    ['filler', { input: 'x', variables: { lang: 'de' } }, 'variables.company', 'is required'],
    ['echo', { input: 'x', variables: { a: 1 } }, 'variables.a', 'this agent has none'],
    ['formal', { input: 'x' }, 'input', 'must be an object that fits'],
    ['echo', { input: { a: 1 } }, 'input', 'must be a text'],
    ['formal', { input: { city: 5 } }, 'input.city', 'must be string'],
    ['formal', { input: {} }, 'input.city', 'is required'],
    ['echo', { input: 'x', stream: true, background: true }, 'background', 'excludes stream'],
  ])('%s refuses %j: %s %s', async (id, body, param, message) => {
    const { status, error } = await run(id, body);
    expect(status).toBe(400);
    expect(error).toMatchObject({ code: 'invalid_request', param });
    expect(error.message).toContain(message);
  });

  it('that are unknown are a 404 that names those that there are', async () => {
    for (const path of ['', '/runs', '/runs/run_x', '/runs/run_x/events']) {
      const { status, error } = await ask(`${app.url}/v1/agents/nobody${path}`);
      expect([status, error.code]).toEqual([404, 'not_found']);
    }
    const { status, error } = await run('nobody', { input: 'x' });
    expect(status).toBe(404);
    expect(error.param).toBe('agent_id');
    expect(error.message).toContain('assistant, app-builder, analyst, filler, formal, echo');
    const cancel = await ask(`${app.url}/v1/agents/nobody/runs/run_x/cancel`, { method: 'POST' });
    expect(cancel.status).toBe(404);
  });

  it('list their runs in pages, latest first', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.unshift((await run('echo', { input: String(n) })).json.id);
    const seen: string[] = [];
    let cursor: string | null = '';
    for (; cursor !== null; ) {
      const query: string = cursor ? `&cursor=${encodeURIComponent(cursor)}` : '';
      const { json } = await ask(`${app.url}/v1/agents/echo/runs?limit=2${query}`);
      seen.push(...json.data.map(({ id }: { id: string }) => id));
      cursor = json.next_cursor;
    }
    expect(seen.slice(0, 5)).toEqual(ids);
    const { status, error } = await ask(`${app.url}/v1/agents/echo/runs?cursor=broken`);
    expect([status, error.param]).toEqual([400, 'cursor']);
  });

  it('hide the runs of other tenants and other agents', async () => {
    const { json } = await run('echo', { input: 'mine' });
    await app.accounts.tenants.create({ id: 'other', plan: 'pro' }, 'test');
    const { text: key } = await app.accounts.storedKeys.create({ tenantId: 'other' }, 'test');
    for (const [path, method] of [
      ['', 'GET'],
      ['/events', 'GET'],
      ['/cancel', 'POST'],
    ]) {
      const foreign = await ask(`${app.url}/v1/agents/echo/runs/${json.id}${path}`, {
        key,
        method: method ?? 'GET',
      });
      expect(foreign.status).toBe(404);
      expect(
        (await ask(`${app.url}/v1/agents/assistant/runs/${json.id}${path}`, { method: method ?? 'GET' }))
          .status,
      ).toBe(404);
    }
    expect((await ask(`${app.url}/v1/agents/echo/runs`, { key })).json.data).toEqual([]);
  });

  it('count as one request each, and are refused when none is left', async () => {
    const limited = await appForThisTest({ limits: { requestsPerMinute: 2 } });
    const go = () =>
      ask(`${limited.url}/v1/agents/assistant/run`, { body: { input: 'What is 1+1 and 2+2?' } });
    const first = await go();
    expect(first.headers['x-ratelimit-remaining-requests']).toBe('1');
    await go();
    const third = await go();
    expect([third.status, third.error.code]).toEqual([429, 'rate_limited']);
  });

  it('set aside as many tokens as they may use, and give back the rest', async () => {
    const limited = await appForThisTest({
      limits: { tokensPerMinute: 5000 },
      agents: { agents: [agentOf({ id: 'small', maxTokens: 2000 })] },
    });
    const go = (id: string) => ask(`${limited.url}/v1/agents/${id}/run`, { body: { input: 'What is 1+1?' } });
    const first = await go('small');
    expect(first.json.status).toBe('succeeded');
    await until(() => limited.accounts.admissions.waitingSettlements === 0);
    expect((await go('small')).json.status).toBe('succeeded');
    const large = await go('assistant');
    expect([large.status, large.error.code]).toEqual([429, 'rate_limited']);
  });
});
