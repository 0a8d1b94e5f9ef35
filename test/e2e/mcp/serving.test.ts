/** The server as a server of MCP, by the official client in both generations of the protocol. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { fromJsonSchema, type McpServer, ProtocolError } from '@modelcontextprotocol/server';
import { strFromU8, unzipSync } from 'fflate';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { McpServerSettings } from '../../../src/services/agents/settings.ts';
import {
  appForThisTest,
  type TestApp,
  type TestAppOptions,
  testAdminPassword,
  testKey,
} from '../../helpers/app.ts';
import { ask } from '../../helpers/http.ts';
import { serve, startMcpServer, startMcpSessions } from '../../helpers/mcp-server.ts';

const generations = [
  ['2025-11-25', 'legacy'],
  ['2026-07-28', 'auto'],
] as const;
type Mode = (typeof generations)[number][1];

interface Options {
  readonly mode?: Mode;
  readonly key?: string;
  readonly headers?: Record<string, string>;
}

async function clientOf(url: string, { mode = 'auto', key = testKey, headers = {} }: Options = {}) {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
  const requestInit = { headers: { authorization: `Bearer ${key}`, ...headers } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  onTestFinished(() => client.close());
  return client;
}

const settings = (id: string, url: string): McpServerSettings => ({
  id,
  url,
  headers: { authorization: 'Bearer secret-of-the-server' },
  tools: null,
  timeoutMs: 5000,
});

async function withServer(more: TestAppOptions = {}) {
  const docs = await startMcpServer();
  onTestFinished(() => docs.close());
  const app = await appForThisTest({ ...more, agents: { mcpServers: [settings('docs', docs.url)] } });
  return { app, docs };
}

/** A server with whatever a test needs, which keeps sessions. */
async function withSessions(register: (server: McpServer) => void, { agents, ...more }: TestAppOptions = {}) {
  const sessions = await startMcpSessions(register);
  onTestFinished(() => sessions.close());
  const app = await appForThisTest({
    ...more,
    agents: { ...agents, mcpServers: [settings('lab', sessions.url)] },
  });
  return { app, sessions };
}

const anything = fromJsonSchema<Record<string, unknown>>({ type: 'object' });
const authorization = `Bearer ${testKey}`;

async function post(app: TestApp, path: string, body: unknown, headers: Record<string, string> = {}) {
  const reply = await fetch(app.url + path, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { reply, text: await reply.text() };
}

/** The requests of the tenant, latest first. */
async function rows(app: TestApp) {
  const reply = await fetch(`${app.url}/v1/requests?limit=50`, { headers: { authorization } });
  const { data } = (await reply.json()) as { data: Record<string, unknown>[] };
  return data;
}

describe.each(generations)('a client of %s', (version, mode) => {
  it('lists the tools of all servers and calls them', async () => {
    const { app, docs } = await withServer();
    const client = await clientOf(`${app.url}/mcp`, { mode });
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'docs_weather_of',
        'calculator',
        'features_summarize',
        'agents_assistant',
        'build_app',
      ]),
    );
    expect(await client.callTool({ name: 'docs_weather_of', arguments: { city: 'Oslo' } })).toMatchObject({
      content: [{ type: 'text', text: 'Rain in Oslo' }],
    });
    expect(await client.callTool({ name: 'calculator', arguments: { expression: '6*7' } })).toMatchObject({
      content: [{ text: expect.stringContaining('42') }],
    });
    // The server gets its own credentials, and never the client's.
    expect(new Set(docs.seen.map((one) => one.authorization))).toEqual(
      new Set(['Bearer secret-of-the-server']),
    );
  });

  it('has the tools of one server under their own names', async () => {
    const { app } = await withServer();
    const client = await clientOf(`${app.url}/mcp/docs`, { mode });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['weather.of', 'fails', 'hangs', 'huge']);
    expect(tools[0]).toMatchObject({ inputSchema: { required: ['city'] } });
    expect(await client.callTool({ name: 'fails', arguments: { city: 'x' } })).toMatchObject({
      content: [{ text: 'no such city' }],
      isError: true,
    });
    const own = await clientOf(`${app.url}/mcp/switchyard`, { mode });
    expect((await own.listTools()).tools.map(({ name }) => name)).not.toContain('docs_weather_of');
  });

  it('hears of progress and of an error of the server', async () => {
    const { app } = await withSessions((server) => {
      server.registerTool('slow', { inputSchema: anything }, async (_, { mcpReq }) => {
        const { progressToken = 0 } = mcpReq._meta ?? {};
        for (const progress of [1, 2])
          await mcpReq.notify({
            method: 'notifications/progress',
            params: { progressToken, progress, total: 2 },
          });
        return { content: [{ type: 'text', text: 'done' }] };
      });
      server.server.setRequestHandler('tools/list', async () => ({
        tools: [
          { name: 'slow', inputSchema: { type: 'object' } },
          { name: 'refuses', inputSchema: { type: 'object' } },
        ],
      }));
    });
    const client = await clientOf(`${app.url}/mcp`, { mode });
    const heard: unknown[] = [];
    const result = await client.callTool(
      { name: 'lab_slow', arguments: {} },
      { onprogress: (progress) => heard.push(progress.progress) },
    );
    expect([result.content, heard]).toEqual([[{ type: 'text', text: 'done' }], [1, 2]]);
    await expect(client.callTool({ name: 'lab_nothing', arguments: {} })).rejects.toThrow(
      'There is no tool "lab_nothing"',
    );
  });

  it('carries features, agents and builds out, each as its own operation', async () => {
    const { app } = await withServer();
    const client = await clientOf(`${app.url}/mcp`, { mode });
    const summary = await client.callTool({
      name: 'features_detect-language',
      arguments: { text: 'Das ist ein deutscher Satz über das Wetter.' },
    });
    expect(summary).toMatchObject({ structuredContent: { language: 'de' } });
    const told: unknown[] = [];
    const run = await client.callTool(
      { name: 'agents_assistant', arguments: { input: 'Hello' } },
      { onprogress: ({ message }) => told.push(message) },
    );
    expect(told).toContain('Step model is done.');
    expect(run).toMatchObject({ structuredContent: { status: 'succeeded', run_id: expect.any(String) } });
    const build = await client.callTool({
      name: 'build_app',
      arguments: { prompt: 'A list of books that I have read' },
    });
    expect(build).toMatchObject({
      structuredContent: { status: 'succeeded', links: { self: expect.any(String) } },
    });
    const { job_id, links } = build.structuredContent as { job_id: string; links: { artifact: string } };
    const uri = `ui://switchyard/builds/${job_id}`;
    expect(build.content).toContainEqual(expect.objectContaining({ type: 'resource_link', uri }));
    expect(build._meta).toMatchObject({ ui: { resourceUri: uri } });
    const { contents } = await client.readResource({ uri });
    expect(contents).toMatchObject([{ uri, mimeType: 'text/html;profile=mcp-app' }]);
    const page = contents[0] && 'text' in contents[0] ? contents[0].text : '';
    expect(page).toMatch(/^<!doctype html>/i);
    expect(await archived(app.url + new URL(links.artifact).pathname, 'index.html')).toBe(page);
    const revised = await client.callTool({
      name: 'revise_app',
      arguments: { job_id, instruction: 'call it Shelf' },
    });
    expect(revised).toMatchObject({ structuredContent: { status: 'succeeded', title: 'Shelf' } });
    expect(await client.callTool({ name: 'get_build', arguments: { job_id } })).toMatchObject({
      structuredContent: { object: 'factory.job', id: job_id },
    });
    expect((await rows(app)).map(({ operation }) => operation)).toEqual([
      'createFactoryRevision',
      'createFactoryJob',
      'runAssistant',
      'detectLanguage',
    ]);
  });
});

describe('a call', () => {
  it('is one request of the plan and one row of the ledger', async () => {
    const { app } = await withServer();
    const client = await clientOf(`${app.url}/mcp`);
    await client.listTools();
    expect(await rows(app)).toEqual([]);
    await client.callTool({ name: 'docs_weather_of', arguments: { city: 'Oslo' } });
    expect(await rows(app)).toMatchObject([
      { operation: 'callMcp', status: 'succeeded', provider: 'docs', model: 'weather.of' },
    ]);
    const line = app.log.findLast((entry) => entry['mcp_tool'] === 'docs_weather_of');
    expect(line).toMatchObject({ operation: 'callMcp', status: 200 });
  });

  it('is refused in words where the plan is used up', async () => {
    const { app } = await withServer({ limits: { requestsPerMinute: 1 } });
    const client = await clientOf(`${app.url}/mcp`);
    const call = () => client.callTool({ name: 'docs_weather_of', arguments: { city: 'Oslo' } });
    await call();
    await expect(call()).rejects.toMatchObject({
      data: { code: 'rate_limited', retryable: true, retry_after: expect.any(Number) },
    });
    expect((await client.listTools()).tools).not.toEqual([]);
  });

  it('is refused in words where a budget of its key is used up', async () => {
    const { app } = await withServer();
    await app.accounts.tenants.create({ id: 'acme', plan: 'pro' }, 'test');
    const { text: key, key: kept } = await app.accounts.storedKeys.create({ tenantId: 'acme' }, 'test');
    const scope = { key_id: kept.id };
    const budget = { tenant_id: 'acme', unit: 'requests', window: 'month', limit: 2, scope };
    const made = await ask(`${app.url}/api/admin/budgets`, { key: testAdminPassword, body: budget });
    expect(made.status).toBe(201);
    const client = await clientOf(`${app.url}/mcp`, { key });
    const calls = [
      { name: 'docs_weather_of', arguments: { city: 'Oslo' } },
      { name: 'calculator', arguments: { expression: '6*7' } },
    ];
    for (const call of calls) await client.callTool(call);
    for (const call of calls)
      await expect(client.callTool(call)).rejects.toThrow('The limit of 2 requests a month');
  });

  it('tells the model of arguments that do not fit, of a server that is away and of one that says too much', async () => {
    const { app } = await withServer();
    const client = await clientOf(`${app.url}/mcp`);
    const call = (name: string, values: object) =>
      client.callTool({ name, arguments: values as Record<string, unknown> });
    expect(await call('calculator', { expression: 5 })).toMatchObject({
      isError: true,
      content: [{ text: 'The arguments do not fit: expression must be string.' }],
    });
    expect(await call('docs_huge', { city: 'x' })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('larger than 4 MiB') }],
    });
    const away = await appForThisTest({
      errorsExpected: true,
      agents: { mcpServers: [settings('gone', 'http://127.0.0.1:9/mcp')] },
    });
    const other = await clientOf(`${away.url}/mcp`);
    const names = (await other.listTools()).tools.map(({ name }) => name);
    expect(names.filter((name) => name.startsWith('gone'))).toEqual([]);
    expect(names).toContain('calculator');
    // It may be one that the client has listed before.
    const one = await clientOf(`${away.url}/mcp/gone`);
    for (const [asked, name] of [[other, 'gone_fishing'] as const, [one, 'fishing'] as const])
      expect(await asked.callTool({ name, arguments: {} })).toMatchObject({
        isError: true,
        content: [{ text: 'The server "gone" cannot be reached at the moment.' }],
      });
    await expect(other.callTool({ name: 'fishing', arguments: {} })).rejects.toThrow('There is no tool');
  });

  it('never goes to another server whose tool would have that name while its own is away', async () => {
    const of = (name: string) =>
      startMcpSessions((server) => {
        server.registerTool(name, { inputSchema: anything }, () => ({
          content: [{ type: 'text', text: `This is ${name}.` }],
        }));
      });
    const servers = await Promise.all([of('b_c'), of('c')]);
    onTestFinished(async () => void (await Promise.all(servers.map((server) => server.close()))));
    const mcpServers = ['a', 'a_b'].map((id, n) => settings(id, servers[n]?.url ?? ''));
    const app = await appForThisTest({ errorsExpected: true, agents: { mcpServers } });
    const client = await clientOf(`${app.url}/mcp`);
    const namesNow = async () =>
      (await client.listTools()).tools.map(({ name }) => name).filter((name) => name.startsWith('a_'));
    const [first = '', second = ''] = await namesNow();
    expect(first).toBe('a_b_c');
    servers[0]?.setAway(true);
    expect(await namesNow()).toEqual([second]);
    expect(await client.callTool({ name: first, arguments: {} })).toMatchObject({
      isError: true,
      content: [{ text: 'The server "a" cannot be reached at the moment.' }],
    });
    expect(await client.callTool({ name: second, arguments: {} })).toMatchObject({
      content: [{ text: 'This is c.' }],
    });
  });

  it('passes an error of the protocol on as the server said it', async () => {
    const { app } = await withSessions((server) => {
      server.server.registerCapabilities({ tools: {} });
      server.server.setRequestHandler('tools/list', async () => ({
        tools: [{ name: 'refuses', inputSchema: { type: 'object' } }],
      }));
      server.server.setRequestHandler('tools/call', async () => {
        throw new ProtocolError(-32_050, 'Not on a Sunday.', { day: 0 });
      });
    });
    const client = await clientOf(`${app.url}/mcp/lab`);
    await expect(client.callTool({ name: 'refuses', arguments: {} })).rejects.toMatchObject({
      code: -32_050,
      message: expect.stringMatching(/Not on a Sunday\.$/),
      data: { day: 0 },
    });
  });

  it('ends at the server when its client gives up', async () => {
    const { app, docs } = await withServer();
    const client = await clientOf(`${app.url}/mcp`);
    await client.listTools();
    const before = docs.seen.length;
    const gone = new AbortController();
    const call = client.callTool({ name: 'docs_hangs', arguments: { city: 'x' } }, { signal: gone.signal });
    await expect.poll(() => docs.seen.length).toBeGreaterThan(before);
    gone.abort();
    await expect(call).rejects.toThrow();
    await expect.poll(async () => (await rows(app)).map(({ status }) => status)).toEqual(['cancelled']);
  });

  it('is for the keys that the operator lets call the tool', async () => {
    const docs = await startMcpServer();
    onTestFinished(() => docs.close());
    const rule = { id: 'all', keys: null, tenants: null, plans: null, tags: {} };
    const app = await appForThisTest({
      agents: {
        mcpServers: [settings('docs', docs.url)],
        mcpAccess: [
          { ...rule, tenants: ['other'], allow: [], deny: [] },
          { ...rule, allow: ['docs/*', 'switchyard/calculator'], deny: ['docs/h*'] },
        ],
      },
    });
    const client = await clientOf(`${app.url}/mcp`);
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toEqual(['docs_weather_of', 'docs_fails', 'calculator']);
    await expect(client.callTool({ name: 'docs_huge', arguments: { city: 'x' } })).rejects.toThrow('no tool');
    const one = await clientOf(`${app.url}/mcp/docs`);
    await expect(one.callTool({ name: 'huge', arguments: { city: 'x' } })).rejects.toThrow('no tool');
  });

  it('keeps the digits of numbers that JavaScript would round, past the SDK and through it', async () => {
    const docs = await startMcpServer();
    onTestFinished(() => docs.close());
    const bodies: string[] = [];
    const front = await serve(async (request) => {
      bodies.push(await request.clone().text());
      return fetch(docs.url, request);
    });
    onTestFinished(() => front.close());
    const app = await appForThisTest({ agents: { mcpServers: [settings('docs', front.url)] } });
    await post(app, '/mcp/docs', { jsonrpc: '2.0', id: 1, method: 'tools/list' });
    for (const meta of ['', ',"_meta":{"progressToken":1}']) {
      bodies.length = 0;
      const params = `{"name":"weather.of","arguments":{"city":"Oslo","n":12345678901234567890}${meta}}`;
      const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`;
      expect((await post(app, '/mcp/docs', call)).text).toContain('Rain in Oslo');
      expect(bodies.join()).toContain('"n":12345678901234567890');
    }
  });
});

/** A file of an archive. */
async function archived(address: string, name: string): Promise<string> {
  // It is packed when the build is over.
  const get = () => fetch(address, { headers: { 'x-api-key': testKey } });
  await expect.poll(async () => (await get()).status, { timeout: 20_000 }).toBe(200);
  const files = unzipSync(new Uint8Array(await (await get()).arrayBuffer()));
  const [, bytes] =
    Object.entries(files).find(([path]) => path.replace(/^[^/]*\//, '') === name || path === name) ?? [];
  return strFromU8(bytes ?? new Uint8Array());
}

it('a call that lasts is kept alive until its answer is there, past the SDK and through it', async () => {
  const finish: (() => void)[] = [];
  const { app } = await withSessions(
    (server) => {
      const result = { content: [{ type: 'text' as const, text: 'At last.' }] };
      server.registerTool(
        'slow',
        { inputSchema: anything },
        () => new Promise((resolve) => finish.push(() => resolve(result))),
      );
    },
    { pingMs: 10 },
  );
  await post(app, '/mcp/lab', { jsonrpc: '2.0', id: 1, method: 'tools/list' });
  const headers = {
    authorization,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  for (const _meta of [{}, { progressToken: 1 }]) {
    const params = { name: 'slow', arguments: {}, _meta };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params });
    const { body: stream } = await fetch(`${app.url}/mcp/lab`, { method: 'POST', headers, body });
    let said = '';
    for await (const chunk of stream ?? []) {
      said += Buffer.from(chunk);
      if (said.split(': ping').length > 3) finish.pop()?.();
    }
    const [data = ''] = /(?<=^data: ).*"result".*$/mu.exec(said) ?? [];
    expect(JSON.parse(data)).toMatchObject({ id: 7, result: { content: [{ text: 'At last.' }] } });
  }
});

it('shows the app of a build to nobody else', async () => {
  const app = await appForThisTest();
  await app.accounts.tenants.create({ id: 'acme', plan: 'pro' }, 'test');
  const { text: key } = await app.accounts.storedKeys.create({ tenantId: 'acme' }, 'test');
  const client = await clientOf(`${app.url}/mcp/switchyard`);
  const built = await client.callTool({ name: 'build_app', arguments: { prompt: 'A list of my books' } });
  const { job_id } = built.structuredContent as { job_id: string };
  const uri = `ui://switchyard/builds/${job_id}`;
  expect((await client.readResource({ uri })).contents.length).toBe(1);
  const other = await clientOf(`${app.url}/mcp`, { key });
  await expect(other.readResource({ uri })).rejects.toThrow('There is no app of this name');
  await expect(other.readResource({ uri: 'mcp://docs/file:///etc/passwd' })).rejects.toThrow('no resource');
});

it('passes prompts and resources of one server on, and at the address of all under names of their own', async () => {
  const { app } = await withSessions((server) => {
    server.registerTool('echo', { inputSchema: anything }, async () => ({ content: [] }));
    server.registerPrompt('greet', { description: 'Greets.' }, () => ({
      messages: [{ role: 'user', content: { type: 'text', text: 'Say hello.' } }],
    }));
    server.registerResource('notes', 'lab://notes', { mimeType: 'text/plain' }, async (uri) => ({
      contents: [{ uri: uri.href, text: 'Water the plants.' }],
    }));
  });
  const client = await clientOf(`${app.url}/mcp/lab`);
  expect((await client.listPrompts()).prompts).toMatchObject([{ name: 'greet' }]);
  expect((await client.getPrompt({ name: 'greet' })).messages).toMatchObject([
    { content: { text: 'Say hello.' } },
  ]);
  expect((await client.listResources()).resources).toMatchObject([{ uri: 'lab://notes' }]);
  expect((await client.readResource({ uri: 'lab://notes' })).contents).toMatchObject([
    { text: 'Water the plants.' },
  ]);
  await expect(client.readResource({ uri: 'lab://none' })).rejects.toMatchObject({
    code: expect.any(Number),
  });
  const all = await clientOf(`${app.url}/mcp`);
  expect((await all.listPrompts()).prompts).toMatchObject([{ name: 'lab_greet' }]);
  expect((await all.getPrompt({ name: 'lab_greet' })).messages).toMatchObject([
    { content: { text: 'Say hello.' } },
  ]);
  const uri = 'mcp://lab/lab://notes';
  expect((await all.listResources()).resources).toMatchObject([{ uri }]);
  expect((await all.readResource({ uri })).contents).toMatchObject([{ uri, text: 'Water the plants.' }]);
  await expect(all.getPrompt({ name: 'greet' })).rejects.toThrow('There is no prompt');
});

it('has prompts of two servers whose names would be the same, each under one of its own', async () => {
  const of = (name: string) =>
    startMcpSessions((server) => {
      server.registerPrompt(name, {}, () => ({
        messages: [{ role: 'user', content: { type: 'text', text: `This is ${name}.` } }],
      }));
    });
  const servers = await Promise.all([of('b_c'), of('c')]);
  onTestFinished(async () => void (await Promise.all(servers.map((server) => server.close()))));
  const mcpServers = ['a', 'a_b'].map((id, n) => settings(id, servers[n]?.url ?? ''));
  const client = await clientOf(`${(await appForThisTest({ agents: { mcpServers } })).url}/mcp`);
  const names = (await client.listPrompts()).prompts.map(({ name }) => name);
  expect(names).toEqual(['a_b_c', expect.stringMatching(/^a_b_c_[0-9a-f]{8}$/)]);
  const said = await Promise.all(names.map((name) => client.getPrompt({ name })));
  expect(said.map(({ messages }) => messages[0]?.content)).toMatchObject([
    { text: 'This is b_c.' },
    { text: 'This is c.' },
  ]);
});

it('passes no prompt and no resource of a server on to a key that may call no tool of it', async () => {
  const nothing = { id: 'none', keys: null, tenants: null, plans: null, tags: {}, allow: [], deny: [] };
  const read: string[] = [];
  const { app } = await withSessions(
    (server) => {
      server.registerTool('echo', { inputSchema: anything }, async () => ({ content: [] }));
      server.registerPrompt('greet', {}, () => ({ messages: [] }));
      server.registerResource('notes', 'lab://notes', {}, async (uri) => {
        read.push(uri.href);
        return { contents: [{ uri: uri.href, text: 'Water the plants.' }] };
      });
    },
    { agents: { mcpAccess: [nothing] } },
  );
  const one = await clientOf(`${app.url}/mcp/lab`);
  await expect(one.readResource({ uri: 'lab://notes' })).rejects.toThrow();
  await expect(one.getPrompt({ name: 'greet' })).rejects.toThrow();
  const all = await clientOf(`${app.url}/mcp`);
  await expect(all.readResource({ uri: 'mcp://lab/lab://notes' })).rejects.toThrow();
  expect((await all.listResources().catch(() => ({ resources: [] }))).resources).toEqual([]);
  expect(read).toEqual([]);
});

describe('a request that is none', () => {
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

  it('without a key is told where to get one', async () => {
    const app = await appForThisTest();
    const { reply, text } = await post(app, '/mcp', list, { authorization: '' });
    expect(reply.status).toBe(401);
    const challenge = reply.headers.get('www-authenticate') ?? '';
    const [, metadata = ''] = /resource_metadata="([^"]+)"/.exec(challenge) ?? [];
    expect(JSON.parse(text)).toMatchObject({ error: { data: { code: 'missing_api_key' } } });
    const found = await fetch(metadata);
    expect(await found.json()).toMatchObject({
      resource: `${app.url}/mcp`,
      scopes_supported: ['mcp'],
      bearer_methods_supported: ['header'],
    });
  });

  it('shows what the scopes of its key open, and no more', async () => {
    const app = await appForThisTest();
    await app.accounts.tenants.create({ id: 'acme', plan: 'pro' }, 'test');
    const fields = { tenantId: 'acme', scopes: ['mcp'] };
    const { text: key } = await app.accounts.storedKeys.create(fields, 'test');
    const client = await clientOf(`${app.url}/mcp`, { key });
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toEqual(['calculator', 'current_time']);
    await expect(client.callTool({ name: 'build_app', arguments: { prompt: 'a list' } })).rejects.toThrow(
      'The tool "build_app" needs the scope "factory", which the API key does not hold.',
    );
  });

  it.each([
    ['of a foreign page', '/mcp', list, { origin: 'http://evil.example' }, 403, 'host_not_allowed'],
    ['for a server that is none', '/mcp/nothing', list, {}, 404, 'not_found'],
    ['of half a body', '/mcp', '{"jsonrpc":', {}, 400, 'malformed_json'],
    ['of several messages', '/mcp', [list], {}, 400, 'invalid_request'],
  ] as const)('%s is refused', async (_, path, body, headers, status, code) => {
    const app = await appForThisTest();
    const { reply, text } = await post(app, path, body, headers);
    expect([reply.status, JSON.parse(text)]).toMatchObject([status, { error: { data: { code } } }]);
  });

  it.each([
    ['tools/call', { name: 'calculator', arguments: 'x' }, 'params.arguments must be an object.'],
    [
      'tools/call',
      { name: 7, arguments: [] },
      'params.name must be a text; params.arguments must be an object.',
    ],
    ['tools/call', undefined, 'params must be an object.'],
    ['tools/list', { cursor: 7 }, 'params.cursor must be a text.'],
    ['resources/read', {}, 'params.uri must be a text.'],
    [
      'initialize',
      { protocolVersion: '2025-11-25', capabilities: {} },
      'params.clientInfo must be an object.',
    ],
  ])('with wrong parameters is told which, in words: %s %j', async (method, params, message) => {
    const app = await appForThisTest();
    const { reply, text } = await post(app, '/mcp', { jsonrpc: '2.0', id: 3, method, params });
    expect([reply.status, JSON.parse(text)]).toEqual([
      200,
      { jsonrpc: '2.0', id: 3, error: { code: -32_602, message } },
    ]);
  });

  it('of an unknown revision is told of all that there are', async () => {
    const app = await appForThisTest();
    const { reply, text } = await post(app, '/mcp', list, { 'mcp-protocol-version': '1999-01-01' });
    expect([reply.status, JSON.parse(text).error.message]).toEqual([
      400,
      expect.stringMatching(/1999-01-01 \(supported versions: 2026-07-28, 2025-11-25, .*2024-10-07\)/),
    ]);
  });

  it('whose headers say another thing than its body is refused, and calls nothing', async () => {
    const { app } = await withServer();
    const about = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const params = { name: 'docs_weather_of', arguments: { city: 'Oslo' }, _meta: about };
    const call = { jsonrpc: '2.0', id: 7, method: 'tools/call', params };
    const right = {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'docs_weather_of',
    };
    for (const wrong of [{ 'mcp-method': 'tools/list' }, { 'mcp-name': 'calculator' }, { 'mcp-name': '' }]) {
      const { reply, text } = await post(app, '/mcp', call, { ...right, ...wrong });
      expect([reply.status, JSON.parse(text)]).toMatchObject([400, { error: { code: -32_020 } }]);
    }
    expect(await rows(app)).toEqual([]);
    expect((await post(app, '/mcp', call, right)).text).toContain('Rain in Oslo');
  });

  it('is answered in JSON where its client says nothing of streams', async () => {
    const app = await appForThisTest();
    const params = { name: 'calculator', arguments: { expression: '6*7' } };
    const call = { jsonrpc: '2.0', id: 7, method: 'tools/call', params };
    const plain = await post(app, '/mcp', call);
    expect(plain.reply.headers.get('content-type')).toBe('application/json');
    expect(JSON.parse(plain.text)).toMatchObject({ id: 7, result: { content: [{ text: '42' }] } });
    const accept = 'application/json, text/event-stream';
    expect((await post(app, '/mcp', call, { accept })).text).toMatch(/^event: message\ndata: \{/);
    expect((await post(app, '/mcp', list, { accept })).text).toMatch(/^\{/);
  });

  it('to hear of changes is answered at once, and ends with its client', async () => {
    const app = await appForThisTest();
    const about = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const method = 'subscriptions/listen';
    const gone = new AbortController();
    const reply = await fetch(`${app.url}/mcp`, {
      method: 'POST',
      signal: gone.signal,
      headers: {
        authorization,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method,
        params: { notifications: { toolsListChanged: true }, _meta: about },
      }),
    });
    expect([reply.status, reply.headers.get('content-type')]).toEqual([
      200,
      expect.stringMatching(/^text\/event-stream/),
    ]);
    const first = await reply.body?.getReader().read();
    expect(String(Buffer.from(first?.value ?? []))).toContain('subscriptions');
    gone.abort();
    await expect.poll(() => app.running.size).toBe(0);
  });

  it('for a tool with a long name is not logged whole', async () => {
    const app = await appForThisTest();
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'x'.repeat(100_000) } };
    const { text } = await post(app, '/mcp', call);
    expect(text).toContain('There is no tool');
    expect(text.length + JSON.stringify(app.log).length).toBeLessThan(20_000);
  });

  it('of this machine is taken, whatever its page', async () => {
    const app = await appForThisTest();
    const { reply } = await post(app, '/mcp', list, { origin: 'http://localhost:6274' });
    expect(reply.status).toBe(200);
  });

  it('is answered with nothing where it is a notification, and is no GET', async () => {
    const app = await appForThisTest();
    const { reply, text } = await post(app, '/mcp', { jsonrpc: '2.0', method: 'notifications/initialized' });
    expect([reply.status, text, reply.headers.get('content-type')]).toEqual([202, '', null]);
    expect((await fetch(`${app.url}/mcp`, { headers: { authorization } })).status).toBe(405);
  });
});
