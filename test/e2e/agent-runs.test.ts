/** Runs of agents, with models that follow a script. */
import { describe, expect, it } from 'vitest';
import type { ToolCall } from '../../generated/types.gen.ts';
import type { Price } from '../../src/model/usage.ts';
import { serverWith, stepsOf, sum } from '../helpers/agent-server.ts';
import { agentOf, breakOffInCall, makeMove, modelThat } from '../helpers/agents.ts';
import { ask } from '../helpers/http.ts';
import { anything, forThisTest, withSameNames } from '../helpers/mcp-client.ts';
import { startMcpServer, startMcpSessions } from '../helpers/mcp-server.ts';
import { until } from '../helpers/vendor-gateway.ts';
import type { VendorScript } from '../lib/vendor.ts';

/** An MCP server of the operator's. */
const remote = (url: string) => ({ id: 'remote', url, headers: {}, tools: null, timeoutMs: 5_000 });

describe('a run', () => {
  it('ends with the agent and the tools that it began with, while others take their place', async () => {
    const mcp = await forThisTest(startMcpServer());
    const moves = modelThat([['remote_weather_of', '{"city":"Bern"}']], 'Take an umbrella.');
    const exchanged = Promise.withResolvers<void>();
    const { app, run, vendor, at } = await serverWith(
      async (reply) => {
        await exchanged.promise;
        return moves(reply);
      },
      { tools: ['remote/*'] },
      { agents: { mcpServers: [remote(mcp.url)] } },
    );
    const running = run();
    await until(() => vendor.requests.length === 1);
    app.agents.prepare({ agents: [agentOf({ id: 'other' })], fetchUrl: null, mcpServers: [] })();
    expect((await ask(`${at}/run`, { body: { input: 'Go' } })).status).toBe(404);
    expect((await ask(`${app.url}/v1/agents/other`)).status).toBe(200);
    exchanged.resolve();
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
    const inputSchema = anything;
    const starting = startMcpSessions((server) => {
      const first = server.registerTool('first', { inputSchema }, () => {
        first.remove();
        server.registerTool('second', { inputSchema }, () => ({ content: [{ type: 'text', text: 'Two.' }] }));
        return { content: [{ type: 'text', text: 'One.' }] };
      });
    });
    const mcp = await forThisTest(starting);
    const { run, vendor } = await serverWith(
      modelThat([['remote_first', '{}']], [['remote_first', '{}']], 'Done.', 'Again.'),
      { tools: ['remote/*'] },
      { agents: { mcpServers: [remote(mcp.url)] } },
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
    const starting = startMcpSessions((server) =>
      server.registerTool('draw', { inputSchema: anything }, () => ({ content: [block] })),
    );
    const mcp = await forThisTest(starting);
    const { run, vendor } = await serverWith(
      modelThat([['remote_draw', '{}']], 'I see.'),
      { model, tools: ['remote/draw'] },
      { agents: { mcpServers: [remote(mcp.url)] } },
    );
    const done = await run();
    const named = `[${block.type}: ${block.mimeType}, 8 bytes]`;
    expect(stepsOf(done)).toEqual(['(calls)', `remote_draw: ${named}`, 'I see.']);
    const sent = JSON.stringify(vendor.requests[1]?.json['messages']);
    expect(sent).toContain(named);
    expect(sent.includes(block.data)).toBe(takes);
  });

  it('can call two tools of two servers whose names would be the same', async () => {
    const { mcpServers } = await withSameNames((server, name) =>
      server.registerTool(name, { inputSchema: anything }, () => ({
        content: [{ type: 'text', text: `This is ${name}.` }],
      })),
    );
    const { run, vendor } = await serverWith(
      (reply) => {
        const tools = reply.request.json['tools'] as { function: { name: string } }[];
        const calls = tools.map(({ function: { name } }) => [name, '{}'] as const);
        makeMove(reply, reply.index === 0 ? calls : 'Both.');
      },
      { tools: ['a/*', 'a_b/*'] },
      { agents: { mcpServers } },
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

describe('the cost of a run', () => {
  /** An agent on OpenAI whose vendor fails after the first step, so that Anthropic takes over. */
  const best = { id: 'best', provider: 'openai', model: 'gpt-4o', temperature: null };
  const models = [{ ...best, fallbacks: ['claude-sonnet-4-6'] }];
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
    const { app, at } = await serverWith(
      script,
      { model: 'best' },
      {
        models: { models, maxAttempts: 2 },
        prices: {
          ...(prices.openai && { 'openai/gpt-4o': prices.openai }),
          ...(prices.anthropic && { 'anthropic/claude-sonnet-4-6': prices.anthropic }),
        },
      },
    );
    const { json } = await ask(`${at}/run`, { body: { input: 'Go' } });
    expect(json).toMatchObject({ status: 'succeeded', output: 'It is 2.' });
    await until(() => app.accounts.admissions.waitingSettlements === 0);
    const record = (await ask(`${app.url}/v1/requests/${json.request_id}`)).json;
    expect(record).toMatchObject({ provider: 'anthropic', model: 'claude-sonnet-4-6', cost_usd: cost });
  });
});
