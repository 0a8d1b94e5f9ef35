import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { McpServerSettings } from '../../../../src/services/agents/settings.ts';
import { mcpSource } from '../../../../src/services/agents/tools/mcp.ts';
import { functionNames } from '../../../../src/services/agents/tools/mcp-tools.ts';
import { toolContext } from '../../../helpers/agents.ts';
import { serve, startMcpServer } from '../../../helpers/mcp-server.ts';

let server: Awaited<ReturnType<typeof startMcpServer>>;
beforeAll(async () => {
  server = await startMcpServer();
});
afterAll(() => server.close());

function sourceOf(more: Partial<McpServerSettings> = {}) {
  const errors: unknown[] = [];
  const source = mcpSource(
    { id: 'remote', url: server.url, headers: {}, tools: null, timeoutMs: 5000, ...more },
    (error) => errors.push(error),
  );
  onTestFinished(() => source.close());
  return { source, errors };
}

async function connected(more: Partial<McpServerSettings> = {}) {
  const { source, errors } = sourceOf(more);
  await source.refresh();
  expect(errors).toEqual([]);
  const call = (name: string, signal?: AbortSignal) => {
    const tool = source.list().find((candidate) => candidate.name === name);
    if (!tool) throw new Error(`There is no tool ${name}.`);
    return tool.run({ city: 'Bern' }, toolContext(signal ? { signal } : {}));
  };
  return { source, call };
}

describe('a remote server of tools', () => {
  test('is not asked before it is needed, and then gives its tools with their schemas', async () => {
    const before = server.seen.length;
    const { source } = sourceOf({ headers: { authorization: 'Bearer canary' } });
    expect(source.list()).toMatchObject([{ name: 'remote_tools', available: false }]);
    expect(server.seen.length).toBe(before);
    await source.refresh();
    expect(source.list().map(({ name }) => name)).toEqual([
      'remote_weather_of',
      'remote_fails',
      'remote_hangs',
      'remote_huge',
    ]);
    expect(source.list()[0]).toMatchObject({
      description: 'The weather.',
      available: true,
      parameters: { type: 'object', required: ['city'] },
    });
    expect(server.seen.slice(before).every(({ authorization }) => authorization === 'Bearer canary')).toBe(
      true,
    );
  });

  test('does what it is called for', async () => {
    const { call } = await connected();
    expect(await call('remote_weather_of')).toEqual({ text: 'Rain in Bern', images: [] });
    await expect(call('remote_fails')).rejects.toThrow('no such city');
  });

  test('does so too where it speaks the revision of 2026-07-28 alone', async () => {
    const strict = await startMcpServer({ legacy: 'reject' });
    onTestFinished(() => strict.close());
    const { call } = await connected({ url: strict.url });
    expect(await call('remote_weather_of')).toMatchObject({ text: 'Rain in Bern' });
  });

  test('is held to its time', async () => {
    const { call } = await connected({ timeoutMs: 1500, tools: ['hangs'] });
    await expect(call('remote_hangs')).rejects.toThrow('The server "remote" failed');
  });

  test('is held to its size', async () => {
    const { call } = await connected({ tools: ['huge'], timeoutMs: 3000 });
    await expect(call('remote_huge')).rejects.toThrow('The server "remote" failed');
  });

  test('stops with the run', async () => {
    const { call } = await connected({ tools: ['hangs'] });
    const controller = new AbortController();
    const calling = call('remote_hangs', controller.signal);
    controller.abort(new Error('gone'));
    await expect(calling).rejects.toThrow('gone');
  });

  test('shows only the tools that are allowed', async () => {
    const { source } = await connected({ tools: ['weather.of', 'not there'] });
    expect(source.list().map(({ name }) => name)).toEqual(['remote_weather_of']);
  });

  test('that cannot be reached hinders nobody: its tools say so', async () => {
    const { source, errors } = sourceOf({ url: 'http://127.0.0.1:9/mcp', tools: ['weather.of'] });
    await source.refresh();
    await source.refresh();
    expect(errors.length).toBe(1);
    const [tool] = source.list();
    expect(tool).toMatchObject({ name: 'remote_weather_of', available: false });
    await expect(tool?.run({}, toolContext())).rejects.toThrow('cannot be reached at the moment');
  });

  test('has names that are good for functions', () => {
    expect([...functionNames('a', ['b.c/d e']).values()]).toEqual(['a_b_c_d_e']);
    expect([...functionNames('server', ['x'.repeat(100)]).values()][0]?.length).toBe(64);
  });

  test('has a name of its own for each tool, whatever others there are', () => {
    const long = ['read', 'write'].map((end) => `${'x'.repeat(64)}_${end}`);
    const names = functionNames('a', ['b.c', 'b_c', 'b/c', ...long]);
    expect(names.get('b_c')).toBe('a_b_c');
    expect(new Set(names.values()).size).toBe(5);
    for (const name of names.values()) expect(name).toMatch(/^[\w-]{1,64}$/);
    expect(functionNames('a', [...long].reverse())).toEqual(
      new Map([...long].reverse().map((own) => [own, names.get(own)])),
    );
  });
});

test.each([
  [['working', 'completed'], 'fine', ['tools/call', 'tasks/get', 'tasks/get', 'tasks/result']],
  [
    ['working', 'input_required'],
    'Its task is input_required.',
    ['tools/call', 'tasks/get', 'tasks/get', 'tasks/cancel'],
  ],
  [[], 'It made no task of the call.', ['tools/call']],
] as const)(
  'a tool that can be called as a task only is called as one, which is %s',
  async (states, told, asked) => {
    const seen: string[] = [];
    const left: string[] = [...states];
    let token: unknown;
    const results: Record<string, (params: Record<string, unknown>) => object> = {
      initialize: () => ({
        protocolVersion: '2025-11-25',
        capabilities: { tools: {}, tasks: {} },
        serverInfo: { name: 'tasks', version: '1' },
      }),
      'tools/list': () => ({
        tools: [
          { name: 'research', inputSchema: { type: 'object' }, execution: { taskSupport: 'required' } },
        ],
      }),
      'tools/call': ({ task }) =>
        task && states.length > 0
          ? { task: { taskId: 't', status: 'working', pollInterval: 1 } }
          : { content: [] },
      'tasks/get': () => ({ taskId: 't', status: left.shift(), pollInterval: 1 }),
      'tasks/result': () => ({ content: [{ type: 'text', text: 'fine' }] }),
      'tasks/cancel': () => ({}),
    };
    const server = await serve(async (request) => {
      if (request.method !== 'POST') return new Response(null, { status: 405 });
      const {
        id,
        method,
        params = {},
      } = (await request.json()) as {
        id?: number;
        method: string;
        params?: Record<string, unknown>;
      };
      if (id === undefined) return new Response(null, { status: 202 });
      if (!['server/discover', 'initialize', 'tools/list'].includes(method)) seen.push(method);
      const result = results[method]?.(params);
      const error = { code: -32601, message: 'There is no such method.' };
      const reply = { jsonrpc: '2.0', id, ...(result ? { result } : { error }) };
      const { progressToken } = (params['_meta'] ?? {}) as { progressToken?: unknown };
      if (method === 'tools/call') token = progressToken;
      if (method !== 'tasks/get') return Response.json(reply);
      const told = { progressToken: token, progress: 3 - left.length, message: 'on the way' };
      const progress = { jsonrpc: '2.0', method: 'notifications/progress', params: told };
      return new Response([progress, reply].map((one) => `data: ${JSON.stringify(one)}\n\n`).join(''), {
        headers: { 'content-type': 'text/event-stream' },
      });
    });
    onTestFinished(() => server.close());
    const source = mcpSource(
      { id: 'tasks', url: server.url, headers: {}, tools: null, timeoutMs: 5000 },
      () => undefined,
    );
    onTestFinished(() => source.close());
    await source.refresh();
    const result = source.list()[0]?.run({}, toolContext());
    if (told === 'fine') expect(await result).toMatchObject({ text: told });
    else await expect(result).rejects.toThrow(told);
    await expect.poll(() => seen).toEqual(asked);
    if (told !== 'fine') return;
    left.push(...states);
    const heard: unknown[] = [];
    const onprogress = (progress: unknown) => heard.push(progress);
    const { signal } = new AbortController();
    expect(await source.callTool('research', {}, { signal, onprogress })).toMatchObject({
      content: [{ text: told }],
    });
    const message = 'on the way';
    expect(heard).toEqual([
      { progress: 2, message },
      { progress: 3, message },
    ]);
  },
);
