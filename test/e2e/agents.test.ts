/** Agents through the whole server, with models that follow a script. */
import { fromJsonSchema } from '@modelcontextprotocol/server';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { agentOperations } from '../../generated/agents.gen.ts';
import type { AgentRun, AgentRunEvent, ToolCall } from '../../generated/types.gen.ts';
import type { Price } from '../../src/model/usage.ts';
import type { Agent } from '../../src/services/agents/settings.ts';
import { agentOf, breakOffInCall, type ModelMove, makeMove, modelThat } from '../helpers/agents.ts';
import { appForThisTest, startApp, type TestApp, type TestAppOptions } from '../helpers/app.ts';
import { ask, eventsOf } from '../helpers/http.ts';
import { startMcpServer, startMcpSessions } from '../helpers/mcp-server.ts';
import { providerOf, until, vendorFor } from '../helpers/vendor-gateway.ts';
import type { VendorScript } from '../lib/vendor.ts';

/** An MCP server of the operator's. */
const remote = (url: string, id = 'remote') => ({ id, url, headers: {}, tools: null, timeoutMs: 5_000 });

/** What a stream tells of a call of a tool and the answer after it. */
const eventsOfTwoSteps = ['start', 'step', 'tool_call', 'step', 'delta', 'step', 'end'];

const sum: ModelMove = [['calculator', '{"expression":"1 + 1"}']];

/** A server whose agent `tester` runs on a scripted model. */
async function serverWith(script: VendorScript, agent: Partial<Agent> = {}, more: TestAppOptions = {}) {
  const vendor = await vendorFor(script);
  const app = await appForThisTest({
    models: {
      providers: [providerOf('openai', vendor.baseUrl), providerOf('anthropic', vendor.baseUrl)],
      maxAttempts: 1,
      defaultModel: 'gpt-4o',
    },
    agents: { agents: [agentOf({ model: 'gpt-4o', ...agent })] },
    ...more,
  });
  const at = `${app.url}/v1/agents/tester`;
  const run = async (body: object = {}): Promise<AgentRun> => {
    const { status, json } = await ask(`${at}/run`, { body: { input: 'Go', ...body } });
    expect(status).toBe(200);
    return json;
  };
  const record = async (id: string): Promise<AgentRun> => (await ask(`${at}/runs/${id}`)).json;
  const ended = async (id: string): Promise<AgentRun> => {
    for (;;) {
      const run = await record(id);
      if (run.status !== 'running') return run;
    }
  };
  const ledgerOf = async (run: AgentRun) => {
    for (;;) {
      const { json } = await ask(`${app.url}/v1/requests/${run.request_id}`);
      if (json.status !== 'running') return json;
    }
  };
  return { app, vendor, at, run, record, ended, ledgerOf };
}

const stepsOf = ({ steps }: AgentRun) =>
  steps.map((step) => (step.type === 'tool' ? `${step.name}: ${step.result}` : step.content || '(calls)'));

describe('a run', () => {
  it('ends with the agent and the tools that it began with, while others take their place', async () => {
    const mcp = await startMcpServer();
    onTestFinished(() => mcp.close());
    const moves = modelThat([['remote_weather_of', '{"city":"Bern"}']], 'Take an umbrella.');
    let goOn = () => {};
    const exchanged = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const agent = agentOf({ model: 'gpt-4o', tools: ['remote/*'] });
    const { app, run, vendor, at } = await serverWith(
      async (reply) => {
        await exchanged;
        return moves(reply);
      },
      {},
      { agents: { agents: [agent], mcpServers: [remote(mcp.url)] } },
    );
    const running = run();
    await until(() => vendor.requests.length === 1);
    app.agents.prepare({ agents: [agentOf({ id: 'other' })], fetchUrl: null, mcpServers: [] })();
    expect((await ask(`${at}/run`, { body: { input: 'Go' } })).status).toBe(404);
    expect((await ask(`${app.url}/v1/agents/other`)).status).toBe(200);
    goOn();
    expect(stepsOf(await running)).toEqual([
      '(calls)',
      'remote_weather_of: Rain in Bern',
      'Take an umbrella.',
    ]);
    const unknown = { agents: [agentOf({ tools: ['remote/*'] })], fetchUrl: null, mcpServers: [] };
    expect(() => app.agents.prepare(unknown)).toThrow('unknown tool "remote/*"');
    expect((await ask(`${app.url}/v1/agents/other`)).status).toBe(200);
  });

  it('goes on where a server takes a tool back in mid-run, and the next one has the tools that are there then', async () => {
    const inputSchema = fromJsonSchema({ type: 'object' });
    const mcp = await startMcpSessions((server) => {
      const first = server.registerTool('first', { inputSchema }, () => {
        first.remove();
        server.registerTool('second', { inputSchema }, () => ({ content: [{ type: 'text', text: 'Two.' }] }));
        return { content: [{ type: 'text', text: 'One.' }] };
      });
    });
    onTestFinished(() => mcp.close());
    const { run, vendor } = await serverWith(
      modelThat([['remote_first', '{}']], [['remote_first', '{}']], 'Done.', 'Again.'),
      {},
      {
        agents: {
          agents: [agentOf({ model: 'gpt-4o', tools: ['remote/*'] })],
          mcpServers: [remote(mcp.url)],
        },
      },
    );
    expect(stepsOf(await run())).toEqual([
      '(calls)',
      'remote_first: One.',
      '(calls)',
      expect.stringMatching(/^remote_first: .*first not found/),
      'Done.',
    ]);
    await run();
    expect(JSON.stringify(vendor.requests.at(-1)?.json['tools'])).toMatch(/remote_second(?!.*remote_first)/);
  });

  const png = { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' } as const;
  const wav = { type: 'audio', data: 'UklGRiYAAAA=', mimeType: 'audio/wav' } as const;
  it.each([
    ['claude-sonnet-4-6', png, true],
    ['gpt-4o', png, true],
    ['openai/small-1', png, false],
    ['gpt-4o-audio-preview', wav, true],
    ['gpt-4o', wav, false],
  ])('gives %s the %o of a tool, if it takes such: %s', async (model, block, takes) => {
    const mcp = await startMcpSessions((server) =>
      server.registerTool('draw', { inputSchema: fromJsonSchema({ type: 'object' }) }, () => ({
        content: [block],
      })),
    );
    onTestFinished(() => mcp.close());
    const agent = agentOf({ model, tools: ['remote/draw'] });
    const script = modelThat([['remote_draw', '{}']], 'I see.');
    const { run, vendor } = await serverWith(
      script,
      {},
      { agents: { agents: [agent], mcpServers: [remote(mcp.url)] } },
    );
    const done = await run();
    const named = `[${block.type}: ${block.mimeType}, 8 bytes]`;
    expect(stepsOf(done)).toEqual(['(calls)', `remote_draw: ${named}`, 'I see.']);
    const sent = JSON.stringify(vendor.requests[1]?.json['messages']);
    expect(sent).toContain(named);
    expect(sent.includes(block.data)).toBe(takes);
  });

  it('can call two tools of two servers whose names would be the same', async () => {
    const servers = await Promise.all(
      ['b_c', 'c'].map((name) =>
        startMcpSessions((server) =>
          server.registerTool(name, { inputSchema: fromJsonSchema({ type: 'object' }) }, () => ({
            content: [{ type: 'text', text: `This is ${name}.` }],
          })),
        ),
      ),
    );
    onTestFinished(async () => void (await Promise.all(servers.map((server) => server.close()))));
    const mcpServers = ['a', 'a_b'].map((id, n) => remote(servers[n]?.url ?? '', id));
    const agents = [agentOf({ model: 'gpt-4o', tools: ['a/*', 'a_b/*'] })];
    const { run, vendor } = await serverWith(
      (reply) => {
        const tools = reply.request.json['tools'] as { function: { name: string } }[];
        const calls = tools.map(({ function: { name } }) => [name, '{}'] as const);
        makeMove(reply, reply.index === 0 ? calls : 'Both.');
      },
      {},
      { agents: { agents, mcpServers } },
    );
    expect(stepsOf(await run())).toEqual([
      '(calls)',
      'a_b_c: This is b_c.',
      expect.stringMatching(/^a_b_c_[0-9a-f]{8}: This is c\.$/),
      'Both.',
    ]);
    expect(vendor.requests.length).toBe(2);
  });

  it.each<[string, readonly [string, string], string]>([
    ['that fails', ['calculator', '{"expression":"1/0"}'], 'divides by zero'],
    ['that there is none of', ['no_such', '{}'], 'There is no tool "no_such". There are calculator.'],
    ['with an unknown argument', ['calculator', '{"expression":"1","x":1}'], 'x is not a known field'],
  ])('tells the model of a tool %s', async (_, call, told) => {
    const { run, vendor } = await serverWith(modelThat([call], 'Sorry.'));
    const done = await run();
    expect(done).toMatchObject({ status: 'succeeded', output: 'Sorry.' });
    expect(done.steps[1]).toMatchObject({
      type: 'tool',
      is_error: true,
      result: expect.stringContaining(told),
    });
    const sent = vendor.requests[1]?.json['messages'] as { content: string; tool_calls?: ToolCall[] }[];
    expect(sent.at(-1)?.content).toContain(told);
    // What is shown to a model again is JSON, whatever it wrote.
    const [shown] = sent.at(-2)?.tool_calls ?? [];
    expect(() => JSON.parse(shown?.function.arguments ?? '')).not.toThrow();
  });

  it('says that a tool failed, and keeps why to itself', async () => {
    const startBuild = async () => Promise.reject(new Error('a message with an internal detail'));
    const build = [['build_app', '{"prompt":"an app"}']] as const;
    const { run, app } = await serverWith(
      modelThat(build, 'No.'),
      { tools: ['build_app'] },
      { startBuild, errorsExpected: true },
    );
    const done = await run();
    expect(done.steps[1]).toMatchObject({ is_error: true, result: 'The tool failed.' });
    expect(app.log.some((line) => JSON.stringify(line).includes('internal detail'))).toBe(true);
  });

  it('ends when the same call comes again and again', async () => {
    const { run, vendor } = await serverWith(modelThat(sum));
    expect(await run()).toMatchObject({ status: 'failed', stop_reason: 'repeated_call' });
    expect(vendor.requests.length).toBe(3);
  });

  it('ends at its cap of tokens, and never asks for more than is left', async () => {
    const { run, vendor } = await serverWith(modelThat(sum), { maxTokens: 20 });
    expect(await run()).toMatchObject({
      status: 'failed',
      stop_reason: 'max_tokens',
      usage: { total_tokens: 30 },
    });
    expect(vendor.requests.map(({ json }) => json['max_completion_tokens'])).toEqual([20, 5]);
  });

  it('never calls an answer whole that was cut off', async () => {
    const { run } = await serverWith((reply) =>
      reply.events(
        'data: {"choices":[{"index":0,"delta":{"content":"The answer is forty-"}}]}\n\n',
        'data: {"choices":[{"index":0,"delta":{},"finish_reason":"length"}]}\n\n',
        'data: [DONE]\n\n',
      ),
    );
    expect(await run()).toMatchObject({
      status: 'failed',
      stop_reason: 'max_tokens',
      output: 'The answer is forty-',
      error: { code: 'agent_limit_reached' },
    });
  });

  it('ends at its cap of time', async () => {
    const { run } = await serverWith(() => undefined, { maxSeconds: 0.05 });
    expect(await run()).toMatchObject({
      status: 'failed',
      stop_reason: 'max_time',
      output: null,
      usage: null,
    });
  });

  it('keeps what it has when the vendor fails in the middle', async () => {
    const { run, ledgerOf } = await serverWith((reply) => {
      if (reply.index === 0) return makeMove(reply, sum);
      reply.events('data: {"choices":[{"index":0,"delta":{"content":"It is"}}]}\n\n');
    });
    const done = await run();
    expect(done).toMatchObject({
      status: 'failed',
      stop_reason: null,
      output: 'It is',
      error: { code: 'provider_stream_interrupted', retryable: true },
    });
    expect(done.steps.length).toBe(2);
    expect(done.usage?.source).toBe('estimated');
    expect(done.usage?.total_tokens).toBeGreaterThan(15);
    expect(await ledgerOf(done)).toMatchObject({
      status: 'failed',
      error_code: 'provider_stream_interrupted',
    });
  });

  it('fails with what the vendor said', async () => {
    const { run } = await serverWith(({ json }) => json({ error: { message: 'Too long.' } }, 400));
    expect(await run()).toMatchObject({
      status: 'failed',
      error: { code: 'provider_rejected', retryable: false },
    });
  });
});

/** What the two wires show of the same conversation. */
const wires = [
  {
    wire: 'openai',
    model: 'gpt-4o',
    none: 'none',
    results: (messages: readonly Message[]) =>
      messages
        .filter(({ role }) => role === 'tool')
        .map(({ tool_call_id, content }) => [tool_call_id, content]),
    calls: (messages: readonly Message[]) =>
      messages.flatMap(({ tool_calls = [] }) =>
        tool_calls.map((call) => [call.function.name, JSON.parse(call.function.arguments)]),
      ),
  },
  {
    wire: 'anthropic',
    model: 'claude-sonnet-4-6',
    none: { type: 'none' },
    results: (messages: readonly Message[]) =>
      blocksOf(messages, 'tool_result').map(({ tool_use_id, content }) => [tool_use_id, content]),
    calls: (messages: readonly Message[]) =>
      blocksOf(messages, 'tool_use').map(({ name, input }) => [name, input]),
  },
] as const;

interface Message {
  readonly role: string;
  readonly content: unknown;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly ToolCall[];
}

function blocksOf(messages: readonly Message[], type: string): Record<string, unknown>[] {
  const blocks = messages.flatMap(({ content }) =>
    Array.isArray(content) ? (content as Record<string, unknown>[]) : [],
  );
  return blocks.filter((block) => block['type'] === type);
}

describe.each(wires)('a run on the wire of $wire', ({ model, none, results, calls }) => {
  const messages = (json: Record<string, unknown> | undefined) => json?.['messages'] as Message[];
  const calculate = (expression: string) => ['calculator', JSON.stringify({ expression })] as const;

  it('goes through several steps with several calls at once, tells all of them and is one request of the plan', async () => {
    const { run, record, vendor, ledgerOf } = await serverWith(
      modelThat([calculate('1 + 1'), calculate('1 / 0')], [calculate('2 * 3')], 'It is 6.'),
      { model },
    );
    const done = await run();
    expect(done).toMatchObject({ status: 'succeeded', stop_reason: 'answered', output: 'It is 6.' });
    const failed = expect.stringContaining('divides by zero');
    expect(stepsOf(done)).toEqual([
      '(calls)',
      'calculator: 2',
      failed,
      '(calls)',
      'calculator: 6',
      'It is 6.',
    ]);
    expect(done.steps.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(done.usage).toMatchObject({ prompt_tokens: 30, completion_tokens: 15, total_tokens: 45 });
    expect([done.error, await record(done.id)]).toEqual([null, done]);
    const last = messages(vendor.requests[2]?.json);
    expect(calls(last)).toEqual([
      ['calculator', { expression: '1 + 1' }],
      ['calculator', { expression: '1 / 0' }],
      ['calculator', { expression: '2 * 3' }],
    ]);
    expect(results(last)).toEqual([
      ['call_0_0', '2'],
      ['call_0_1', failed],
      ['call_1_0', '6'],
    ]);
    const ledger = await ledgerOf(done);
    expect(ledger).toMatchObject({ operation: 'runAgent', status: 'succeeded', http_status: 200 });
    expect(ledger).toMatchObject({ finish_reason: 'answered', usage: { total_tokens: 45 } });
    expect(ledger.attempts.length).toBe(3);
  });

  it.each([
    ['half a JSON', '{"expr', 'not valid JSON'],
    ['a list', '[]', 'must be a JSON object'],
    ['the wrong type', '{"expression":5}', 'expression must be string'],
  ])('tells the model of arguments that are %s, and shows it JSON again', async (_, json, told) => {
    const { run, vendor } = await serverWith(modelThat([['calculator', json]], 'Sorry.'), { model });
    const done = await run();
    expect(done).toMatchObject({ status: 'succeeded', output: 'Sorry.' });
    expect(done.steps[1]).toMatchObject({ arguments: json, is_error: true });
    const again = messages(vendor.requests[1]?.json);
    expect(results(again)).toEqual([['call_0_0', expect.stringContaining(told)]]);
    expect(calls(again)).toEqual([['calculator', json.endsWith('5}') ? { expression: 5 } : {}]]);
  });

  it('lets a model that calls without end answer at its last step, and fails if it does not', async () => {
    let n = 0;
    const endless: VendorScript = (reply) => makeMove(reply, [calculate(String(++n))]);
    const { run, vendor, ledgerOf } = await serverWith(endless, { model, maxSteps: 3 });
    const done = await run();
    const error_code = 'agent_limit_reached';
    expect(done).toMatchObject({ status: 'failed', stop_reason: 'max_steps', error: { code: error_code } });
    const usage = { total_tokens: 45 };
    expect(await ledgerOf(done)).toMatchObject({ status: 'failed', error_code, usage });
    expect(vendor.requests.map(({ json }) => json['tool_choice'])).toEqual([undefined, undefined, none]);
  });

  it('calls no tool of an answer that breaks off in the middle of a call', async () => {
    const { run } = await serverWith(
      (reply) =>
        reply.index === 0
          ? makeMove(reply, [calculate('1 + 1')])
          : breakOffInCall(reply, 'calculator', '{"expression":"2'),
      { model },
    );
    const done = await run();
    expect(done).toMatchObject({
      status: 'failed',
      stop_reason: null,
      error: { code: 'provider_stream_interrupted', retryable: true },
    });
    expect(stepsOf(done)).toEqual(['(calls)', 'calculator: 2']);
    expect(done.usage?.source).toBe('estimated');
  });
});

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

describe('the cost of a run', () => {
  /** An agent on OpenAI whose vendor fails after the first step, so that Anthropic takes over. */
  const models = {
    models: [
      {
        id: 'best',
        provider: 'openai',
        model: 'gpt-4o',
        fallbacks: ['claude-sonnet-4-6'],
        temperature: null,
      },
    ],
  };
  const script: VendorScript = (reply) => {
    if (reply.index === 1) return reply.json({ error: { message: 'Down.' } }, 500);
    makeMove(reply, reply.index === 0 ? sum : 'It is 2.');
  };
  const openai = { prompt: 2, completion: 10 };
  const anthropic = { prompt: 3, completion: 20 };

  it.each([
    // 10 and 5 tokens each: 10 × 2 + 5 × 10 + 10 × 3 + 5 × 20 = 200 millionths.
    ['is the sum of what each model costs', { openai, anthropic }, 0.0002],
    ['is unknown when one of the prices is', { anthropic }, null],
    ['is unknown when the other is', { openai }, null],
  ])('%s', async (_, prices: { openai?: Price; anthropic?: Price }, cost) => {
    const vendor = await vendorFor(script);
    const app = await appForThisTest({
      models: {
        ...models,
        providers: [providerOf('openai', vendor.baseUrl), providerOf('anthropic', vendor.baseUrl)],
        maxAttempts: 2,
      },
      agents: { agents: [agentOf({ model: 'best' })] },
      prices: {
        ...(prices.openai && { 'openai/gpt-4o': prices.openai }),
        ...(prices.anthropic && { 'anthropic/claude-sonnet-4-6': prices.anthropic }),
      },
    });
    const { json } = await ask(`${app.url}/v1/agents/tester/run`, { body: { input: 'Go' } });
    expect(json).toMatchObject({ status: 'succeeded', output: 'It is 2.' });
    await until(() => app.accounts.admissions.waitingSettlements === 0);
    const record = (await ask(`${app.url}/v1/requests/${json.request_id}`)).json;
    expect(record).toMatchObject({ provider: 'anthropic', model: 'claude-sonnet-4-6', cost_usd: cost });
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
